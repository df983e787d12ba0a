import leven from 'leven';
import { LINES_PER_STEP, type Steps } from '../steps.ts';
import { truncateLine, truncateLines } from '../truncate.ts';
import { type IndexedText, indexLines, lineAt } from './line-diff.ts';

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

/** Limits of the comparison of two windows: their lines, and the characters of each line. */
const MAX_COMPARED_LINES = 200;
const MAX_COMPARED_LINE_LENGTH = 2_000;

/** Limits of the comparison by character, which takes quadratic time: windows, and characters of each line. */
const MAX_MEASURED_WINDOWS = 5;
const MAX_MEASURED_LINE_LENGTH = 200;

/** Longer windows are not compared without their whitespace. */
const MAX_WHITESPACE_LENGTH = 200_000;

const MAX_SHOWN_LINES = 20;
const MAX_SHOWN_LINE_LENGTH = 300;

/** The lines of a file and the wanted ones. */
interface Comparison {
  readonly content: IndexedText;
  readonly wanted: readonly string[];
  /** A line of the file, with an ending like those of the wanted lines. */
  lineAt(index: number): string;
}

interface Candidate {
  readonly start: number;
  readonly similarity: number;
}

/**
 * The window of `content` that is most similar to `wanted`, the first one if several are; `undefined` if none is
 * similar. LF in `wanted` equals CRLF unless `wanted` contains a CR itself. Takes linear time.
 */
export function* findNearestWindow(content: string, wanted: string): Steps<NearestWindow | undefined> {
  const indexed = yield* indexLines(content);
  const indexedWanted = yield* indexLines(wanted);
  const keepsCr = wanted.includes('\r');
  const comparison: Comparison = {
    content: indexed,
    wanted: Array.from({ length: indexedWanted.count }, (_, index) => lineAt(indexedWanted, index)),
    lineAt(index) {
      const line = lineAt(indexed, index);
      return !keepsCr && line.endsWith('\r\n') ? `${line.slice(0, -2)}\n` : line;
    },
  };
  const similar: Candidate[] = [];
  for (const start of yield* candidateStarts(comparison)) {
    yield;
    const similarity = windowSimilarity(comparison, start);
    if (similarity >= MIN_SIMILARITY) insertCandidate(similar, { start, similarity }, MAX_MEASURED_WINDOWS);
  }
  let best: { readonly start: number; readonly distance: number } | undefined;
  for (const { start } of similar) {
    yield;
    const distance = windowDistance(comparison, start);
    const isBetter =
      best === undefined || distance < best.distance || (distance === best.distance && start < best.start);
    if (isBetter) best = { start, distance };
  }
  return best === undefined ? undefined : describeWindow(comparison, best.start, wanted);
}

function describeWindow(comparison: Comparison, start: number, wanted: string): NearestWindow {
  const end = Math.min(start + comparison.wanted.length, comparison.content.count);
  const window = Array.from({ length: end - start }, (_, index) => comparison.lineAt(start + index));
  return {
    firstLine: start + 1,
    lines: window.map((line) => (line.endsWith('\n') ? line.slice(0, -1) : line)),
    onlyWhitespace: isOnlyWhitespace(window.join(''), wanted),
    difference: firstDifference(window, comparison.wanted, start + 1),
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
function* candidateStarts({ content, wanted, lineAt: contentLine }: Comparison): Steps<readonly number[]> {
  const trimmed = wanted.map((line) => line.slice(0, MAX_COMPARED_LINE_LENGTH).trim());
  const longest = trimmed.reduce((best, line, index) => (line.length > (trimmed[best] ?? '').length ? index : best), 0);
  const anchor = pairsOf(trimmed[longest] ?? '');
  const candidates: Candidate[] = [];
  let unpaused = 0;
  for (let index = longest; index < content.count; index++) {
    const line = contentLine(index).slice(0, MAX_COMPARED_LINE_LENGTH).trim();
    const similarity = similarityTo(anchor, line);
    if (similarity > 0) insertCandidate(candidates, { start: index - longest, similarity }, MAX_CANDIDATES);
    unpaused += 1 + line.length / CHARACTERS_PER_LINE;
    if (unpaused < LINES_PER_STEP) continue;
    unpaused = 0;
    yield;
  }
  return candidates.map(({ start }) => start);
}

/** The length of a line that takes twice the time of an empty one. */
const CHARACTERS_PER_LINE = 8;

/** Inserts a candidate into the best ones, in order of similarity and then of arrival, and drops the last. */
function insertCandidate(best: Candidate[], candidate: Candidate, limit: number): void {
  const worse = best.findIndex(({ similarity }) => similarity < candidate.similarity);
  if (worse === -1 && best.length >= limit) return;
  best.splice(worse === -1 ? best.length : worse, 0, candidate);
  best.length = Math.min(best.length, limit);
}

/** The mean similarity of the lines of a window: 1 for equal lines, 0 for lines that share nothing. */
function windowSimilarity({ content, wanted, lineAt: contentLine }: Comparison, start: number): number {
  const compared = wanted.slice(0, MAX_COMPARED_LINES);
  const sum = compared.reduce((total, line, index) => {
    if (start + index >= content.count) return total;
    const found = contentLine(start + index);
    if (found === line) return total + 1;
    const [left, right] = [found, line].map((text) => text.slice(0, MAX_COMPARED_LINE_LENGTH).trim());
    return total + 0.95 * similarityTo(pairsOf(left ?? ''), right ?? '');
  }, 0);
  return sum / compared.length;
}

/** The edit distance between a window and the wanted lines, measured on the start of each line. */
function windowDistance({ content, wanted, lineAt: contentLine }: Comparison, start: number): number {
  return wanted.slice(0, MAX_COMPARED_LINES).reduce((total, line, index) => {
    const found = start + index < content.count ? contentLine(start + index) : '';
    if (found === line) return total;
    return total + leven(found.slice(0, MAX_MEASURED_LINE_LENGTH), line.slice(0, MAX_MEASURED_LINE_LENGTH));
  }, 0);
}

/** The pairs of adjacent characters of a text, as numbers; a text with less than two characters is its own pair. */
function pairsOf(text: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  for (let index = 0; index < Math.max(1, text.length - 1); index++) pairs.add(pairAt(text, index));
  return pairs;
}

function pairAt(text: string, index: number): number {
  return codeAt(text, index) * 0x1_0001 + codeAt(text, index + 1);
}

/** The code of a character plus 1; 0 after the end of the text. */
function codeAt(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) + 1 : 0;
}

/** Dice's coefficient of the pairs of two texts: 1 for equal texts, 0 for texts that share nothing. */
function similarityTo(pairs: ReadonlySet<number>, text: string): number {
  const others = pairsOf(text);
  let common = 0;
  for (const pair of others) if (pairs.has(pair)) common++;
  return (2 * common) / (pairs.size + others.size);
}

function firstDifference(
  window: readonly string[],
  wantedLines: readonly string[],
  firstLine: number,
): NearestWindow['difference'] {
  const differing = wantedLines.findIndex((line, index) => line !== window[index]);
  const index = differing < 0 ? wantedLines.length - 1 : differing;
  const [found = '', wanted = ''] = [window[index], wantedLines[index]];
  let column = 0;
  let at = 0;
  for (; at < Math.max(found.length, wanted.length); column++) {
    const character = characterAt(found, at);
    if (character !== characterAt(wanted, at)) break;
    at += character.length;
  }
  return {
    line: firstLine + index,
    column: column + 1,
    found: characterAt(found, at),
    wanted: characterAt(wanted, at),
  };
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** True if two texts differ only in whitespace; false for very long texts. */
function isOnlyWhitespace(found: string, wanted: string): boolean {
  if (found.length > MAX_WHITESPACE_LENGTH || wanted.length > MAX_WHITESPACE_LENGTH) return false;
  return found.replace(/\s+/g, '') === wanted.replace(/\s+/g, '');
}
