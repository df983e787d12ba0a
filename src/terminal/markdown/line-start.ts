/** A block that contains others: a quote, or an item of a list. */
export type Container =
  | { readonly type: 'quote' }
  | {
      readonly type: 'item';
      /** The columns before its marker, and before its content. Both count from the content of the container around it. */
      readonly offset: number;
      readonly indent: number;
      /** The text that begins it on the screen. */
      readonly marker: string;
    };

/** The block without blocks in it that a line begins or continues, and the text of the line in it. */
export type LeafStart =
  | { readonly type: 'blank' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'rule' }
  | { readonly type: 'fence'; readonly fence: Fence }
  | { readonly type: 'fence_end' }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'indented'; readonly text: string }
  | { readonly type: 'table_row'; readonly text: string };

/** The line that opens a block of code: its indentation, the characters that close the block, and its language. */
export interface Fence {
  readonly indent: number;
  readonly characters: string;
  readonly info: string;
}

/** The start of a line: the containers that are open in it, how many of them were open before, and its block. */
export interface LineStart {
  readonly containers: readonly Container[];
  readonly kept: number;
  readonly leaf: LeafStart;
}

/** The blocks that are open before a line. */
export interface OpenBlocks {
  readonly containers: readonly Container[];
  /** The innermost block; `fence` is set in a block of code. */
  readonly leaf: { readonly type: string; readonly fence?: Fence };
}

/** The maximum depth of quotes and lists, because deeper ones leave no room on a screen. */
const MAX_DEPTH = 20;

/** The starts of lines that more text can turn into another block. */
const UNDECIDED = [
  /^ *$/,
  /^ *([-*_])(?: *\1)* *$/,
  /^ *\+ *$/,
  /^ *\d{1,9}(?:[.)] *)?$/,
  /^ *#{1,6}(?: |$)/,
  /^ *`{1,2}$/,
  /^ *`{3,}[^`]*$/,
  /^ *~{1,2}$/,
  /^ *~{3,}/,
  /^ *\|/,
  /^ *>$/,
];
const UNDECIDED_TASK = /^\[(?:[ xX](?:\]| *$)?)?$/;
const BULLET = '•';
const RULE = /^ *([-*_])(?: *\1){2,} *$/;
const MARKER = /^( *)([-*+]|\d{1,9}[.)])(?:( +)(?=\S)| *$)/;
const TASK = /^\[([ xX])\] +/;

/**
 * Reads the start of a line by the rules of CommonMark, with these differences: a table begins and continues with `|`,
 * a line below a paragraph does not turn it into a heading, HTML is text, and a list under a numbered item needs only
 * two columns more than that. `undefined`: more text can turn the line into another block; not for a `complete` one.
 */
export function readLineStart(line: string, open: OpenBlocks, complete: boolean): LineStart | undefined {
  const inParagraph = open.leaf.type === 'paragraph';
  // The tabs of code are kept.
  let rest = open.leaf.fence !== undefined && open.containers.length === 0 ? line : line.replaceAll('\t', '    ');
  let kept = 0;
  for (const container of open.containers) {
    const next = continueContainer(container, rest, complete);
    if (next === 'undecided') return undefined;
    if (next === undefined) break;
    rest = next;
    kept += 1;
  }
  const isInside = kept === open.containers.length;
  const containers = [...open.containers.slice(0, kept)];
  if (open.leaf.fence !== undefined && isInside) {
    return complete ? { containers, kept, leaf: codeLine(rest, open.leaf.fence) } : undefined;
  }
  for (;;) {
    const indent = indentOf(rest);
    if (!complete && indent < 4 && isUndecided(rest)) return undefined;
    if (indent >= 4 || containers.length >= MAX_DEPTH) break;
    if (rest[indent] === '>') {
      rest = rest.slice(indent + 1).replace(/^ /, '');
      containers.push({ type: 'quote' });
      continue;
    }
    const interrupts = inParagraph && isInside && containers.length === kept;
    const item = RULE.test(rest) ? undefined : readMarker(rest, interrupts);
    if (item === undefined) break;
    rest = item.rest;
    if (!complete && UNDECIDED_TASK.test(rest)) return undefined;
    const task = TASK.exec(rest);
    if (task === null) {
      containers.push(item.container);
      continue;
    }
    const box = task[1] === ' ' ? '☐' : '☑';
    const { marker } = item.container;
    containers.push({ ...item.container, marker: marker === BULLET ? box : `${marker} ${box}` });
    rest = rest.slice(task[0].length);
    if (!complete && isUndecided(rest)) return undefined;
    break;
  }
  if (/^ *$/.test(rest)) return complete ? { containers, kept, leaf: { type: 'blank' } } : undefined;
  const continuesParagraph = inParagraph && containers.length === kept;
  if (indentOf(rest) >= 4 && !continuesParagraph) {
    return complete ? { containers, kept, leaf: { type: 'indented', text: rest.slice(4) } } : undefined;
  }
  const leaf = readLeaf(rest);
  if (leaf.type === 'text' && continuesParagraph) {
    return { containers: open.containers, kept: open.containers.length, leaf };
  }
  return { containers, kept, leaf };
}

/** The rest of a line in a container that was open before it; `undefined` if the line is outside. */
function continueContainer(container: Container, rest: string, complete: boolean): string | 'undecided' | undefined {
  const indent = indentOf(rest);
  const isBlank = indent === rest.length;
  if (isBlank && !complete) return 'undecided';
  if (container.type === 'quote') {
    if (indent > 3 || rest[indent] !== '>') return undefined;
    if (rest.length === indent + 1 && !complete) return 'undecided';
    return rest.slice(indent + 1).replace(/^ /, '');
  }
  if (isBlank) return '';
  if (indent >= container.indent) return rest.slice(container.indent);
  if (indent < container.offset + 2) return undefined;
  if (!complete && isUndecided(rest)) return 'undecided';
  return MARKER.test(rest) && !RULE.test(rest) ? rest.slice(indent) : undefined;
}

/** The item that a line begins. Only some items may follow a paragraph without a blank line. */
function readMarker(
  rest: string,
  interrupts: boolean,
): { readonly container: Extract<Container, { type: 'item' }>; readonly rest: string } | undefined {
  const found = MARKER.exec(rest);
  if (found === null) return undefined;
  const [, before = '', marker = '', spaces] = found;
  const isBullet = /^[-*+]$/.test(marker);
  if (interrupts && (spaces === undefined || !(isBullet || /^1[.)]$/.test(marker)))) return undefined;
  // More spaces begin a block of code in the item.
  const gap = spaces === undefined || spaces.length > 4 ? 1 : spaces.length;
  const indent = before.length + marker.length + gap;
  const container = { type: 'item', offset: before.length, indent, marker: isBullet ? BULLET : marker } as const;
  return { container, rest: rest.slice(indent) };
}

function isUndecided(rest: string): boolean {
  return UNDECIDED.some((start) => start.test(rest));
}

function readLeaf(rest: string): LeafStart {
  const heading = /^ *(#{1,6})(?: +(.*))?$/.exec(rest);
  if (heading !== null && indentOf(rest) < 4) {
    const text = (heading[2] ?? '').replace(/(?:^| +)#+ *$/, '').trim();
    return { type: 'heading', level: heading[1]?.length ?? 1, text };
  }
  if (indentOf(rest) >= 4) return { type: 'text', text: rest.trimStart() };
  const fence = /^( *)(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(rest);
  if (fence !== null) {
    const [, before = '', characters = '', info = ''] = fence;
    return { type: 'fence', fence: { indent: before.length, characters, info: info.trim() } };
  }
  if (RULE.test(rest)) return { type: 'rule' };
  const text = rest.trimStart();
  return text.startsWith('|') ? { type: 'table_row', text } : { type: 'text', text };
}

function codeLine(rest: string, { indent, characters }: Fence): LeafStart {
  const end = /^ {0,3}(`{3,}|~{3,}) *$/.exec(rest)?.[1];
  if (end?.startsWith(characters) === true) return { type: 'fence_end' };
  return { type: 'code', text: rest.slice(Math.min(indent, indentOf(rest))) };
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
