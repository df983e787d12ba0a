/**
 * The encoding of a text in UTF-16 without a byte order mark: bytes that are zero stand only at odd or only at even
 * places, because the characters below U+0100 have them there, and there is no control character. VS Code and other
 * agents guess it like this. `undefined` for other bytes. `inspected`, an even number, is the length of the start that
 * decides.
 */
export function bareUtf16Of(bytes: Uint8Array, inspected: number): 'utf-16le-bare' | 'utf-16be-bare' | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const start = bytes.subarray(0, inspected);
  let [even, odd] = [0, 0];
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  if (even + odd < 2 || (even > 0 && odd > 0)) return undefined;
  // The start may end between the two halves of a character.
  const text = new TextDecoder(odd > 0 ? 'utf-16le' : 'utf-16be')
    .decode(start)
    .replace(start.length < bytes.length ? /\ufffd$/ : '', '');
  if (NOT_IN_TEXTS.test(text)) return undefined;
  return odd > 0 ? 'utf-16le-bare' : 'utf-16be-bare';
}

/** Characters that no text has: controls but tab, line feed, form feed and carriage return, unassigned ones, U+FFFD. */
const NOT_IN_TEXTS = /[^\P{C}\t\n\f\r\p{Cf}\p{Co}\p{Cs}]|\ufffd/u;
