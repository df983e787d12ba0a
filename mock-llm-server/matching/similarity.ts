/** Entries that one search compares, those of the rarest triples first: a miss among 10 000 triggers must stay cheap. */
const MAX_CANDIDATES = 60;

/** The most similar text, and the share of its letter triples that the searched texts have (0–1). */
export interface Nearest {
  readonly index: number;
  readonly share: number;
}

/** Finds the first of the indexed texts that are most similar to others. */
export type SimilarityIndex = (searched: readonly string[]) => Nearest;

/** Indexes texts by their letter triples. */
export function createSimilarityIndex(texts: readonly string[]): SimilarityIndex {
  const triples = texts.map((text) => [...triplesOf([text])]);
  const indexesOf = new Map<number, number[]>();
  for (const [index, ofText] of triples.entries()) {
    for (const triple of ofText) {
      const indexes = indexesOf.get(triple);
      if (indexes === undefined) indexesOf.set(triple, [index]);
      else indexes.push(index);
    }
  }
  return (searched) => {
    const known = triplesOf(searched);
    const lists = [...known].map((triple) => indexesOf.get(triple) ?? []).filter((list) => list.length > 0);
    const rarest = lists.sort((one, other) => one.length - other.length).slice(0, MAX_CANDIDATES);
    const candidates = rarest.flatMap((list) => list.slice(0, MAX_CANDIDATES)).slice(0, MAX_CANDIDATES);
    return nearestOf(new Set(candidates), triples, known);
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
    const ofText = triples[index] ?? [];
    const share = ofText.filter((triple) => known.has(triple)).length / Math.max(ofText.length, 1);
    if (share > nearest.share || (share === nearest.share && index < nearest.index)) nearest = { index, share };
  }
  return nearest;
}

/** Hashes of the distinct letter triples of texts; spaces around words let short words and first letters count. */
function triplesOf(texts: readonly string[]): Set<number> {
  const triples = new Set<number>();
  for (const text of texts) {
    const words = ` ${text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `;
    for (let end = 2; end < words.length; end++) {
      const hash = words.charCodeAt(end - 2) * 961 + words.charCodeAt(end - 1) * 31 + words.charCodeAt(end);
      triples.add(hash % 65_536);
    }
  }
  return triples;
}
