/** The words of a rule for commands that begin with them. */
export type Words = readonly string[];

/** The word between the prefixes of one rule, each of which allows commands by itself. */
const AND = '&&';

/** The words of one rule with these prefixes. */
export function joinPrefixes(prefixes: readonly Words[]): Words {
  return prefixes.flatMap((prefix, index) => (index === 0 ? prefix : [AND, ...prefix]));
}

/** The prefixes of a rule: one, or those between the words `&&`. */
export function prefixesOf(words: Words): readonly Words[] {
  const end = words.indexOf(AND);
  return end < 0 ? [words] : [words.slice(0, end), ...prefixesOf(words.slice(end + 1))];
}

/** The words of a rule as the user reads and types them: `git add * && git commit *`. */
export function prefixText(words: Words): string {
  return prefixesOf(words)
    .map((prefix) => `${prefix.join(' ')} *`)
    .join(` ${AND} `);
}

/** The words of a rule that the user has typed: `npm test *`. */
export function prefixWords(text: string): Words {
  return text
    .replaceAll(/\s*\*\s*(?=&&|$)/g, ' ')
    .split(/\s+|(?=&&)|(?<=&&)/)
    .filter((word) => word !== '');
}
