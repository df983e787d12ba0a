/** The words of a command, or the quote that is missing at its end. */
export type SplitWords =
  | { readonly type: 'words'; readonly words: readonly string[] }
  | { readonly type: 'unclosed'; readonly quote: string };

/**
 * Splits a command into words without a shell: whitespace separates them, single and double quotes keep it. A backslash
 * takes a following quote, backslash or space literally, except in single quotes; before anything else it is itself, as
 * in paths of Windows. Nothing is expanded.
 */
export function splitWords(text: string): SplitWords {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === '\\' && quote !== "'" && /["'\\\s]/.test(next)) {
      word = (word ?? '') + next;
      index += 1;
    } else if (character === quote) {
      quote = '';
    } else if (quote === '' && /["']/.test(character)) {
      quote = character;
      word ??= '';
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') return { type: 'unclosed', quote };
  if (word !== undefined) words.push(word);
  return { type: 'words', words };
}
