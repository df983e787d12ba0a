/**
 * Cuts a text into the pieces that a stream sends one by one: words with the space before them, long ones at
 * `maxLength` characters. Joined they are the text again; a character is never cut in two.
 */
export function splitText(text: string, maxLength = 24): string[] {
  return (text.match(/\s*\S+|\s+$/gu) ?? []).flatMap((word) => {
    const characters = [...word];
    const pieces: string[] = [];
    for (let start = 0; start < characters.length; start += maxLength) {
      pieces.push(characters.slice(start, start + maxLength).join(''));
    }
    return pieces;
  });
}
