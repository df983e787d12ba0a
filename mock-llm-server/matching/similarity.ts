/** Size of the table of letter triples; different triples rarely share a slot. */
const SLOTS = 1 << 16;
/** Texts that one search compares, those with the rarest triples first: a miss among 10 000 triggers must stay cheap. */
const MAX_CANDIDATES = 40;
const SPACE = 32;

/** The most similar text of an index, and the share of its letter triples that the searched texts have (0–1). */
export interface Nearest {
  readonly index: number;
  readonly share: number;
}

/** An index that finds the text that is most similar to others. */
export interface SimilarityIndex {
  /** The first of the most similar texts; the first text if none is similar. Undefined if the index is empty. */
  findNearest(searched: readonly string[]): Nearest | undefined;
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
      if (texts.length === 0) return undefined;
      const known = triplesOf(searched);
      let nearest: Nearest = { index: 0, share: 0 };
      for (const index of collectCandidates(known, indexesOf)) {
        const share = shareOf(triples[index] ?? [], known);
        if (share > nearest.share || (share === nearest.share && index < nearest.index)) nearest = { index, share };
      }
      return nearest;
    },
  };
}

function collectCandidates(known: ReadonlySet<number>, indexesOf: ReadonlyMap<number, number[]>): Set<number> {
  const lists: number[][] = [];
  for (const triple of known) {
    const indexes = indexesOf.get(triple);
    if (indexes !== undefined) lists.push(indexes);
  }
  lists.sort((left, right) => left.length - right.length);
  const candidates = new Set<number>();
  for (const list of lists) {
    for (const index of list) {
      if (candidates.size === MAX_CANDIDATES) return candidates;
      candidates.add(index);
    }
  }
  return candidates;
}

function shareOf(triples: readonly number[], known: ReadonlySet<number>): number {
  let count = 0;
  for (const triple of triples) if (known.has(triple)) count += 1;
  return triples.length === 0 ? 0 : count / triples.length;
}

/** The line with the greatest share of letter triples in a text; the first of equal ones. */
export function findNearestLine(lines: readonly string[], text: string): string | undefined {
  const known = triplesOf([text]);
  let nearest = lines[0];
  let best = 0;
  for (const line of lines) {
    const share = shareOf([...triplesOf([line])], known);
    if (share <= best) continue;
    best = share;
    nearest = line;
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
