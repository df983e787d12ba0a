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
    slots[slotOf(piece)] = 1;
  }
  return {
    candidates(lowerCased) {
      const seen = new Set<string>();
      const found: number[] = [];
      let slot = 0;
      for (let end = 1; byPiece.size > 0 && end <= lowerCased.length; end++) {
        slot = nextSlot(slot, lowerCased.charCodeAt(end - 1));
        if (slots[slot] === 0 || end < PIECE_LENGTH) continue;
        const piece = lowerCased.slice(end - PIECE_LENGTH, end);
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

/** A number below `SLOTS` for a piece. */
function slotOf(piece: string): number {
  let slot = 0;
  for (let place = 0; place < piece.length; place++) slot = nextSlot(slot, piece.charCodeAt(place));
  return slot;
}

/** The number after one more character; that of the character before the last four has been shifted out. */
function nextSlot(slot: number, code: number): number {
  return ((slot << 4) ^ code) & (SLOTS - 1);
}
