import type { Timing } from '../scenario/format/timing-format.ts';

/** The part of a reply that a piece of a stream belongs to. */
export type PieceKind = 'reasoning' | 'text' | 'arguments';

/** Splits a text into the pieces of a stream, which join to the same text. No character is cut. */
export type SplitPieces = (text: string, kind: PieceKind) => readonly string[];

const CHARACTERS_PER_TOKEN = 4;

/** The default pieces of a stream. */
export const splitIntoWords: SplitPieces = (text) => splitText(text);

const UNITS: Readonly<Record<NonNullable<Timing['chunk']>['by'], (text: string) => readonly string[]>> = {
  characters: (text) => [...text],
  words: (text) => splitText(text, Number.POSITIVE_INFINITY),
  tokens: (text) => splitText(text, CHARACTERS_PER_TOKEN),
};

/** The splitter for the chunks that a step demands. */
export function splitterOf(chunk: Timing['chunk']): SplitPieces {
  if (chunk === undefined) return splitIntoWords;
  const { by, size = 1 } = chunk;
  return (text) => group(UNITS[by](text), size);
}

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

/** Cuts a text into words with the space before them, and long words into pieces of `maxLength` characters. */
export function splitText(text: string, maxLength = 24): string[] {
  const words = text.match(/\s*\S+|\s+$/gu) ?? [];
  // Most texts have no long word, and flatMap takes twice as long as the search for words.
  if (words.every((word) => word.length <= maxLength)) return words;
  return words.flatMap((word) => (word.length > maxLength ? group([...word], maxLength) : word));
}
