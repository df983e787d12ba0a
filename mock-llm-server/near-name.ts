/** More of a name is not looked at. */
const MAX_LENGTH = 100;

/**
 * The name that somebody meant who wrote another one: it holds it, or it takes the fewest changes for its length. A
 * change is a character more, less or other, or two that have changed places. The first of equals; nothing only when
 * there are no names. Pure.
 */
export function findNearestName(written: string, names: readonly string[]): string | undefined {
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
  return 1 - changesBetween([...left], [...right]) / Math.max(left.length, right.length, 1);
}

function changesBetween(left: readonly string[], right: readonly string[]): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (const [row, character] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const isSwapped = character === right[column - 1] && other === left[row - 1];
      current.push(
        Math.min(
          at(current, column) + 1,
          at(last, column + 1) + 1,
          at(last, column) + (character === other ? 0 : 1),
          at(beforeLast, column - 1) + (isSwapped ? 1 : Number.POSITIVE_INFINITY),
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Number.POSITIVE_INFINITY;
}
