/** The permission modes that Yume has a word of its own for; the others have the names of ybs. */
const YUME_WORDS: ReadonlyMap<string, string> = new Map([
  ['ask', 'default'],
  ['full-access', 'auto'],
  ['read-only', 'deny'],
]);

/** A permission mode in the words of Yume. */
export function yumeModeOf(mode: string): string {
  return YUME_WORDS.get(mode) ?? mode;
}
