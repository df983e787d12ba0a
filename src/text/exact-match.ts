/** A part of a text: from `start` up to, not including, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A part of a text and what comes in its place. */
export interface Splice extends TextRange {
  readonly replacement: string;
}

/**
 * Every place where `wanted` stands in `content`, overlapping ones too, in order. A match is exact but for line
 * endings: LF in `wanted` stands for CRLF as well. A `wanted` that holds a CR itself is taken to the letter.
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

/** The ranges that are left when each one that overlaps an earlier one is dropped. */
export function withoutOverlaps(ranges: readonly TextRange[]): readonly TextRange[] {
  let end = 0;
  return ranges.filter((range) => {
    const isFree = range.start >= end;
    if (isFree) end = range.end;
    return isFree;
  });
}

/**
 * What has to change so that `replacement` stands at each of `ranges`, which are in order. What both begin or end with
 * is not touched, so its line endings stay whatever they are; new line ends are those of the lines that are replaced,
 * or of the lines around.
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

/** How many units at an end are equal, counted in the old text and in the new one: CRLF there is LF here. */
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
  // Half of a CRLF is not an equal part: what follows its CR may become something else than its LF.
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
 * Finds the line ending to write at a place: of the part that changes, of the match, of the line after, of the line
 * before. Places are asked for in order, so that the content is gone through once, not once for each place.
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

/** The ending whose LF is at `index`; nothing when there is no such place. */
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
 * Where an index of the text with LF alone lies in the content it was made from; an index at a line end lies before
 * its CR. Indexes are to be asked in any order.
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
