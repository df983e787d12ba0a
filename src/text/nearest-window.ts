import leven from 'leven';
import { splitKeepingEndings } from './line-endings.ts';
import { truncateLine, truncateLines } from './truncate.ts';

/** The lines of a text that are most like the ones somebody looked for. Lines and columns count from 1. */
export interface NearestWindow {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** True when the two differ in nothing but blanks, tabs and line ends. */
  readonly onlyWhitespace: boolean;
  /** Where the two part first, and the character there on each side: LF at a line end, nothing at the very end. */
  readonly difference: {
    readonly line: number;
    readonly column: number;
    readonly found: string;
    readonly wanted: string;
  };
}

/** Windows less alike than this are of no help. */
const MIN_SIMILARITY = 0.4;

/** How many windows are compared in full; which ones is decided by one line alone. */
const MAX_CANDIDATES = 40;

/** How many of them are compared character by character, and how much of their lines: the time grows with the square. */
const MAX_MEASURED = 5;
const MEASURED_LINE_LENGTH = 200;

const SHOWN_LINES = 20;
const SHOWN_LINE_LENGTH = 300;

/**
 * The window of `content` that is most like `wanted`, the first of equals; nothing when none is alike. LF in `wanted`
 * is like CRLF unless `wanted` holds a CR itself.
 */
export function findNearestWindow(content: string, wanted: string): NearestWindow | undefined {
  const lines = splitKeepingEndings(wanted.includes('\r') ? content : content.replaceAll('\r\n', '\n'));
  const sought = splitKeepingEndings(wanted);
  const likely = candidateStarts(lines, sought)
    .map((start) => ({ start, similarity: windowSimilarity(lines, sought, start) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((left, right) => right.similarity - left.similarity || left.start - right.start)
    .slice(0, MAX_MEASURED)
    .map(({ start }) => ({ start, distance: windowDistance(lines, sought, start) }));
  const [best] = likely.sort((left, right) => left.distance - right.distance || left.start - right.start);
  if (best === undefined) return undefined;
  const window = lines.slice(best.start, best.start + sought.length);
  return {
    firstLine: best.start + 1,
    lines: window.map((line) => line.replace(/\n$/, '')),
    onlyWhitespace: withoutWhitespace(window.join('')) === withoutWhitespace(wanted),
    difference: firstDifference(window, sought, best.start + 1),
  };
}

/** A line with its whitespace made visible: `→` for a tab, `·` for a blank, `␍` for a CR, a code for other blanks. */
export function showWhitespace(line: string): string {
  return line.replace(/\s/g, (character) => {
    if (character === ' ') return '·';
    if (character === '\t') return '→';
    if (character === '\r') return '␍';
    return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** A window as numbered lines with visible whitespace, shortened where it is long. */
export function showWindow(window: NearestWindow): string {
  const lines = window.lines.map((line, index) => {
    return `${window.firstLine + index}\t${truncateLine(showWhitespace(line), SHOWN_LINE_LENGTH)}`;
  });
  return truncateLines(lines, SHOWN_LINES).join('\n');
}

/** Where a window may start, judged by one line of what is sought: its longest, the most telling one. */
function candidateStarts(lines: readonly string[], sought: readonly string[]): readonly number[] {
  const trimmed = sought.map((line) => line.trim());
  const longest = trimmed.reduce((best, line, index) => (line.length > (trimmed[best] ?? '').length ? index : best), 0);
  const anchor = bigramsOf(trimmed[longest] ?? '');
  return lines
    .map((line, index) => ({ start: index - longest, similarity: likeness(anchor, bigramsOf(line.trim())) }))
    .filter(({ start, similarity }) => similarity > 0 && start >= 0)
    .sort((left, right) => right.similarity - left.similarity || left.start - right.start)
    .slice(0, MAX_CANDIDATES)
    .map(({ start }) => start);
}

/** 1 for equal lines, 0 for lines that share nothing; the mean over the window. */
function windowSimilarity(lines: readonly string[], sought: readonly string[], start: number): number {
  const sum = sought.reduce((total, line, index) => {
    const found = lines[start + index];
    if (found === undefined) return total;
    if (found === line) return total + 1;
    return total + 0.95 * likeness(bigramsOf(found.trim()), bigramsOf(line.trim()));
  }, 0);
  return sum / sought.length;
}

/** How many characters have to change in the window, judged by the beginning of its lines. */
function windowDistance(lines: readonly string[], sought: readonly string[], start: number): number {
  return sought.reduce((total, line, index) => {
    const found = lines[start + index] ?? '';
    if (found === line) return total;
    return total + leven(found.slice(0, MEASURED_LINE_LENGTH), line.slice(0, MEASURED_LINE_LENGTH));
  }, 0);
}

function bigramsOf(text: string): ReadonlySet<string> {
  if (text.length < 2) return new Set([text]);
  return new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)));
}

/** Dice's coefficient: which part of both sets is common. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of left) if (right.has(pair)) common++;
  return (2 * common) / (left.size + right.size);
}

function firstDifference(
  window: readonly string[],
  sought: readonly string[],
  firstLine: number,
): NearestWindow['difference'] {
  const differing = sought.findIndex((line, index) => line !== window[index]);
  const index = differing < 0 ? sought.length - 1 : differing;
  const found = [...(window[index] ?? '')];
  const wanted = [...(sought[index] ?? '')];
  const parts = found.findIndex((character, column) => character !== wanted[column]);
  const column = parts < 0 ? Math.min(found.length, wanted.length) : parts;
  return { line: firstLine + index, column: column + 1, found: found[column] ?? '', wanted: wanted[column] ?? '' };
}

function withoutWhitespace(text: string): string {
  return text.replace(/\s+/g, '');
}
