const HIGH_SURROGATE = /[\uD800-\uDBFF]/;

/**
 * Cuts a text into the pieces that a stream sends one by one: words with the space before them, long ones at
 * `maxLength` characters. Joined they are the text again; a character is never cut in two.
 */
export function splitText(text: string, maxLength = 24): string[] {
  const words = text.match(/\s*\S+|\s+$/gu) ?? [];
  return words.some((word) => word.length > maxLength) ? words.flatMap((word) => cutWord(word, maxLength)) : words;
}

function cutWord(word: string, maxLength: number): string[] {
  const characters = HIGH_SURROGATE.test(word) ? [...word] : undefined;
  const length = characters?.length ?? word.length;
  const pieces: string[] = [];
  for (let start = 0; start < length; start += maxLength) {
    const end = start + maxLength;
    pieces.push(characters === undefined ? word.slice(start, end) : characters.slice(start, end).join(''));
  }
  return pieces;
}
