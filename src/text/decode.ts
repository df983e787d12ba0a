import { fileTypeOf } from './file-type.ts';
import { detectLineEndings, type LineEndings } from './line-endings.ts';

/** How the bytes of a text file stand for characters. All but `utf-8` are recognised by their byte order mark. */
export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

/** What a file holds: text in some encoding, or something that must not be shown as text. */
export type FileContent =
  | { readonly type: 'text'; readonly encoding: TextEncoding; readonly text: string }
  | { readonly type: 'binary'; readonly fileType: string };

const MARKS: Readonly<Record<TextEncoding, readonly number[]>> = {
  'utf-8': [],
  'utf-8-bom': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

const MARKED: readonly TextEncoding[] = ['utf-8-bom', 'utf-16le', 'utf-16be'];

/** How much of a file decides whether it is text. */
const INSPECTED_BYTES = 8_192;

/**
 * Decodes a file, or says what kind of binary it is: one with a NUL byte or with invalid UTF-8 in its first 8 KB. The
 * byte order mark is not part of the text. Invalid bytes further on become U+FFFD in the text.
 */
export function decodeFile(bytes: Uint8Array): FileContent {
  const encoding = encodingOf(bytes);
  const fileType = fileTypeOf(bytes);
  const isBinary = fileType === 'UTF-32 text' || (unitSize(encoding) === 1 && !startsAsText(bytes));
  if (isBinary) return { type: 'binary', fileType };
  return { type: 'text', encoding, text: decodeText(bytes, encoding) };
}

/** The bytes of a text file, with the byte order mark of its encoding. A lone surrogate becomes U+FFFD in UTF-8. */
export function encodeFile(text: string, encoding: TextEncoding): Uint8Array {
  return joinBytes([Uint8Array.from(MARKS[encoding]), unitsToBytes(textToUnits(text, encoding), encoding)]);
}

/** The text of a file in a known encoding, whatever is in it; invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  const label = unitSize(encoding) === 1 ? 'utf-8' : encoding;
  return new TextDecoder(label, { ignoreBOM: true }).decode(bytes.subarray(markLength(encoding)));
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE with BOM',
  'utf-16be': 'UTF-16 BE with BOM',
};

const UNUSUAL_ENDINGS: Readonly<Partial<Record<LineEndings, string>>> = {
  crlf: 'CRLF line endings',
  mixed: 'mixed LF and CRLF line endings',
};

/** The encoding and the line endings of a text file in words, each only if unusual: empty for UTF-8 with LF. */
export function describeForm(encoding: TextEncoding, text: string): readonly string[] {
  const endings = UNUSUAL_ENDINGS[detectLineEndings(text)];
  return [...(encoding === 'utf-8' ? [] : [ENCODING_NAMES[encoding]]), ...(endings === undefined ? [] : [endings])];
}

/** The encoding that a file's byte order mark tells, UTF-8 without one. */
export function encodingOf(bytes: Uint8Array): TextEncoding {
  return MARKED.find((encoding) => MARKS[encoding].every((byte, index) => bytes[index] === byte)) ?? 'utf-8';
}

/** How many bytes the byte order mark of an encoding takes. */
export function markLength(encoding: TextEncoding): number {
  return MARKS[encoding].length;
}

/** How many bytes one code unit of an encoding takes. */
export function unitSize(encoding: TextEncoding): 1 | 2 {
  return encoding === 'utf-8' || encoding === 'utf-8-bom' ? 1 : 2;
}

/**
 * A file's bytes after its mark as a string of code units: one character for each byte (UTF-8) or each pair of bytes
 * (UTF-16). Unlike decoded text it loses nothing, however broken the bytes are, and an index in it is a place in the
 * file. A last odd byte of UTF-16 is left out.
 */
export function bytesToUnits(bytes: Uint8Array, encoding: TextEncoding): string {
  const content = bytes.subarray(markLength(encoding));
  if (unitSize(encoding) === 1) return fromUnits(content);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const units = new Uint16Array(content.length >> 1);
  for (let index = 0; index < units.length; index++) units[index] = view.getUint16(index * 2, encoding === 'utf-16le');
  return fromUnits(units);
}

/** A text as the string of code units it has in an encoding. */
export function textToUnits(text: string, encoding: TextEncoding): string {
  return unitSize(encoding) === 2 ? text : fromUnits(new TextEncoder().encode(text));
}

/** The bytes of a string of code units, without a mark. */
export function unitsToBytes(units: string, encoding: TextEncoding): Uint8Array {
  const size = unitSize(encoding);
  const bytes = new Uint8Array(units.length * size);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < units.length; index++) {
    if (size === 1) view.setUint8(index, units.charCodeAt(index));
    else view.setUint16(index * 2, units.charCodeAt(index), encoding === 'utf-16le');
  }
  return bytes;
}

/** One array of bytes from several. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

function startsAsText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, INSPECTED_BYTES);
  if (start.includes(0)) return false;
  try {
    // A character may lie across the end of what is inspected, but not across the end of the file.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: start.length < bytes.length });
    return true;
  } catch {
    return false;
  }
}

/** `String.fromCharCode` takes its characters as arguments, of which an engine accepts only so many. */
const CHUNK = 8_192;

function fromUnits(units: Uint8Array | Uint16Array): string {
  let text = '';
  for (let from = 0; from < units.length; from += CHUNK)
    text += String.fromCharCode(...units.subarray(from, from + CHUNK));
  return text;
}
