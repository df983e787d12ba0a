import leven from 'leven';

/**
 * The known names that a misspelled name most likely means: at most `max`, the most similar first. Similar names
 * differ in less than half of the characters of the longer one, ignoring case, or in half of them if they begin alike
 * or have the same letters. A known name itself comes first, and then one of several words that has the whole name
 * among them: `--permission-mode` for `--mode`. Of equally similar names, one with the same letters comes before
 * others: its letters are only in another order.
 */
export function suggest(name: string, known: readonly string[], max = 1): readonly string[] {
  const wanted = name.toLowerCase();
  return known
    .map((candidate) => {
      const swapped = lettersOf(candidate) === lettersOf(name) ? 0 : 1;
      const isNear = swapped === 0 || candidate[0]?.toLowerCase() === wanted[0];
      const limit = Math.floor((Math.max(candidate.length, name.length) - (isNear ? 0 : 1)) / 2);
      const isPart = wordsOf(candidate).length > 1 && wordsOf(candidate).includes(wordsOf(name).join('-'));
      const distance = isPart ? 0 : leven(wanted, candidate.toLowerCase(), { maxDistance: limit + 1 });
      return { candidate, distance: candidate === name ? -1 : distance, limit, swapped };
    })
    .filter(({ distance, limit }) => distance <= limit)
    .sort((left, right) => left.distance - right.distance || left.swapped - right.swapped)
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

/**
 * The known name of which a word is a typing mistake: one letter is missing, added or another one, or two neighbours are
 * exchanged; in a word of more than six letters, two such mistakes. `suggest` is for names that cannot be anything else; other words are not touched.
 */
export function mistyped(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const max = typed.length > 6 ? 2 : 1;
  return known
    .map((name) => ({ name, distance: isSwapped(typed, name) ? 1 : leven(typed, name) }))
    .filter(({ name, distance }) => distance <= max && name.length > 2)
    .toSorted((left, right) => left.distance - right.distance)[0]?.name;
}

/** True if two neighbouring letters of one word are exchanged in the other. */
function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const first = [...one].findIndex((letter, index) => letter !== other[index]);
  if (first < 0 || first + 1 >= one.length) return false;
  const swapped = `${one.slice(0, first)}${one[first + 1]}${one[first]}${one.slice(first + 2)}`;
  return swapped === other;
}

/** ` Did you mean NAME?` for a misspelled name, or `otherwise` if no known name is similar. */
export function didYouMean(name: string, known: readonly string[], otherwise = ''): string {
  const [nearest] = suggest(name, known);
  return nearest === undefined ? otherwise : ` Did you mean ${nearest}?`;
}

/**
 * The message for a value that is not one of the `choices`. `what` is the option or the command of the value, `meant` the
 * choice that it is known to mean.
 */
export function choiceProblem(what: string, value: string, choices: readonly string[], meant?: string): string {
  const hint = meant === undefined ? didYouMean(value, choices) : ` Did you mean ${meant}?`;
  return `${what} cannot be ${JSON.stringify(value)}.${hint} Choose one of ${choices.join(', ')}.`;
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function lettersOf(name: string): string {
  return [...name.toLowerCase()].sort().join('');
}
