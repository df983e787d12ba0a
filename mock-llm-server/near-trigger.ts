import type { Scenario } from './scenario-set.ts';

/** More characters than these are not looked at; a miss must stay cheap. */
const MAX_LENGTH = 20_000;

/**
 * The last of the texts, as much of them as a person looks through; the first of these may be cut. `endOf` gives the
 * last characters of a text, at most as many as it is told. Pure.
 */
export function lastOf(
  texts: readonly string[],
  endOf = (text: string, length: number) => text.slice(-length),
): string[] {
  const last: string[] = [];
  let left = MAX_LENGTH;
  for (const text of [...texts].reverse()) {
    if (left === 0) break;
    const end = endOf(text, left);
    left -= end.length;
    last.push(end);
  }
  return last.reverse();
}

/**
 * The scenario whose trigger comes nearest to one of the last texts. Nothing only when there are no scenarios. Pure.
 */
export function findNearestTrigger(texts: readonly string[], scenarios: readonly Scenario[]): Scenario | undefined {
  return findNearest(lastOf(texts), scenarios, ({ trigger }) => trigger.text);
}

/**
 * The item whose text comes nearest to one of the texts: the one with the greatest share of its letter triples in the
 * text, the first of equals. Nothing only when there are no items. Pure.
 */
export function findNearest<T>(
  texts: readonly string[],
  items: readonly T[],
  textOf: (item: T) => string,
): T | undefined {
  const known = texts.map(triplesOf);
  let nearest = items[0];
  let best = 0;
  for (const item of items) {
    const wanted = [...triplesOf(textOf(item))];
    for (const triples of known) {
      const share = wanted.filter((triple) => triples.has(triple)).length / wanted.length;
      if (share > best) {
        best = share;
        nearest = item;
      }
    }
  }
  return nearest;
}

/** Whether one of the texts has any three letters in a row that are in `wanted`, too. Pure. */
export function isAlike(texts: readonly string[], wanted: string): boolean {
  const sought = [...triplesOf(wanted)];
  return texts.some((text) => {
    const triples = triplesOf(text);
    return sought.some((triple) => triples.has(triple));
  });
}

/** Words are padded, so that short ones and their first and last letters count. */
function triplesOf(text: string): Set<string> {
  const triples = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const letters = [' ', ...word, ' '];
    for (let start = 0; start + 2 < letters.length; start++) triples.add(letters.slice(start, start + 3).join(''));
  }
  return triples;
}
