import { CHARACTERS_PER_STEP, LINES_PER_STEP, type Steps } from '../steps.ts';
import { NumberList } from './number-list.ts';

const LINE_FEED = 0x0a;

/** A text and the indexes at which its lines start, followed by its length. */
export interface IndexedText {
  readonly text: string;
  readonly starts: NumberList;
  readonly count: number;
}

/** Lines that are replaced by others. Indexes count from 0; the ends are exclusive. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Finds the lines of a text. A line includes its line feed. */
export function* indexLines(text: string): Steps<IndexedText> {
  const starts = new NumberList();
  if (text !== '') starts.add(0);
  for (let index = 0; index < text.length; index++) {
    if (index % CHARACTERS_PER_STEP === CHARACTERS_PER_STEP - 1) yield;
    if (text.charCodeAt(index) === LINE_FEED && index < text.length - 1) starts.add(index + 1);
  }
  const count = starts.length;
  starts.add(text.length);
  return { text, starts, count };
}

/** One line with its ending; empty past the end of the text. */
export function lineAt({ text, starts }: IndexedText, index: number): string {
  return text.slice(starts.at(index), starts.at(index + 1));
}

/** Longer texts are not compared line by line: everything between their common start and end counts as changed. */
const MAX_COMPARED_LINES = 200_000;

/** A diff of more changed lines need not be the shortest one, because finding that takes quadratic time. */
const MAX_CHANGED_LINES = 1_000;
const COMPARISONS_PER_STEP = 2 ** 17;

/**
 * The changes between two texts, in order, with at least one equal line between any two of them. The shortest ones are
 * found if the texts do not differ too much; otherwise the changes may include equal lines. Takes linear time.
 */
export function* diffLines(before: IndexedText, after: IndexedText): Steps<readonly LineChange[]> {
  let start = 0;
  let [oldEnd, newEnd] = [before.count, after.count];
  for (; start < oldEnd && start < newEnd && isSameLine(before, start, after, start); start++) {
    if (start % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
  }
  for (; oldEnd > start && newEnd > start && isSameLine(before, oldEnd - 1, after, newEnd - 1); oldEnd--, newEnd--) {
    if (oldEnd % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
  }
  if (oldEnd === start && newEnd === start) return [];
  const everything = { oldStart: start, oldEnd, newStart: start, newEnd };
  if (oldEnd === start || newEnd === start || oldEnd + newEnd - 2 * start > MAX_COMPARED_LINES) return [everything];
  const ids = new Map<string, number>();
  const oldIds = yield* idsOf(before, start, oldEnd, ids);
  const newIds = yield* idsOf(after, start, newEnd, ids);
  const changes = yield* shortestChanges(oldIds, newIds);
  if (changes === undefined) return [everything];
  return changes.map((change) => ({
    oldStart: change.oldStart + start,
    oldEnd: change.oldEnd + start,
    newStart: change.newStart + start,
    newEnd: change.newEnd + start,
  }));
}

function isSameLine(left: IndexedText, leftIndex: number, right: IndexedText, rightIndex: number): boolean {
  return lineAt(left, leftIndex) === lineAt(right, rightIndex);
}

/** A number for each line; equal lines have equal numbers, which are quicker to compare. */
function* idsOf(indexed: IndexedText, start: number, end: number, ids: Map<string, number>): Steps<Int32Array> {
  const result = new Int32Array(end - start);
  for (let index = start; index < end; index++) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    const line = lineAt(indexed, index);
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    result[index - start] = id;
  }
  return result;
}

const UNREACHED = -1;

/**
 * The shortest changes by the algorithm of Myers ("An O(ND) Difference Algorithm and Its Variations", 1986);
 * `undefined` if they change more than 1,000 lines. A diagonal is an old position minus a new position.
 */
function* shortestChanges(oldIds: Int32Array, newIds: Int32Array): Steps<readonly LineChange[] | undefined> {
  const size = { old: oldIds.length, new: newIds.length };
  const limit = Math.min(size.old + size.new, MAX_CHANGED_LINES);
  const offset = limit + 1;
  /** The old position that the best path with the current number of edits has reached on each diagonal. */
  const reached = new Int32Array(2 * limit + 3).fill(UNREACHED);
  // The path without edits starts at position 0, as if after an insertion.
  reached[offset + 1] = 0;
  const history: Int32Array[] = [];
  let unpaused = 0;
  for (let edits = 0; edits <= limit; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let position = positionAfter(lastEdit(reached, offset + diagonal, diagonal, size), reached, offset + diagonal);
      const from = position;
      while (position !== UNREACHED && isEqual(oldIds, position, newIds, position - diagonal)) position++;
      reached[offset + diagonal] = position;
      if (position === size.old && position - diagonal === size.new) return traceBack(history, edits, size);
      unpaused += 1 + position - from;
      if (unpaused < COMPARISONS_PER_STEP) continue;
      unpaused = 0;
      yield;
    }
    history.push(reached.slice(offset - edits - 1, offset + edits + 2));
  }
  return undefined;
}

interface Size {
  readonly old: number;
  readonly new: number;
}

function isEqual(oldIds: Int32Array, oldIndex: number, newIds: Int32Array, newIndex: number): boolean {
  return oldIndex < oldIds.length && newIndex < newIds.length && oldIds[oldIndex] === newIds[newIndex];
}

/** The edit that leads to a diagonal, at `index` of `reached`; `undefined` if it cannot be reached with one more edit. */
function lastEdit(
  reached: Int32Array,
  index: number,
  diagonal: number,
  size: Size,
): 'insertion' | 'deletion' | undefined {
  const deleting = reached[index - 1] ?? UNREACHED;
  const inserting = reached[index + 1] ?? UNREACHED;
  const mayDelete = deleting !== UNREACHED && deleting < size.old;
  const mayInsert = inserting !== UNREACHED && inserting - diagonal <= size.new;
  if (mayInsert && (!mayDelete || deleting < inserting)) return 'insertion';
  return mayDelete ? 'deletion' : undefined;
}

function positionAfter(edit: ReturnType<typeof lastEdit>, reached: Int32Array, index: number): number {
  if (edit === undefined) return UNREACHED;
  return edit === 'insertion' ? (reached[index + 1] ?? UNREACHED) : (reached[index - 1] ?? UNREACHED) + 1;
}

/** The changes along the path that the search has found, from its end to its start, in order. */
function traceBack(history: readonly Int32Array[], found: number, size: Size): readonly LineChange[] {
  const changes: LineChange[] = [];
  let diagonal = size.old - size.new;
  for (let edits = found; edits > 0; edits--) {
    const reached = history[edits - 1] ?? new Int32Array(0);
    // The entry of diagonal 0 is in the middle.
    const index = diagonal + edits;
    const edit = lastEdit(reached, index, diagonal, size);
    const position = positionAfter(edit, reached, index);
    const change =
      edit === 'insertion'
        ? { oldStart: position, oldEnd: position, newStart: position - diagonal - 1, newEnd: position - diagonal }
        : { oldStart: position - 1, oldEnd: position, newStart: position - diagonal, newEnd: position - diagonal };
    const next = changes.at(-1);
    if (next !== undefined && next.oldStart === change.oldEnd && next.newStart === change.newEnd) {
      changes[changes.length - 1] = { ...next, oldStart: change.oldStart, newStart: change.newStart };
    } else {
      changes.push(change);
    }
    diagonal += edit === 'insertion' ? 1 : -1;
  }
  return changes.reverse();
}
