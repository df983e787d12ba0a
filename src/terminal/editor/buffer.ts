import { clusters } from '../../text/width.ts';

/** A text of one or more lines and the place of the cursor in it, in UTF-16 units, never within a character. */
export interface Buffer {
  readonly text: string;
  readonly cursor: number;
}

/** A buffer with the cursor at the end of its text. */
export const atEnd = (text: string): Buffer => ({ text, cursor: text.length });

/** Inserts text at the cursor, which then follows it. */
export function insert({ text, cursor }: Buffer, inserted: string): Buffer {
  return { text: text.slice(0, cursor) + inserted + text.slice(cursor), cursor: cursor + inserted.length };
}

/** Replaces the text between two places; the cursor then follows the new text. */
export function replace({ text }: Buffer, from: number, to: number, inserted: string): Buffer {
  return { text: text.slice(0, from) + inserted + text.slice(to), cursor: from + inserted.length };
}

/** The place one character before another. */
export function previous(text: string, place: number): number {
  // The start of the line is the start of a character, so that a long text is not taken apart for each key.
  const start = text.lastIndexOf('\n', place - 2) + 1;
  const last = clusters(text.slice(start, place)).at(-1);
  return place - (last?.length ?? 0);
}

/** A mark that was typed after its letter: a vowel or a tone of Thai, an accent; not a part of an emoji. */
const TYPED_MARK = /^(?!\p{Extended_Pictographic}|[#*\d]).+\p{M}$/su;

/** The place before what was typed last at a place: a character, or only its last mark. */
export function previousTyped(text: string, place: number): number {
  const start = previous(text, place);
  const character = text.slice(start, place);
  return TYPED_MARK.test(character) ? place - ([...character].at(-1)?.length ?? 0) : start;
}

/** The place one character after another. */
export function next(text: string, place: number): number {
  if (text[place] === '\n') return place + 1;
  const [first = ''] = clusters(text.slice(place, lineEnd(text, place)));
  return place + first.length;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

export function wordStart(text: string, place: number): number {
  let start = place;
  while (start > 0 && !WORD.test(characterBefore(text, start))) start -= characterBefore(text, start).length;
  while (start > 0 && WORD.test(characterBefore(text, start))) start -= characterBefore(text, start).length;
  return start;
}

export function wordEnd(text: string, place: number): number {
  let end = place;
  while (end < text.length && !WORD.test(characterAt(text, end))) end += characterAt(text, end).length;
  while (end < text.length && WORD.test(characterAt(text, end))) end += characterAt(text, end).length;
  return end;
}

/** The place after the white space before the word before a place: what Ctrl-W removes. */
export function spaceStart(text: string, place: number): number {
  return place - (/\S*\s*$/.exec(text.slice(0, place))?.[0].length ?? 0);
}

export function lineStart(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;
}

/** The end of the line of a place, before its line feed. */
export function lineEnd(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return end < 0 ? text.length : end;
}

/** The buffer with the cursor in the line above or below, or `undefined` if there is none. */
export function moveLine({ text, cursor }: Buffer, direction: 'up' | 'down'): Buffer | undefined {
  const start = lineStart(text, cursor);
  const edge = direction === 'up' ? start - 1 : lineEnd(text, cursor) + 1;
  if (edge < 0 || edge > text.length) return undefined;
  const target = lineStart(text, edge);
  const column = clusters(text.slice(start, cursor)).length;
  const passed = clusters(text.slice(target, lineEnd(text, edge))).slice(0, column);
  return { text, cursor: target + passed.join('').length };
}

/** The buffer with the two characters around the cursor exchanged, at the end of a line the two before it. */
export function transpose({ text, cursor }: Buffer): Buffer {
  const middle = cursor === lineEnd(text, cursor) ? previous(text, cursor) : cursor;
  const from = previous(text, middle);
  const to = next(text, middle);
  if (from < lineStart(text, cursor) || from === middle) return { text, cursor };
  return replace({ text, cursor }, from, to, text.slice(middle, to) + text.slice(from, middle));
}

function characterAt(text: string, place: number): string {
  return String.fromCodePoint(text.codePointAt(place) ?? 0);
}

function characterBefore(text: string, place: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text[place - 1] ?? '') && /[\uD800-\uDBFF]/.test(text[place - 2] ?? '');
  return text.slice(place - (isPair ? 2 : 1), place);
}
