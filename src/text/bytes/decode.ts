import { detectLineEndings, type LineEndings } from '../line-endings.ts';
import { CHARACTERS_PER_STEP, runAtOnce, type Steps } from '../steps.ts';
import { bareUtf16Of } from './bare-utf16.ts';
import { concatBytes } from './byte-builder.ts';

/**
 * The encoding of a text file. `windows-1252`, of which Latin-1 is a part, is that of a text that is not UTF-8; `unknown`
 * is read like it, but does not look like it: Shift-JIS, EUC, GBK, Big5, Cyrillic. The `bare` ones have no byte order
 * mark; those with one are recognised by it.
 */
export type TextEncoding =
  | 'utf-8'
  | 'utf-8-bom'
  | 'utf-16le'
  | 'utf-16be'
  | 'utf-16le-bare'
  | 'utf-16be-bare'
  | 'windows-1252'
  | 'unknown';

/** The content of a file: text, or binary data that must not be shown as text. */
export type FileContent =
  | { readonly type: 'text'; readonly encoding: TextEncoding; readonly text: string }
  | { readonly type: 'binary'; readonly fileType: string };

const BYTE_ORDER_MARKS: Readonly<Record<TextEncoding, readonly number[]>> = {
  'utf-8': [],
  'utf-8-bom': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'utf-16le-bare': [],
  'utf-16be-bare': [],
  'windows-1252': [],
  unknown: [],
};

const MARKED_ENCODINGS: readonly TextEncoding[] = ['utf-8-bom', 'utf-16le', 'utf-16be'];

/** The number of bytes that are inspected to decide whether a file is text. */
const INSPECTED_BYTES = 8_192;

/**
 * Decodes a file, or names its type if it is binary, that is, has a NUL byte in its first 8 KB and is not UTF-16, or
 * has there neither UTF-8 nor the characters of another text. The byte order mark is not part of the text. Invalid
 * bytes of UTF-8 become U+FFFD: those after the first 8 KB, and those of a text that has no fewer valid characters of
 * several bytes.
 */
export function decodeFile(bytes: Uint8Array): FileContent {
  const marked = encodingOf(bytes);
  const fileType = fileTypeOf(bytes);
  const isText = unitSize(marked) === 2 ? fileType !== 'UTF-32 text' : startsAsText(bytes);
  const bare =
    !isText && marked === 'utf-8' && fileType === UNKNOWN_TYPE ? bareUtf16Of(bytes, INSPECTED_BYTES) : undefined;
  if (bare !== undefined) return { type: 'text', encoding: bare, text: decodeText(bytes, bare) };
  const isOther = !isText && marked === 'utf-8' && fileType === UNKNOWN_TYPE && startsWithoutControls(bytes);
  if (!isText && !isOther) return { type: 'binary', fileType };
  const encoding = isText ? marked : guessEncoding(bytes.subarray(0, INSPECTED_BYTES));
  return { type: 'text', encoding, text: decodeText(bytes, encoding) };
}

/** The encoding of a text that is not valid UTF-8, by its start. */
function guessEncoding(start: Uint8Array): TextEncoding {
  const characters = new TextDecoder().decode(start).match(/[^\0-\x7f]/gu) ?? [];
  const invalid = characters.filter((character) => character === '\ufffd').length;
  if (characters.length - invalid >= invalid) return 'utf-8';
  const high = start.filter((byte) => byte >= 0x80);
  const neighbours = start.filter(
    (byte, index) => byte >= 0x80 && Math.max(start[index - 1] ?? 0, start[index + 1] ?? 0) >= 0x80,
  );
  const isWestern = neighbours.length * 2 <= high.length && !high.some((byte) => UNUSED_IN_1252.includes(byte));
  return isWestern || high.length < MIN_HIGH_BYTES ? 'windows-1252' : 'unknown';
}

/** Number of bytes above ASCII from which their neighbours tell whether they are Western letters, which mostly stand alone. */
const MIN_HIGH_BYTES = 8;
/** Bytes without a character in Windows-1252. Most texts in Shift-JIS have the first one. */
const UNUSED_IN_1252: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** The bytes of a text file, with the byte order mark of its encoding. A lone surrogate becomes U+FFFD in UTF-8. */
export function encodeFile(text: string, encoding: TextEncoding): Uint8Array {
  if (isSingleByte(encoding)) return unitsToBytes(textToUnits(text, encoding), encoding);
  const content = unitSize(encoding) === 1 ? new TextEncoder().encode(text) : unitsToBytes(text, encoding);
  return concatBytes([Uint8Array.from(BYTE_ORDER_MARKS[encoding]), content]);
}

/** The text of a file in a known encoding, without a check for binary data. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  if (isSingleByte(encoding)) {
    return runAtOnce(fromUnits(bytes)).replaceAll(
      /[\x80-\x9f]/g,
      (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte,
    );
  }
  const label = unitSize(encoding) === 1 ? 'utf-8' : isLittleEndian(encoding) ? 'utf-16le' : 'utf-16be';
  return new TextDecoder(label, { ignoreBOM: true }).decode(bytes.subarray(markLength(encoding)));
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE with BOM',
  'utf-16be': 'UTF-16 BE with BOM',
  'utf-16le-bare': 'UTF-16 LE without BOM',
  'utf-16be-bare': 'UTF-16 BE without BOM',
  'windows-1252': 'Windows-1252 (Latin-1)',
  unknown: 'encoding not known, shown as Windows-1252; edits keep its bytes',
};

function isSingleByte(encoding: TextEncoding): boolean {
  return encoding === 'windows-1252' || encoding === 'unknown';
}

/** The characters of the bytes 0x80 to 0x9f; five of them stand for themselves. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * The first character of a text that an encoding does not have; `undefined` if it has them all. An unknown one has, besides
 * ASCII, only the sequences that stand in the file already.
 */
export function unencodable(text: string, { encoding, text: known }: TextFormat): string | undefined {
  if (encoding === 'unknown') {
    const written = new Set(known.match(NOT_ASCII));
    return text
      .match(NOT_ASCII)
      ?.find((sequence) => !written.has(sequence))
      ?.slice(0, 1);
  }
  if (encoding !== 'windows-1252') return undefined;
  return [...text].find((character) => toWindows1252(character) > '\u00ff');
}

type TextFormat = Pick<Extract<FileContent, { type: 'text' }>, 'encoding' | 'text'>;

const NOT_ASCII = /[^\0-\x7f]+/g;

/** The byte of a character; a character that has none stays as it is. */
function toWindows1252(character: string): string {
  const index = WINDOWS_1252.indexOf(character);
  return index === -1 ? character : String.fromCharCode(0x80 + index);
}

const UNUSUAL_ENDINGS: Readonly<Partial<Record<LineEndings, string>>> = {
  crlf: 'CRLF line endings',
  mixed: 'mixed LF and CRLF line endings',
};

/** Describes the encoding and the line endings of a text file, each only if unusual: empty for UTF-8 with LF. */
export function describeFormat(encoding: TextEncoding, text: string): readonly string[] {
  const endings = UNUSUAL_ENDINGS[detectLineEndings(text)];
  return [
    ...(encoding === 'utf-8' ? [] : [ENCODING_NAMES[encoding]]),
    ...(encoding === 'utf-8' && text.includes('\ufffd')
      ? ['bytes that are not UTF-8 shown as \ufffd; edits keep them']
      : []),
    ...(endings === undefined ? [] : [endings]),
  ];
}

/** The encoding that the byte order mark of a file names; UTF-8 if it has none. */
function encodingOf(bytes: Uint8Array): TextEncoding {
  return (
    MARKED_ENCODINGS.find((encoding) => BYTE_ORDER_MARKS[encoding].every((byte, index) => bytes[index] === byte)) ??
    'utf-8'
  );
}

/** The length of the byte order mark of an encoding, in bytes. */
export function markLength(encoding: TextEncoding): number {
  return BYTE_ORDER_MARKS[encoding].length;
}

/** The size of a code unit of an encoding, in bytes. */
export function unitSize(encoding: TextEncoding): 1 | 2 {
  return encoding.startsWith('utf-16') ? 2 : 1;
}

function isLittleEndian(encoding: TextEncoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16le-bare';
}

/**
 * The bytes of a file after its byte order mark as a string of code units: one character for each byte (UTF-8) or each
 * pair of bytes (UTF-16). Unlike decoded text it loses no invalid byte, and its indexes map to positions in the file.
 * An odd last byte of UTF-16 is dropped.
 */
export function* bytesToUnits(bytes: Uint8Array, encoding: TextEncoding): Steps<string> {
  const content = bytes.subarray(markLength(encoding));
  if (unitSize(encoding) === 1) return yield* fromUnits(content);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const units = new Uint16Array(content.length >> 1);
  const isLittle = isLittleEndian(encoding);
  for (let index = 0; index < units.length; index++) units[index] = view.getUint16(index * 2, isLittle);
  return yield* fromUnits(units);
}

/** Encodes a text as a string of code units (see `bytesToUnits`). */
export function textToUnits(text: string, encoding: TextEncoding): string {
  if (isSingleByte(encoding)) return text.replaceAll(/[\x80-\x9f\u0100-\uffff]/g, toWindows1252);
  return unitSize(encoding) === 2 ? text : runAtOnce(fromUnits(new TextEncoder().encode(text)));
}

/** Converts a string of code units to bytes, without a byte order mark. */
export function unitsToBytes(units: string, encoding: TextEncoding): Uint8Array {
  const size = unitSize(encoding);
  const bytes = new Uint8Array(units.length * size);
  const view = new DataView(bytes.buffer);
  const isLittle = isLittleEndian(encoding);
  for (let index = 0; index < units.length; index++) {
    if (size === 1) view.setUint8(index, units.charCodeAt(index));
    else view.setUint16(index * 2, units.charCodeAt(index), isLittle);
  }
  return bytes;
}

function startsAsText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, INSPECTED_BYTES);
  if (start.includes(0)) return false;
  try {
    // A character may continue after the inspected start, but not after the end of the file.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: start.length < bytes.length });
    return true;
  } catch {
    return false;
  }
}

/** True if a file begins without control characters, except those of texts and of colours. */
function startsWithoutControls(bytes: Uint8Array): boolean {
  return bytes.subarray(0, INSPECTED_BYTES).every((byte) => byte >= 0x20 || TEXT_CONTROLS.includes(byte));
}

/** Backspace, tab, line feed, form feed, carriage return and escape. */
const TEXT_CONTROLS: readonly number[] = [0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b];

/** Every engine accepts this many arguments for `String.fromCharCode`. */
const CHUNK = 8_192;

function* fromUnits(units: Uint8Array | Uint16Array): Steps<string> {
  let text = '';
  for (let from = 0; from < units.length; from += CHUNK) {
    if (from % CHARACTERS_PER_STEP === CHARACTERS_PER_STEP - CHUNK) yield;
    // A spread of the units takes ten times as long.
    text += Reflect.apply(String.fromCharCode, undefined, units.subarray(from, from + CHUNK));
  }
  return text;
}

/** Signatures of well-known formats: the name, the bytes as Latin-1 text, and their offset. */
const SIGNATURES: readonly (readonly [name: string, bytes: string, offset?: number])[] = [
  ['PNG image', '\x89PNG\r\n\x1a\n'],
  ['JPEG image', '\xff\xd8\xff'],
  ['GIF image', 'GIF8'],
  ['WebP image', 'WEBP', 8],
  ['TIFF image', 'II*\0'],
  ['TIFF image', 'MM\0*'],
  ['icon', '\0\0\x01\0'],
  ['PDF document', '%PDF-'],
  ['ZIP archive', 'PK\x03\x04'],
  ['gzip archive', '\x1f\x8b'],
  ['bzip2 archive', 'BZh'],
  ['xz archive', '\xfd7zXZ\0'],
  ['Zstandard archive', '\x28\xb5\x2f\xfd'],
  ['7-Zip archive', '7z\xbc\xaf\x27\x1c'],
  ['tar archive', 'ustar', 257],
  ['ELF executable', '\x7fELF'],
  ['Mach-O executable', '\xcf\xfa\xed\xfe'],
  ['Mach-O or Java class file', '\xca\xfe\xba\xbe'],
  ['Windows executable', 'MZ'],
  ['WebAssembly module', '\0asm'],
  ['SQLite database', 'SQLite format 3\0'],
  ['WAV audio', 'WAVE', 8],
  ['MP3 audio', 'ID3'],
  ['Ogg media', 'OggS'],
  ['FLAC audio', 'fLaC'],
  ['MP4 media', 'ftyp', 4],
  ['Matroska media', '\x1a\x45\xdf\xa3'],
  ['WOFF font', 'wOFF'],
  ['WOFF2 font', 'wOF2'],
  ['TrueType font', '\0\x01\0\0\0'],
  ['OpenType font', 'OTTO'],
  ['UTF-32 text', '\xff\xfe\0\0'],
  ['UTF-32 text', '\0\0\xfe\xff'],
];

const UNKNOWN_TYPE = 'unknown type';

/** The type of a file according to its first bytes; `unknown type` if they match no known format. */
function fileTypeOf(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 300));
  const found = SIGNATURES.find(([, signature, offset = 0]) => start.startsWith(signature, offset));
  return found?.[0] ?? UNKNOWN_TYPE;
}
