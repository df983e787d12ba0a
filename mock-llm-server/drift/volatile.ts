import type { VolatileText } from '../scenario/lock/prompt-lock.ts';
import { replaceVolatile } from './replace-volatile.ts';

/** Shorter directories, such as `/`, also occur in texts about other paths. */
const MIN_DIRECTORY = 4;

/** A function that replaces the working directory of the client by `<directory>`. */
export function replaceDirectory(directory: string | undefined): (text: string) => string {
  if (directory === undefined || directory.length < MIN_DIRECTORY) return (text) => text;
  const quoted = directory.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\w.-])${quoted}(?![\w-])`, 'g');
  return (text) => (text.includes(directory) ? text.replaceAll(pattern, '<directory>') : text);
}

/** A duration with its unit. Rounded, it is often equal in two runs and different in the third. */
export const DURATION = String.raw`\d+(?:\.\d+)?(?=\s?(?:ms|\xb5s|ns|s|seconds?|minutes?)\b)`;

/** The kinds of text that usually differ from run to run. Each is tried where two runs differ. */
const KINDS: readonly (readonly [name: string, pattern: string])[] = [
  ['timestamp', String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+\-]\d\d:?\d\d)?`],
  ['date', String.raw`\d{4}-\d\d-\d\d`],
  ['time', String.raw`\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b`],
  ['uuid', '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'],
  ['temporary-path', String.raw`(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s"'\x60:;,)]+`],
  ['duration', DURATION],
  ['id', String.raw`\b(?=[a-f]*\d)[0-9a-f]{7,64}\b`],
];

/** Kinds of text that may have another number of lines in each run. */
const BLOCKS: readonly (readonly [name: string, pattern: string])[] = [
  ['stack-trace', String.raw`(?:^[ \t#]*at [^\n]+(?:\n|$))+`],
];

/** The volatile texts that two runs show, and the places of other differences. */
export interface VolatileProposal {
  readonly entries: readonly VolatileText[];
  /** Places that need an entry by hand: `tool result 2, line 4`. */
  readonly unexplained: readonly string[];
}

/** A part of two runs of the same prompt. */
export interface PartPair {
  readonly part: string;
  readonly first: string;
  readonly second: string;
}

/**
 * Proposes entries for the texts that differ between two runs: known kinds of text by their form, others by what
 * precedes them in their line. A part with other lines is not explained. Pure.
 */
export function proposeVolatile(pairs: readonly PartPair[]): VolatileProposal {
  const found: VolatileText[] = [];
  const unexplained: string[] = [];
  for (const { part, first, second } of pairs) {
    const known = replaceVolatile(found);
    const [one, two] = [known(first, part), known(second, part)];
    for (const block of one.split('\n').length === two.split('\n').length
      ? []
      : differingKinds(BLOCKS, part, one, two)) {
      found.push(block);
    }
    const all = replaceVolatile(found);
    const [lines, others] = [all(first, part).split('\n'), all(second, part).split('\n')];
    if (lines.length !== others.length) {
      unexplained.push(`${part}: ${lines.length} lines, then ${others.length}`);
      continue;
    }
    for (const [index, line] of lines.entries()) {
      if (line === others[index]) continue;
      const proposed = explainLine(found, part, line, String(others[index]));
      if (proposed === undefined) unexplained.push(`${part}, line ${index + 1}`);
      else for (const entry of proposed) found.push(entry);
    }
  }
  return { entries: joinParts(found), unexplained };
}

/** The entries that make two lines equal, given those found before; undefined if none do. */
function explainLine(
  found: readonly VolatileText[],
  part: string,
  line: string,
  other: string,
): readonly VolatileText[] | undefined {
  const known = replaceVolatile(found);
  const [one, two] = [known(line, part), known(other, part)];
  const entries = differingKinds(KINDS, part, one, two);
  const replace = replaceVolatile(entries);
  const [before, after] = [replace(one, part), replace(two, part)];
  if (before === after) return entries;
  const entry = explainByContext(part, before, after);
  return entry === undefined ? undefined : [...entries, entry];
}

/** Entries for the kinds of text that both texts have equally often, and that differ. */
function differingKinds(kinds: typeof KINDS, part: string, first: string, second: string): readonly VolatileText[] {
  let [one, two] = [first, second];
  return kinds.flatMap(([name, pattern]) => {
    const expression = new RegExp(pattern, 'gmu');
    const [here, there] = [one.match(expression) ?? [], two.match(expression) ?? []];
    if (here.length !== there.length || here.every((text, index) => text === there[index])) return [];
    const entry = { name, part, pattern };
    const replace = replaceVolatile([entry]);
    [one, two] = [replace(one, part), replace(two, part)];
    return [entry];
  });
}

/** Characters that belong to one word. */
const WORD = /[\p{L}\p{N}._-]/u;

/** An entry for the single word in which two lines differ, found by the word before it. */
function explainByContext(part: string, one: string, two: string): VolatileText | undefined {
  let start = 0;
  while (start < Math.min(one.length, two.length) && one[start] === two[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, two.length) - start;
  while (end < shorter && one.at(-1 - end) === two.at(-1 - end)) end++;
  while (start > 0 && WORD.test(one.charAt(start - 1))) start--;
  while (end > 0 && WORD.test(one.charAt(one.length - end))) end--;
  const words = [one.slice(start, one.length - end), two.slice(start, two.length - end)];
  if (words.some((word) => !/^[^\s<>]+$/u.test(word))) return undefined;
  const head = one.slice(0, start);
  const context = head.slice(head.search(/[^\s]*[^\p{L}\p{N}]*$/u));
  const before = context === '' ? '^' : `(?<=${quote(context)})`;
  const isNumber = words.every((word) => /^\d+(?:\.\d+)?$/.test(word));
  const value = isNumber ? String.raw`\d+(?:\.\d+)?` : String.raw`[^\s<>]+`;
  return { name: isNumber ? 'number' : 'word', part, pattern: `${before}${value}` };
}

/** Quotes a text for an expression with the flag u, which allows no other escapes. */
function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Joins entries that are equal but for their part: `tool result` stands for all of them. */
function joinParts(entries: readonly VolatileText[]): readonly VolatileText[] {
  const joined = new Map<string, VolatileText>();
  for (const entry of entries) {
    const key = `${entry.name} ${entry.pattern}`;
    const same = joined.get(key);
    joined.set(key, same === undefined || same.part === entry.part ? entry : widen(entry, same));
  }
  return [...joined.values()];
}

/** The entry for the kind of both parts, or for all parts. */
function widen(entry: VolatileText, { part: other }: VolatileText): VolatileText {
  const [kind, otherKind] = [entry.part, other].map((part) => part?.replace(/ \d+$/, ''));
  if (kind === otherKind) return { ...entry, part: kind };
  const { part: _part, ...everywhere } = entry;
  return everywhere;
}
