/** A range of a text, in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A range of a text and its replacement. */
export interface Splice extends TextRange {
  readonly replacement: string;
}

/**
 * All matches of `wanted` in `content`, in order and including overlapping ones. A match is exact except for line
 * endings: LF in `wanted` also matches CRLF, unless `wanted` contains a CR itself.
 */
export function findExact(content: string, wanted: string): readonly TextRange[] {
  if (wanted === '') return [];
  if (wanted.includes('\r') || !content.includes('\r\n')) {
    return indexesOf(content, wanted).map((start) => ({ start, end: start + wanted.length }));
  }
  const unified = content.replaceAll('\r\n', '\n');
  const originalIndex = createIndexMap(content);
  return indexesOf(unified, wanted).map((start) => ({
    start: originalIndex(start),
    end: originalIndex(start + wanted.length),
  }));
}

const LONE_LINE_FEED = /(?<!\r)\n/;
const LONE_LINE_FEEDS = /(?<!\r)\n/g;

/** Removes the ranges that overlap an earlier one. */
export function withoutOverlaps(ranges: readonly TextRange[]): readonly TextRange[] {
  let end = 0;
  return ranges.filter((range) => {
    const isFree = range.start >= end;
    if (isFree) end = range.end;
    return isFree;
  });
}

/**
 * The changes that put `replacement` at each of `ranges`, which must be in order. A common prefix or suffix of the old
 * and the new text is left alone, so that its line endings are kept. New lines get the line endings of the replaced
 * lines or of the lines around them.
 */
export function spliceAll(content: string, ranges: readonly TextRange[], replacement: string): readonly Splice[] {
  const endingAround = createEndingFinder(content);
  return ranges.map((range) => spliceAt(content, range, replacement, endingAround));
}

type FindEnding = (changed: TextRange, match: TextRange) => string;

function spliceAt(content: string, range: TextRange, replacement: string, endingAround: FindEnding): Splice {
  const matched = content.slice(range.start, range.end);
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

function indexesOf(content: string, wanted: string): readonly number[] {
  const indexes: number[] = [];
  for (let index = content.indexOf(wanted); index >= 0; index = content.indexOf(wanted, index + 1)) indexes.push(index);
  return indexes;
}

/**
 * Creates a function that maps an index in the text with LF only to an index in the original content. An index at a
 * line end maps to the position before its CR. Indexes may be mapped in any order.
 */
function createIndexMap(content: string): (index: number) => number {
  const breaks: number[] = [];
  for (let index = content.indexOf('\r\n'); index >= 0; index = content.indexOf('\r\n', index + 2)) {
    breaks.push(index - breaks.length);
  }
  return (index) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  };
}
