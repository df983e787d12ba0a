import type { Timing } from '../scenario/timing-format.ts';

/** What a piece of a stream belongs to. */
export type PieceKind = 'reasoning' | 'text' | 'arguments';

/** Cuts a text into the pieces of a stream. Joined they are the text again; a character is never cut in two. */
export type SplitPieces = (text: string, kind: PieceKind) => readonly string[];

const CHARACTERS_PER_TOKEN = 4;

/** The pieces of a stream that nothing is said about. */
export const splitIntoWords: SplitPieces = (text) => splitText(text);

/** The pieces that a step asks for. */
export function splitterOf(chunk: Timing['chunk']): SplitPieces {
  if (chunk === undefined) return splitIntoWords;
  const { by, size = 1 } = chunk;
  switch (by) {
    case 'characters':
      return (text) => group([...text], size);
    case 'words':
      return (text) => group(splitText(text, Number.POSITIVE_INFINITY), size);
    case 'tokens':
      return (text) => group(splitText(text, CHARACTERS_PER_TOKEN), size);
    default:
      return by satisfies never;
  }
}

/** How many tokens a piece counts as. */
export function tokensPerPiece(chunk: Timing['chunk']): number {
  if (chunk === undefined) return 1;
  const { by, size = 1 } = chunk;
  return by === 'characters' ? size / CHARACTERS_PER_TOKEN : size;
}

function group(parts: readonly string[], size: number): string[] {
  if (size === 1) return [...parts];
  const groups: string[] = [];
  for (let start = 0; start < parts.length; start += size) groups.push(parts.slice(start, start + size).join(''));
  return groups;
}

const HIGH_SURROGATE = /[\uD800-\uDBFF]/;

/**
 * Cuts a text into the pieces that a stream sends one by one: words with the space before them, long ones at
 * `maxLength` characters. Joined they are the text again; a character is never cut in two.
 */
export function splitText(text: string, maxLength = 24): string[] {
  const words = text.match(/\s*\S+|\s+$/gu) ?? [];
  return words.some((word) => word.length > maxLength) ? words.flatMap((word) => cutWord(word, maxLength)) : words;
}

function cutWord(word: string, maxLength: number): string[] {
  const characters = HIGH_SURROGATE.test(word) ? [...word] : undefined;
  const length = characters?.length ?? word.length;
  const pieces: string[] = [];
  for (let start = 0; start < length; start += maxLength) {
    const end = start + maxLength;
    pieces.push(characters === undefined ? word.slice(start, end) : characters.slice(start, end).join(''));
  }
  return pieces;
}
