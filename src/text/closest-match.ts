/** How many single-character changes turn one text into the other: Levenshtein's distance, by code points. */
export function editDistance(left: string, right: string): number {
  const from = [...left];
  const to = [...right];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, wanted] of from.entries()) {
    const current = [row + 1];
    for (const [column, found] of to.entries()) {
      const replaced = (previous[column] ?? 0) + (wanted === found ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/**
 * The known names that somebody may have meant by `name`, nearest first, at most `count`. Near is at most half of the
 * longer name changed; names that differ only in case come first. `name` itself is not among them.
 */
export function nearestNames(name: string, known: readonly string[], count: number): readonly string[] {
  const lower = name.toLowerCase();
  return known
    .filter((candidate) => candidate !== name)
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(candidate.length, name.length) / 2)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** The known name that is nearest to `name`, unless none is near. A name that is known is its own nearest. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.includes(name) ? name : nearestNames(name, known, 1)[0];
}
