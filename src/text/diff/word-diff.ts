import { runAtOnce } from '../steps.ts';
import { diffLines, type IndexedText, lineAt } from './line-diff.ts';
import { NumberList } from './number-list.ts';

/** A part of a text; `changed`: the other version of the text does not have it. */
export interface ChangedPart {
  readonly text: string;
  readonly changed: boolean;
}

/** The parts of two versions of a text, in order. */
export interface WordChanges {
  readonly before: readonly ChangedPart[];
  readonly after: readonly ChangedPart[];
}

/** Longer texts are not compared. */
const MAX_LENGTH = 20_000;

/** Minimum part of the longer text that both versions have. With less, almost all of it would be marked. */
const MIN_SHARE = 0.4;

/** The words that differ between two versions of a text; `undefined` if the texts are long or have little in common. */
export function diffWords(before: string, after: string): WordChanges | undefined {
  if (Math.max(before.length, after.length) > MAX_LENGTH) return undefined;
  const oldWords = indexWords(before);
  const newWords = indexWords(after);
  const parts = { before: [] as ChangedPart[], after: [] as ChangedPart[] };
  let position = { old: 0, new: 0 };
  let kept = 0;
  const keep = (until: number) => {
    const text = textBetween(oldWords, position.old, until);
    if (text === '') return;
    kept += lettersIn(text);
    parts.before.push({ text, changed: false });
    parts.after.push({ text, changed: false });
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of runAtOnce(diffLines(oldWords, newWords))) {
    keep(oldStart);
    if (oldEnd > oldStart) parts.before.push({ text: textBetween(oldWords, oldStart, oldEnd), changed: true });
    if (newEnd > newStart) parts.after.push({ text: textBetween(newWords, newStart, newEnd), changed: true });
    position = { old: oldEnd, new: newEnd };
  }
  keep(oldWords.count);
  return kept < MIN_SHARE * Math.max(lettersIn(before), lettersIn(after)) ? undefined : parts;
}

/**
 * The rows of a unified diff in parts. `changed`: a removed or added row has the part, and the rows beside it that it
 * replaces, or that replace it, do not.
 */
export function diffRowWords(rows: readonly string[]): readonly (readonly ChangedPart[])[] {
  const shown: (readonly ChangedPart[])[] = [];
  for (let index = 0; index < rows.length; ) {
    const removed = runOf(rows, index, '-');
    const added = removed.length === 0 ? [] : runOf(rows, index + removed.length, '+');
    if (added.length > 0) {
      shown.push(...changedRows(removed, added));
      index += removed.length + added.length;
      continue;
    }
    // The names of a file are two such rows.
    const plain = rows.slice(index, index + Math.max(1, removed.length, isHeader(rows, index) ? 2 : 0));
    shown.push(...plain.map((text) => [{ text, changed: false }]));
    index += plain.length;
  }
  return shown;
}

/** The rows of a hunk with a sign that follow each other from an index on. */
function runOf(rows: readonly string[], start: number, sign: '-' | '+'): readonly string[] {
  let end = start;
  while (rows[end]?.startsWith(sign) === true && !isHeader(rows, end)) end += 1;
  return rows.slice(start, end);
}

/** True if the names of a file begin at an index. They look like a removed row and an added one. */
function isHeader(rows: readonly string[], index: number): boolean {
  return ['--- ', '+++ ', '@@ '].every((start, offset) => rows[index + offset]?.startsWith(start) === true);
}

/** Removed rows and the added ones that replace them. */
function changedRows(removed: readonly string[], added: readonly string[]): readonly (readonly ChangedPart[])[] {
  const textOf = (rows: readonly string[]) => rows.map((row) => row.slice(1)).join('\n');
  const changes = diffWords(textOf(removed), textOf(added));
  if (changes === undefined) return [...removed, ...added].map((text) => [{ text, changed: false }]);
  return [...rowsOf('-', changes.before), ...rowsOf('+', changes.after)];
}

/** The parts of a text as rows, each after its sign. */
function rowsOf(sign: '-' | '+', parts: readonly ChangedPart[]): readonly (readonly ChangedPart[])[] {
  let row: ChangedPart[] = [{ text: sign, changed: false }];
  const rows = [row];
  for (const { text, changed } of parts) {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) {
        row = [{ text: sign, changed: false }];
        rows.push(row);
      }
      if (line !== '') row.push({ text: line, changed });
    }
  }
  return rows;
}

/** The words of a text in the form of lines, which are compared in the same way. */
function indexWords(text: string): IndexedText {
  const starts = new NumberList();
  for (const { index } of text.matchAll(/[\p{L}\p{M}\p{N}_]+|\n|[^\S\n]+|./gu)) starts.add(index);
  const count = starts.length;
  starts.add(text.length);
  return { text, starts, count };
}

function textBetween(words: IndexedText, start: number, end: number): string {
  let text = '';
  for (let index = start; index < end; index += 1) text += lineAt(words, index);
  return text;
}

function lettersIn(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}
