import { editDistance } from './edit-distance.ts';

/** More of a name is not looked at. */
const MAX_LENGTH = 100;

/**
 * The one of `names` that is nearest to what was written: it holds it, or it takes the fewest changes for its length.
 * The first of equals; nothing only when there are no names. Pure.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const wanted = readable(written);
  let nearest = names[0];
  let best = 0;
  for (const name of names) {
    const likeness = likenessOf(wanted, readable(name));
    if (likeness <= best) continue;
    best = likeness;
    nearest = name;
  }
  return nearest;
}

function readable(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase();
}

/** From 0 to 1. */
function likenessOf(left: string, right: string): number {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  // Half a name is nearer than another one that is as short.
  if (short.length > 2 && long.includes(short)) return 0.9 + short.length / long.length / 10;
  return 1 - editDistance([...left], [...right]) / Math.max(left.length, right.length, 1);
}
