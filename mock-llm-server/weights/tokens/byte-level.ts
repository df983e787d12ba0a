/** The characters of the byte-level encoding of GPT-2: printable bytes stand for themselves, the others for U+0100 on. */
const CHARACTERS: readonly string[] = createCharacters();

function createCharacters(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}

/** A text as the tokens of a byte-level vocabulary are written: one character for each byte of its UTF-8. */
export function byteLevel(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => CHARACTERS[byte]).join('');
}

/** The 256 tokens of single bytes, in the order of the bytes. */
export function byteTokens(): readonly string[] {
  return CHARACTERS;
}
