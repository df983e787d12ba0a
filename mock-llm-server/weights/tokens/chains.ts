import { byteLevel } from './byte-level.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Usual length of a piece in characters, and the number of pieces from which pieces of an answer become longer. */
const PIECE_LENGTH = 24;
const MAX_PIECES = 200;
/** Steps of the search for pieces, which ends at once for any text but constructed ones. */
const MAX_TRIES = 100_000;

/**
 * A piece that would be a token with a meaning: one of the model's own marks, or a text that a server takes as the end of
 * an answer whatever its type, such as `</s>`, `<|endoftext|>` and `<EOT>` (llama.cpp 11434, `src/llama-vocab.cpp`).
 */
const WHOLE_TAG = /^\S?<[^<>]*>$/u;

/** The tokens that follow each other: a chain for each text, whose pieces all have their own token. */
export class Chains {
  readonly #vocabulary: Vocabulary;
  readonly #successors = new Map<number, number>();
  readonly #starts = new Map<string, number>();
  readonly #marks: readonly string[];

  /** `marks` are texts that are pieces of their own where that is possible, because parsers look for their tokens. */
  constructor(vocabulary: Vocabulary, marks: readonly string[]) {
    this.#vocabulary = vocabulary;
    this.#marks = marks;
  }

  /** The token that follows a token; each has at most one successor. */
  get successors(): ReadonlyMap<number, number> {
    return this.#successors;
  }

  /** Makes a token follow another one. */
  link(token: number, successor: number): void {
    this.#successors.set(token, successor);
  }

  /**
   * Adds the chain of a text that ends with the token `end`. Returns its first token, which is `end` for an empty text;
   * undefined if the text cannot be split into pieces of its own.
   */
  add(text: string, end: number, pieceLength?: number): number | undefined {
    const key = `${end} ${text}`;
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const characters = [...text];
    const length = pieceLength ?? Math.max(PIECE_LENGTH, Math.ceil(characters.length / MAX_PIECES));
    const pieces = this.#split(characters, end, length);
    if (pieces === undefined) return undefined;
    let next = end;
    for (const piece of pieces.reverse()) {
      const token = this.#vocabulary.add(byteLevel(piece), 'normal');
      this.#successors.set(token, next);
      next = token;
    }
    this.#starts.set(key, next);
    return next;
  }

  /** Splits a text into pieces that no chain has. The last piece may be one that already ends a chain in the same way. */
  #split(characters: readonly string[], end: number, length: number): string[] | undefined {
    const pieces: string[] = [];
    const chosen = new Set<string>();
    const open: Generator<number>[] = [];
    const starts: number[] = [];
    let start = 0;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (start === characters.length) return pieces;
      if (open.length === pieces.length) {
        open.push(pieceEnds(characters, start, length, this.#marks));
        starts.push(start);
      }
      const { value: next } = open.at(-1)?.next() ?? {};
      if (next === undefined) {
        // No piece fits here: try another one before it.
        open.pop();
        starts.pop();
        const removed = pieces.pop();
        if (removed === undefined) return undefined;
        chosen.delete(removed);
        start = starts.at(-1) ?? 0;
        continue;
      }
      start = starts.at(-1) ?? 0;
      const piece = characters.slice(start, next).join('');
      if (chosen.has(piece) || !this.#isFree(piece, next === characters.length ? end : undefined)) continue;
      pieces.push(piece);
      chosen.add(piece);
      start = next;
    }
    return undefined;
  }

  #isFree(piece: string, end: number | undefined): boolean {
    if (WHOLE_TAG.test(piece) && !this.#marks.includes(piece)) return false;
    const token = this.#vocabulary.find(byteLevel(piece));
    const successor = token === undefined ? undefined : this.#successors.get(token);
    return successor === undefined || successor === end;
  }
}

/** The ends to try for a piece: around a mark, after a word of about the usual length, then longer pieces, then shorter ones. */
function* pieceEnds(
  characters: readonly string[],
  start: number,
  length: number,
  marks: readonly string[],
): Generator<number> {
  const usual = Math.min(start + length, characters.length);
  let word = usual;
  while (word < Math.min(usual + length, characters.length) && characters[word] !== ' ') word++;
  const markAt = (at: number) => marks.find((mark) => characters.slice(at, at + mark.length).join('') === mark);
  const first = markAt(start);
  if (first !== undefined) yield start + first.length;
  for (let at = start + 1; at < word; at++) if (markAt(at) !== undefined) yield at;
  yield word;
  for (let end = usual; end <= characters.length; end++) yield end;
  for (let end = usual - 1; end > start; end--) yield end;
}
