/** Length of the pieces by which texts are found. */
const PIECE_LENGTH = 4;
const SLOTS = 1 << 16;

/** Finds the few of many literals that can occur in a text, in one pass over it. */
export interface TriggerIndex {
  /** Indexes of the literals that may be in the text, in order; every literal that is in it is among them. Pure. */
  candidates(lowerCased: string): readonly number[];
}

/** Indexes each literal by its rarest piece, so that the cost of a search does not grow with their number. */
export function createTriggerIndex(literals: readonly (string | undefined)[]): TriggerIndex {
  const counts = countPieces(literals);
  // Literals that are too short to have a piece, and undefined ones.
  const always: number[] = [];
  const byPiece = new Map<string, number[]>();
  const slots = new Uint8Array(SLOTS);
  for (const [index, literal = ''] of literals.entries()) {
    const piece = rarestPiece(literal, counts);
    if (piece === undefined) {
      always.push(index);
      continue;
    }
    slots[slotOf(piece)] = 1;
    const indexes = byPiece.get(piece);
    if (indexes === undefined) byPiece.set(piece, [index]);
    else indexes.push(index);
  }
  return {
    candidates(lowerCased) {
      const found = new Set<readonly number[]>();
      let slot = 0;
      for (let end = 1; byPiece.size > 0 && end <= lowerCased.length; end++) {
        slot = nextSlot(slot, lowerCased.charCodeAt(end - 1));
        if (slots[slot] === 0 || end < PIECE_LENGTH) continue;
        const indexes = byPiece.get(lowerCased.slice(end - PIECE_LENGTH, end));
        if (indexes !== undefined) found.add(indexes);
      }
      return found.size === 0 ? always : [always, ...found].flat().sort((left, right) => left - right);
    },
  };
}

function countPieces(literals: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const literal of literals) {
    for (const piece of new Set(piecesOf(literal ?? ''))) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

function rarestPiece(literal: string, counts: ReadonlyMap<string, number>): string | undefined {
  let rarest: string | undefined;
  for (const piece of piecesOf(literal)) {
    if (rarest === undefined || (counts.get(piece) ?? 0) < (counts.get(rarest) ?? 0)) rarest = piece;
  }
  return rarest;
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PIECE_LENGTH + 1) }, (_, start) =>
    text.slice(start, start + PIECE_LENGTH),
  );
}

/** A number below `SLOTS` for a piece: a hash that slides over a text. */
function slotOf(piece: string): number {
  let slot = 0;
  for (let index = 0; index < piece.length; index++) slot = nextSlot(slot, piece.charCodeAt(index));
  return slot;
}

/** The slot after one more character, which shifts out the one four characters before. */
function nextSlot(slot: number, code: number): number {
  return ((slot << 4) ^ code) & (SLOTS - 1);
}
