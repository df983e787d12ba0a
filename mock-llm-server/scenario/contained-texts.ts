/** Finds which of many texts stand in another one. */
export interface ContainedTexts {
  /** The places of the texts that `text` contains: for each that differs one list, in order. Pure. */
  in(text: string): readonly (readonly number[])[];
}

/**
 * Prepares texts for `in`, which then takes time for the length of what it is given and for what it finds, but hardly
 * for their number. Empty texts are in none.
 */
export function indexContainedTexts(texts: readonly string[]): ContainedTexts {
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const equal = places.get(text);
    if (equal === undefined) places.set(text, [place]);
    else equal.push(place);
  }
  places.delete('');
  const sorted = [...places.keys()].sort(compare);
  const parents = linkBeginnings(sorted);
  return {
    in(text) {
      const found = new Set<readonly number[]>();
      for (let start = 0; start < text.length; start++) {
        // All that the rest begins with are among the text that comes last before it and the beginnings of that one.
        const rest = text.slice(start);
        let at = lastUpTo(sorted, rest);
        for (; at !== -1; at = parents[at] ?? -1) {
          const known = sorted[at] ?? '';
          const equal = places.get(known);
          if (equal !== undefined && rest.startsWith(known)) found.add(equal);
        }
      }
      return [...found];
    },
  };
}

/** By code units, as `<` does. */
function compare(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/** For each text the place of the longest other one that it begins with, -1 where there is none. */
function linkBeginnings(sorted: readonly string[]): number[] {
  const open: number[] = [];
  return sorted.map((text, place) => {
    while (open.length > 0 && !text.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(place);
    return parent;
  });
}

/** The place of the last text that does not come after `text`, -1 where all do. */
function lastUpTo(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') <= text) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
