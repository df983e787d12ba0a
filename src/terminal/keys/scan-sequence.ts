import { keyOfCharacter, keyOfControlSequence, keyOfSs3, withAlt } from './decode-sequence.ts';
import type { Key } from './key.ts';

/** Bytes as the characters U+0000 to U+00FF of a string. */
type Bytes = string;

/**
 * The sequence at an index: its end and its key, if it is one; or that its rest has not arrived. `sure`: no key begins
 * with what has arrived. `paste`: it begins a paste, and this sequence ends it.
 */
type Scanned =
  | { readonly type: 'done'; readonly end: number; readonly key?: Key | undefined; readonly paste?: Bytes }
  | { readonly type: 'more'; readonly sure: boolean };

export const ESC = '\u001b';
const BEL = '\u0007';

/** The number of characters after the sequences that mouse reports begin with: X10 and normal tracking, highlights. */
const CHARACTERS_AFTER: Readonly<Record<string, number>> = { M: 3, t: 2, T: 6, '[': 1 };

/** The most that is kept of a string whose end has not arrived. */
const KEPT_LENGTH = 8;

/**
 * Scans the sequence at an index; `undefined` if there is none. An introducer is `ESC` and a letter, or the one C1 control
 * character that stands for both, as a byte or in UTF-8.
 */
export function scanSequence(bytes: Bytes, start: number): Scanned | undefined {
  const control = controlAt(bytes, start);
  if (control !== undefined) return scanIntroduced(bytes, start, start + control.length, control.letter);
  if (bytes[start] !== ESC) return undefined;
  const letter = bytes[start + 1];
  if (letter === undefined) return { type: 'more', sure: false };
  if (letter === ESC) return scanTwoEscapes(bytes, start);
  if (isIntroducer(letter)) return scanIntroduced(bytes, start, start + 2, letter);
  const length = characterLength(bytes, start + 1);
  if (length === undefined) return { type: 'more', sure: false };
  const end = start + 1 + length;
  return { type: 'done', end, key: withAlt(keyOfCharacter(decodeUtf8(bytes.slice(start + 1, end)))) };
}

/** True for a letter that makes an introducer with `ESC`: of CSI, SS3, and the strings DCS, OSC, SOS, PM and APC. */
export function isIntroducer(letter: string | undefined): boolean {
  return letter !== undefined && /^[[OP\]X^_]$/.test(letter);
}

/** The index after the characters that begin at an index and belong to no sequence. */
export function charactersEnd(bytes: Bytes, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== ESC && controlAt(bytes, end) === undefined) {
    const length = characterLength(bytes, end);
    if (length === undefined) break;
    end += length;
  }
  return end;
}

/** The length of the character at an index in UTF-8; `undefined` if its rest has not arrived. Other bytes count as one. */
export function characterLength(bytes: Bytes, start: number): number | undefined {
  const first = bytes.charCodeAt(start);
  const length = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let index = start + 1; index < start + length; index += 1) {
    if (index >= bytes.length) return undefined;
    if ((bytes.charCodeAt(index) & 0xc0) !== 0x80) return 1;
  }
  return length;
}

/** Decodes UTF-8; other bytes become U+FFFD. */
export function decodeUtf8(bytes: Bytes): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Part to keep of the start of a sequence: the content of a string has no use, and may be long. */
export function withoutContent(bytes: Bytes): Bytes {
  const length = bytes.startsWith(ESC) ? 2 : (controlAt(bytes, 0)?.length ?? 0);
  const isString = /[P\]X^_]/.test(controlAt(bytes, 0)?.letter ?? bytes[1] ?? '');
  if (!isString || bytes.length - length <= KEPT_LENGTH) return bytes;
  const kept = bytes.slice(-KEPT_LENGTH);
  // The second half of a doubled escape, or the rest of a character, has no meaning alone.
  const isHalf = kept.startsWith(ESC) && kept[1] !== undefined && kept[1] !== ESC;
  return bytes.slice(0, length) + kept.slice(isHalf ? 1 : 0).replace(/^[\u0080-\u00bf]+/, '');
}

/** The C1 control character at an index, with the letter that `ESC` has in its place. */
function controlAt(bytes: Bytes, index: number): { readonly letter: string; readonly length: number } | undefined {
  const length = bytes[index] === '\u00c2' ? 2 : 1;
  const code = bytes.charCodeAt(index + length - 1);
  return code >= 0x80 && code < 0xa0 ? { letter: String.fromCharCode(code - 0x40), length } : undefined;
}

/** `ESC ESC`: the key Escape before a sequence, or the Alt of rxvt and iTerm before the sequence of a key. */
function scanTwoEscapes(bytes: Bytes, start: number): Scanned {
  const letter = bytes[start + 2];
  if (letter === undefined) return { type: 'more', sure: false };
  const escapeKey: Scanned = { type: 'done', end: start + 1, key: { type: 'key', name: 'Esc' } };
  if (letter !== '[' && letter !== 'O') return escapeKey;
  const scanned = scanSequence(bytes, start + 1);
  if (scanned?.type !== 'done') return scanned ?? escapeKey;
  return scanned.key?.type === 'key' ? { ...scanned, key: withAlt(scanned.key) } : escapeKey;
}

function scanIntroduced(bytes: Bytes, start: number, from: number, letter: string): Scanned {
  if (letter === '[') return scanControlSequence(bytes, start, from);
  if (letter === 'O') return scanSs3(bytes, from);
  // A control character that introduces nothing.
  return isIntroducer(letter) ? scanString(bytes, from, letter) : { type: 'done', end: from };
}

function scanControlSequence(bytes: Bytes, start: number, from: number): Scanned {
  const parameters = match(/[0-?]*/y, bytes, from);
  const afterParameters = from + parameters.length;
  const intermediates = match(/[ -/]*/y, bytes, afterParameters);
  const end = afterParameters + intermediates.length;
  // rxvt ends the sequence of a key with Shift like this; a reply with this intermediate has more than one parameter.
  const isShifted = intermediates === '$' && /^\d+$/.test(parameters);
  const final = isShifted ? '' : bytes[end];
  if (final === undefined) return { type: 'more', sure: end > from };
  // Another byte belongs to no control sequence, so that this one has been cut off.
  if (!isShifted && !/^[@-~]$/.test(final)) return { type: 'done', end };
  if (final === '~' && parameters === '200') {
    return { type: 'done', end: end + 1, paste: `${bytes.slice(start, from)}201~` };
  }
  const count = end === from ? (CHARACTERS_AFTER[final] ?? 0) : 0;
  if (count > 0) return scanCharacters(bytes, end + 1, count);
  return { type: 'done', end: end + final.length, key: keyOfControlSequence({ parameters, intermediates, final }) };
}

/** The characters of a mouse report: of one byte, or in the mode 1005 of up to two. */
function scanCharacters(bytes: Bytes, from: number, count: number): Scanned {
  let end = from;
  for (let index = 0; index < count; index += 1) {
    const length = characterLength(bytes, end);
    if (end >= bytes.length || length === undefined) return { type: 'more', sure: true };
    end += length === 2 ? 2 : 1;
  }
  return { type: 'done', end };
}

function scanSs3(bytes: Bytes, from: number): Scanned {
  const parameters = match(/[\d;]*/y, bytes, from);
  const end = from + parameters.length;
  const final = bytes[end];
  if (final === undefined) return { type: 'more', sure: end > from };
  if (!/^[ -~]$/.test(final)) return { type: 'done', end };
  return { type: 'done', end: end + 1, key: keyOfSs3(parameters, final) };
}

/** A string up to its terminator: ST, for OSC also BEL. A control character that no string contains cuts it off. */
function scanString(bytes: Bytes, from: number, letter: string): Scanned {
  let end = from;
  while (end < bytes.length) {
    const byte = bytes[end] ?? '';
    const control = controlAt(bytes, end);
    if (control?.letter === '\\') return { type: 'done', end: end + control.length };
    if (byte === BEL && letter === ']') return { type: 'done', end: end + 1 };
    if (byte === ESC) {
      const next = bytes[end + 1];
      if (next === undefined) break;
      // tmux doubles the escapes of a string within DCS.
      if (next !== ESC || letter !== 'P') return { type: 'done', end: next === '\\' ? end + 2 : end };
      end += 2;
      continue;
    }
    if (byte < '\u0007' || (byte > '\r' && byte < ' ')) return { type: 'done', end };
    const length = characterLength(bytes, end);
    if (length === undefined) break;
    end += length;
  }
  return { type: 'more', sure: bytes.length > from };
}

function match(pattern: RegExp, bytes: Bytes, index: number): string {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = index;
  return sticky.exec(bytes)?.[0] ?? '';
}
