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
 * All matches of `wanted` in `content` in order, overlapping ones included. A match is exact except for line endings: LF
 * in `wanted` also matches CRLF, unless `wanted` contains a CR itself.
 */
export function findExact(content: string, wanted: string): readonly TextRange[] {
  if (wanted === '') return [];
  if (wanted.includes('\r') || !content.includes('\r\n')) {
    return indexesOf(content, wanted).map((start) => ({ start, end: start + wanted.length }));
  }
  const unified = content.replaceAll('\r\n', '\n');
  const origin = originOf(content);
  return indexesOf(unified, wanted).map((start) => ({ start: origin(start), end: origin(start + wanted.length) }));
}

const LONE_FEED = /(?<!\r)\n/;
const LONE_FEEDS = /(?<!\r)\n/g;

/** The ranges without those that overlap an earlier one. */
export function withoutOverlaps(ranges: readonly TextRange[]): readonly TextRange[] {
  let end = 0;
  return ranges.filter((range) => {
    const isFree = range.start >= end;
    if (isFree) end = range.end;
    return isFree;
  });
}

/**
 * The changes that put `replacement` at each of `ranges`, which are in order. A common start or end of the old and the
 * new text is not touched, so that its line endings stay as they are. New line endings are those of the replaced lines
 * or of the lines around them.
 */
export function spliceAll(content: string, ranges: readonly TextRange[], replacement: string): readonly Splice[] {
  const endingAround = createEndingFinder(content);
  return ranges.map((range) => spliceAt(content, range, replacement, endingAround));
}

type FindEnding = (changed: TextRange, match: TextRange) => string;

function spliceAt(content: string, range: TextRange, replacement: string, endingAround: FindEnding): Splice {
  const matched = content.slice(range.start, range.end);
  const before = equalStart(matched, replacement);
  const after = equalEnd(matched.slice(before.old), replacement.slice(before.new));
  const start = range.start + before.old;
  const end = range.end - after.old;
  const changed = replacement.slice(before.new, replacement.length - after.new);
  const written = LONE_FEED.test(changed) ? changed.replace(LONE_FEEDS, endingAround({ start, end }, range)) : changed;
  return { start, end, replacement: written };
}

/** The length of a common start or end, in units of the old and of the new text: a CRLF may match an LF. */
interface EqualPart {
  readonly old: number;
  readonly new: number;
}

function equalStart(old: string, fresh: string): EqualPart {
  const equal = { old: 0, new: 0 };
  while (equal.old < old.length && equal.new < fresh.length) {
    const isLoneFeed = fresh[equal.new] === '\n' && fresh[equal.new - 1] !== '\r';
    const isBreak = isLoneFeed && old.startsWith('\r\n', equal.old);
    if (!isBreak && old[equal.old] !== fresh[equal.new]) break;
    equal.old += isBreak ? 2 : 1;
    equal.new += 1;
  }
  // A CRLF is not split, because its LF may change.
  const cutsBreak =
    equal.old > 0 && old[equal.old - 1] === '\r' && (old[equal.old] === '\n' || fresh[equal.new] === '\n');
  return cutsBreak ? { old: equal.old - 1, new: equal.new - 1 } : equal;
}

function equalEnd(old: string, fresh: string): EqualPart {
  const equal = { old: 0, new: 0 };
  while (equal.old < old.length && equal.new < fresh.length) {
    const [left, right] = [old.length - 1 - equal.old, fresh.length - 1 - equal.new];
    if (old[left] !== fresh[right]) break;
    const isBreak = old[left] === '\n' && old[left - 1] === '\r';
    const isSameBreak = isBreak && fresh[right - 1] === '\r';
    equal.old += isBreak ? 2 : 1;
    equal.new += isSameBreak ? 2 : 1;
  }
  return equal;
}

/**
 * Finds the line ending to write in a range: that of the changed part, of the match, of the next line, of the last
 * line. Ranges are passed in order, so that the content is scanned once, not once for each range.
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

/** The line ending whose LF is at `index`; nothing when `index` is outside the text. */
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
 * Maps an index in the text with LF alone to an index in the original content. An index at a line end maps to the
 * position before its CR. Indexes may be mapped in any order.
 */
function originOf(content: string): (index: number) => number {
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
