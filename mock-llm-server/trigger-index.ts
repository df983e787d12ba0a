/** How many characters the pieces have that a text is looked up by. */
const PIECE_LENGTH = 4;
const SLOTS = 1 << 16;

/** Finds the few of many texts that can occur in a text, in one pass over it. */
export interface TriggerIndex {
  /** Places of the literals that may be in the text, in order; every one that is in it is among them. Pure. */
  candidates(lowerCased: string): readonly number[];
}

/**
 * Indexes literals by the piece of four characters that the fewest of them share, so that looking does not take longer
 * with their number. Those that are missing or shorter are always candidates.
 */
export function createTriggerIndex(literals: readonly (string | undefined)[]): TriggerIndex {
  const shared = countPieces(literals);
  const always: number[] = [];
  const byPiece = new Map<string, number[]>();
  const slots = new Uint8Array(SLOTS);
  for (const [place, literal = ''] of literals.entries()) {
    const piece = rarestPiece(literal, shared);
    if (piece === undefined) {
      always.push(place);
      continue;
    }
    byPiece.set(piece, [...(byPiece.get(piece) ?? []), place]);
    slots[slotOf(piece, 0)] = 1;
  }
  return {
    candidates(lowerCased) {
      const seen = new Set<string>();
      const found: number[] = [];
      for (let start = 0; byPiece.size > 0 && start + PIECE_LENGTH <= lowerCased.length; start++) {
        if (slots[slotOf(lowerCased, start)] === 0) continue;
        const piece = lowerCased.slice(start, start + PIECE_LENGTH);
        const places = byPiece.get(piece);
        if (places === undefined || seen.has(piece)) continue;
        seen.add(piece);
        found.push(...places);
      }
      return found.length === 0 ? always : [...always, ...found].sort((left, right) => left - right);
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

function rarestPiece(literal: string, shared: ReadonlyMap<string, number>): string | undefined {
  let rarest: string | undefined;
  for (const piece of piecesOf(literal)) {
    if (rarest === undefined || (shared.get(piece) ?? 0) < (shared.get(rarest) ?? 0)) rarest = piece;
  }
  return rarest;
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PIECE_LENGTH + 1) }, (_, start) =>
    text.slice(start, start + PIECE_LENGTH),
  );
}

/** A number below `SLOTS` for the piece that begins at `start`. */
function slotOf(text: string, start: number): number {
  const low = text.charCodeAt(start) ^ (text.charCodeAt(start + 1) << 5);
  const high = (text.charCodeAt(start + 2) << 9) ^ (text.charCodeAt(start + 3) << 12);
  return (low ^ high) & (SLOTS - 1);
}
