import { NumberList } from '../number-list.ts';
import { runAtOnce } from '../steps.ts';
import { diffLines, type IndexedText, lineAt } from './line-diff.ts';

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
