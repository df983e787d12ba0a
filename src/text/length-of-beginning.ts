/** The length of the longest end of `text` that is a proper prefix of `word`. */
export function lengthOfBeginning(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}
