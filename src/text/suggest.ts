import leven from 'leven';

/**
 * The known names that a misspelled name most likely stands for: at most `max`, the most similar first. Similar names
 * differ in at most half of the characters of the longer one, ignoring case. A known name itself comes first.
 */
export function suggest(name: string, known: readonly string[], max = 1): readonly string[] {
  const wanted = name.toLowerCase();
  return known
    .map((candidate) => {
      const limit = Math.floor(Math.max(candidate.length, name.length) / 2);
      const distance = leven(wanted, candidate.toLowerCase(), { maxDistance: limit + 1 });
      return { candidate, distance: candidate === name ? -1 : distance, limit };
    })
    .filter(({ distance, limit }) => distance <= limit)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, max)
    .map(({ candidate }) => candidate);
}
