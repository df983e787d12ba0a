/**
 * How many changes make one list of characters of the other: a character more, less or other, or two neighbours that
 * have changed places. Pure; takes time for the product of the lengths.
 */
export function editDistance(left: readonly string[], right: readonly string[]): number {
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
