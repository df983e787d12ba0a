/** Size of the table of letter triples; different triples rarely share a slot. */
const SLOTS = 1 << 16;
/** Entries that one search compares, those of the rarest triples first: a miss among 10 000 triggers must stay cheap. */
const MAX_CANDIDATES = 60;
const SPACE = 32;

/** The most similar text, and the share of its letter triples that the searched texts have (0–1). */
export interface Nearest {
  readonly index: number;
  readonly share: number;
}

/** An index that finds the first of the texts that are most similar to others. */
export interface SimilarityIndex {
  findNearest(searched: readonly string[]): Nearest;
}

/** Indexes texts by their letter triples. */
export function createSimilarityIndex(texts: readonly string[]): SimilarityIndex {
  const triples = texts.map((text) => [...triplesOf([text])]);
  const indexesOf = new Map<number, number[]>();
  for (const [index, own] of triples.entries()) {
    for (const triple of own) {
      const indexes = indexesOf.get(triple);
      if (indexes === undefined) indexesOf.set(triple, [index]);
      else indexes.push(index);
    }
  }
  return {
    findNearest(searched) {
      const known = triplesOf(searched);
      const lists = [...known].map((triple) => indexesOf.get(triple) ?? []);
      lists.sort((one, other) => one.length - other.length);
      const candidates = lists.flatMap((list) => list.slice(0, MAX_CANDIDATES)).slice(0, MAX_CANDIDATES);
      return nearestOf(new Set(candidates), triples, known);
    },
  };
}

/** The line with the greatest share of letter triples in a text; the first of equal ones. */
export function findNearestLine(lines: readonly string[], text: string): string | undefined {
  const triples = lines.map((line) => [...triplesOf([line])]);
  return lines[nearestOf(lines.keys(), triples, triplesOf([text])).index];
}

/** The first index with the greatest share; 0 if no text shares anything. */
function nearestOf(
  indexes: Iterable<number>,
  triples: readonly (readonly number[])[],
  known: ReadonlySet<number>,
): Nearest {
  let nearest: Nearest = { index: 0, share: 0 };
  for (const index of indexes) {
    const own = triples[index] ?? [];
    const share = own.filter((triple) => known.has(triple)).length / Math.max(own.length, 1);
    if (share > nearest.share || (share === nearest.share && index < nearest.index)) nearest = { index, share };
  }
  return nearest;
}

/**
 * The distinct letter triples of texts, as slots. A word is padded with a space on either side, so that short words and
 * first and last letters count.
 */
function triplesOf(texts: readonly string[]): Set<number> {
  const triples = new Set<number>();
  for (const text of texts) {
    const lowerCased = text.toLowerCase();
    let first = SPACE;
    let second = SPACE;
    for (let index = 0; index <= lowerCased.length; index++) {
      const third = index === lowerCased.length ? SPACE : letterAt(lowerCased, index);
      if (second !== SPACE) triples.add((first * 961 + second * 31 + third) % SLOTS);
      first = second;
      second = third;
    }
  }
  return triples;
}

/** The code unit at an index: a space for everything in ASCII that is neither a letter nor a digit. */
function letterAt(lowerCased: string, index: number): number {
  const code = lowerCased.charCodeAt(index);
  const isLetter = code > 127 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return isLetter ? code : SPACE;
}
