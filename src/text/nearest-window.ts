import leven from 'leven';
import { splitKeepingEndings } from './line-endings.ts';
import { truncateLine, truncateLines } from './truncate.ts';

/** The lines of a text that are most similar to the wanted ones. Lines and columns count from 1. */
export interface NearestWindow {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** True if the two differ only in spaces, tabs and line endings. */
  readonly onlyWhitespace: boolean;
  /** The first difference, with the character on each side: LF at a line end, empty at the end of the text. */
  readonly difference: {
    readonly line: number;
    readonly column: number;
    readonly found: string;
    readonly wanted: string;
  };
}

/** A window with a lower similarity (0 to 1) is not helpful. */
const MIN_SIMILARITY = 0.4;

/** The number of windows that are compared line by line. They are selected by a single line. */
const MAX_CANDIDATES = 40;

/** Limits of the comparison by character, which takes quadratic time: windows, and characters of each line. */
const MAX_MEASURED_WINDOWS = 5;
const MAX_MEASURED_LINE_LENGTH = 200;

const MAX_SHOWN_LINES = 20;
const MAX_SHOWN_LINE_LENGTH = 300;

/**
 * The window of `content` that is most similar to `wanted`, the first one if several are; `undefined` if none is
 * similar. LF in `wanted` equals CRLF unless `wanted` contains a CR itself.
 */
export function findNearestWindow(content: string, wanted: string): NearestWindow | undefined {
  const lines = splitKeepingEndings(wanted.includes('\r') ? content : content.replaceAll('\r\n', '\n'));
  const wantedLines = splitKeepingEndings(wanted);
  const nearest = candidateStarts(lines, wantedLines)
    .map((start) => ({ start, similarity: windowSimilarity(lines, wantedLines, start) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((left, right) => right.similarity - left.similarity || left.start - right.start)
    .slice(0, MAX_MEASURED_WINDOWS)
    .map(({ start }) => ({ start, distance: windowDistance(lines, wantedLines, start) }));
  const [best] = nearest.sort((left, right) => left.distance - right.distance || left.start - right.start);
  if (best === undefined) return undefined;
  const window = lines.slice(best.start, best.start + wantedLines.length);
  return {
    firstLine: best.start + 1,
    lines: window.map((line) => line.replace(/\n$/, '')),
    onlyWhitespace: withoutWhitespace(window.join('')) === withoutWhitespace(wanted),
    difference: firstDifference(window, wantedLines, best.start + 1),
  };
}

/** A line with visible whitespace: `→` for a tab, `·` for a space, `␍` for a CR, a code for other whitespace. */
export function showWhitespace(line: string): string {
  return line.replace(/\s/g, (character) => {
    if (character === ' ') return '·';
    if (character === '\t') return '→';
    if (character === '\r') return '␍';
    return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Renders a window as numbered lines with visible whitespace. Long windows and lines are truncated. */
export function showWindow(window: NearestWindow): string {
  const lines = window.lines.map((line, index) => {
    return `${window.firstLine + index}\t${truncateLine(showWhitespace(line), MAX_SHOWN_LINE_LENGTH)}`;
  });
  return truncateLines(lines, MAX_SHOWN_LINES).join('\n');
}

/** Indexes of lines where the window may start, found by the longest wanted line, which is the most distinctive. */
function candidateStarts(lines: readonly string[], wantedLines: readonly string[]): readonly number[] {
  const trimmed = wantedLines.map((line) => line.trim());
  const longest = trimmed.reduce((best, line, index) => (line.length > (trimmed[best] ?? '').length ? index : best), 0);
  const anchor = bigramsOf(trimmed[longest] ?? '');
  return lines
    .map((line, index) => ({ start: index - longest, similarity: similarityOf(anchor, bigramsOf(line.trim())) }))
    .filter(({ start, similarity }) => similarity > 0 && start >= 0)
    .sort((left, right) => right.similarity - left.similarity || left.start - right.start)
    .slice(0, MAX_CANDIDATES)
    .map(({ start }) => start);
}

/** The mean similarity of the lines of a window: 1 for equal lines, 0 for lines that share nothing. */
function windowSimilarity(lines: readonly string[], wantedLines: readonly string[], start: number): number {
  const sum = wantedLines.reduce((total, line, index) => {
    const found = lines[start + index];
    if (found === undefined) return total;
    if (found === line) return total + 1;
    return total + 0.95 * similarityOf(bigramsOf(found.trim()), bigramsOf(line.trim()));
  }, 0);
  return sum / wantedLines.length;
}

/** The edit distance between a window and the wanted lines, measured on the start of each line. */
function windowDistance(lines: readonly string[], wantedLines: readonly string[], start: number): number {
  return wantedLines.reduce((total, line, index) => {
    const found = lines[start + index] ?? '';
    if (found === line) return total;
    return total + leven(found.slice(0, MAX_MEASURED_LINE_LENGTH), line.slice(0, MAX_MEASURED_LINE_LENGTH));
  }, 0);
}

function bigramsOf(text: string): ReadonlySet<string> {
  if (text.length < 2) return new Set([text]);
  return new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)));
}

/** Dice's coefficient of two sets: 1 for equal sets, 0 for disjoint ones. */
function similarityOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of left) if (right.has(pair)) common++;
  return (2 * common) / (left.size + right.size);
}

function firstDifference(
  window: readonly string[],
  wantedLines: readonly string[],
  firstLine: number,
): NearestWindow['difference'] {
  const differing = wantedLines.findIndex((line, index) => line !== window[index]);
  const index = differing < 0 ? wantedLines.length - 1 : differing;
  const found = [...(window[index] ?? '')];
  const wanted = [...(wantedLines[index] ?? '')];
  const parts = found.findIndex((character, column) => character !== wanted[column]);
  const column = parts < 0 ? Math.min(found.length, wanted.length) : parts;
  return { line: firstLine + index, column: column + 1, found: found[column] ?? '', wanted: wanted[column] ?? '' };
}

function withoutWhitespace(text: string): string {
  return text.replace(/\s+/g, '');
}
