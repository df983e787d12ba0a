import { CHARACTERS_PER_STEP, type Steps } from '../steps.ts';
import { NumberList } from './number-list.ts';

/** A range of a text, in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Splice extends TextRange {
  readonly replacement: string;
}

/** The matches of a search, in order. A large file may have millions of them, so a range is created on demand. */
export interface Matches {
  readonly count: number;
  at(index: number): TextRange;
}

/**
 * All matches of `wanted` in `content`, including overlapping ones. A match is exact except for line endings: LF in
 * `wanted` also matches CRLF, unless `wanted` contains a CR itself. Takes linear time.
 */
export function* findExact(content: string, wanted: string): Steps<Matches> {
  const unifiesLineEnds = wanted.includes('\n') && !wanted.includes('\r');
  const { starts, breaks } = yield* search(content, wanted, unifiesLineEnds);
  return {
    count: starts.length,
    at(index) {
      const start = starts.at(index);
      return { start: originalIndex(breaks, start), end: originalIndex(breaks, start + wanted.length) };
    },
  };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface SearchResult {
  /** The index of each match. Where line ends are unified, a CRLF counts as one character. */
  readonly starts: NumberList;
  /** The index of each CRLF, counted in the same way; empty where line ends are not unified. */
  readonly breaks: NumberList;
}

/** Finds all matches by the algorithm of Knuth, Morris and Pratt, which is linear for every text. */
function* search(content: string, wanted: string, unifiesLineEnds: boolean): Steps<SearchResult> {
  const starts = new NumberList();
  const breaks = new NumberList();
  if (wanted === '') return { starts, breaks };
  const borders = yield* bordersOf(wanted);
  let matched = 0;
  let position = 0;
  for (let index = 0; index < content.length; index++) {
    if (index % CHARACTERS_PER_STEP === CHARACTERS_PER_STEP - 1) yield;
    const unit = content.charCodeAt(index);
    if (unifiesLineEnds && unit === CARRIAGE_RETURN && content.charCodeAt(index + 1) === LINE_FEED) {
      breaks.add(position);
      continue;
    }
    position++;
    matched = extend(wanted, borders, matched, unit);
    if (matched < wanted.length) continue;
    starts.add(position - wanted.length);
    matched = borders[matched - 1] ?? 0;
  }
  return { starts, breaks };
}

/** For each prefix of a text, the length of the longest shorter prefix that it ends with. */
function* bordersOf(text: string): Steps<Int32Array> {
  const borders = new Int32Array(text.length);
  let matched = 0;
  for (let index = 1; index < text.length; index++) {
    if (index % CHARACTERS_PER_STEP === CHARACTERS_PER_STEP - 1) yield;
    matched = extend(text, borders, matched, text.charCodeAt(index));
    borders[index] = matched;
  }
  return borders;
}

/** The length of the longest prefix of `wanted` that ends with `unit`, after a prefix of length `matched`. */
function extend(wanted: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return wanted.charCodeAt(length) === unit ? length + 1 : 0;
}

/**
 * Maps an index in a text whose CRLF count as one character to an index in the original text. An index at a line end
 * maps to the position before its CR.
 */
function originalIndex(breaks: NumberList, index: number): number {
  let low = 0;
  let high = breaks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (breaks.at(middle) < index) low = middle + 1;
    else high = middle;
  }
  return index + low;
}

const LINE_BREAK = /[\r\n]/;
const LONE_LINE_FEED = /(?<!\r)\n/;
const LONE_LINE_FEEDS = /(?<!\r)\n/g;

/**
 * Creates a function that returns the change which puts `replacement` at a match of `wanted`. The matches must be in
 * order and must not overlap. A common prefix or suffix of the old and the new text is left alone where lines end, so
 * that the line endings are kept. New lines get the line endings of the replaced lines or of the lines around them.
 */
export function createSplicer(content: string, wanted: string, replacement: string): (range: TextRange) => Splice {
  if (!LINE_BREAK.test(wanted) && !LINE_BREAK.test(replacement))
    return ({ start, end }) => ({ start, end, replacement });
  const endingAround = createEndingFinder(content);
  return (range) => spliceAt(content.slice(range.start, range.end), range, replacement, endingAround);
}

type FindEnding = (changed: TextRange, match: TextRange) => string;

function spliceAt(matched: string, range: TextRange, replacement: string, endingAround: FindEnding): Splice {
  const before = commonPrefix(matched, replacement);
  const after = commonSuffix(matched.slice(before.old), replacement.slice(before.new));
  const start = range.start + before.old;
  const end = range.end - after.old;
  const changed = replacement.slice(before.new, replacement.length - after.new);
  const written = LONE_LINE_FEED.test(changed)
    ? changed.replace(LONE_LINE_FEEDS, endingAround({ start, end }, range))
    : changed;
  return { start, end, replacement: written };
}

/** The length of a common prefix or suffix in both texts. The lengths differ where a CRLF matches an LF. */
interface CommonLength {
  readonly old: number;
  readonly new: number;
}

function commonPrefix(old: string, replacement: string): CommonLength {
  const common = { old: 0, new: 0 };
  while (common.old < old.length && common.new < replacement.length) {
    const isLoneLineFeed = replacement[common.new] === '\n' && replacement[common.new - 1] !== '\r';
    const isLineBreak = isLoneLineFeed && old.startsWith('\r\n', common.old);
    if (!isLineBreak && old[common.old] !== replacement[common.new]) break;
    common.old += isLineBreak ? 2 : 1;
    common.new += 1;
  }
  // Do not split a CRLF, because its LF may change.
  const splitsLineBreak =
    common.old > 0 && old[common.old - 1] === '\r' && (old[common.old] === '\n' || replacement[common.new] === '\n');
  return splitsLineBreak ? { old: common.old - 1, new: common.new - 1 } : common;
}

function commonSuffix(old: string, replacement: string): CommonLength {
  const common = { old: 0, new: 0 };
  while (common.old < old.length && common.new < replacement.length) {
    const [left, right] = [old.length - 1 - common.old, replacement.length - 1 - common.new];
    if (old[left] !== replacement[right]) break;
    const isLineBreak = old[left] === '\n' && old[left - 1] === '\r';
    const isSameLineBreak = isLineBreak && replacement[right - 1] === '\r';
    common.old += isLineBreak ? 2 : 1;
    common.new += isSameLineBreak ? 2 : 1;
  }
  return common;
}

/**
 * Creates a function that chooses the line ending to write in a range: that of the changed part, the match, the next
 * line or the last line, whichever exists first. Ranges must be passed in order, so that the content is scanned only
 * once.
 */
function createEndingFinder(content: string): FindEnding {
  let next = -1;
  const following = (index: number): string | undefined => {
    if (next < index) next = content.indexOf('\n', index);
    if (next < 0) next = Number.POSITIVE_INFINITY;
    return endingAt(content, next);
  };
  const last = endingAt(content, content.lastIndexOf('\n')) ?? '\n';
  return (changed, match) => {
    const part = content.slice(changed.start, changed.end);
    const whole = content.slice(match.start, match.end);
    return (
      endingAt(part, part.indexOf('\n')) ?? endingAt(whole, whole.lastIndexOf('\n')) ?? following(match.end) ?? last
    );
  };
}

/** The line ending whose LF is at `index`; `undefined` if `index` is outside the text. */
function endingAt(text: string, index: number): string | undefined {
  if (index < 0 || index >= text.length) return undefined;
  return text[index - 1] === '\r' ? '\r\n' : '\n';
}
