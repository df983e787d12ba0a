import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/text/bytes/byte-builder.ts';
import {
  bytesToUnits,
  decodeFile,
  decodeText,
  encodeFile,
  markLength,
  textToUnits,
  unencodable,
  unitsToBytes,
} from '../../../../src/text/bytes/decode.ts';
import { runAtOnce } from '../../../../src/text/steps.ts';
import { propertySettings } from '../../../support/random/property.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const ascii = (length: number): number[] => Array.from({ length }, () => 0x61);

it('every byte of Windows-1252 survives decoding and encoding, and a character that it lacks is named', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = decodeText(all, 'windows-1252');
  expect(new Set(text).size).toBe(256);
  expect(encodeFile(text, 'windows-1252')).toEqual(all);
  expect(unencodable(text, { encoding: 'windows-1252', text: '' })).toBeUndefined();
  expect(unencodable('a€ž日', { encoding: 'windows-1252', text: '' })).toBe('日');
  expect(unencodable('日', { encoding: 'utf-8', text: '' })).toBeUndefined();
  expect(unencodable('a', { encoding: 'unknown', text: '' })).toBeUndefined();
});

it.each([
  ['Shift-JIS', '90dd92e88141834a835e834a836982c682d082e782aa82c881420a', 'unknown'],
  ['EUC-JP', 'c0dfc4eaa1a2a5aba5bfa5aba5caa4c8a4d2a4e9a4aca4caa1a30a', 'unknown'],
  ['GBK', 'c5e4d6c3cec4bcfeb5c4d6d0cec4d7a2cacda1a30a', 'unknown'],
  ['Big5', 'b35da977c0c9aabaa4a4a4e5b5f9b8d1a1430a', 'unknown'],
  ['EUC-KR', 'bcb3c1a420c6c4c0cfc0c720c1d6bcaec0d4b4cfb4d92e0a', 'unknown'],
  ['KOI8-R', 'eec1d3d4d2cfcacbc920d0d2cfc7d2c1cdcdd92e0a', 'unknown'],
  ['Windows-1251', 'cde0f1f2f0eee9eae820eff0eee3f0e0ececfb2e0a', 'unknown'],
  [
    'Windows-1252',
    '4772f6df6520756e64204675df6e6f74652c20636166e92c206e61ef76652c20fc6265726de4df69672c207365f16f720a',
    'windows-1252',
  ],
  ['UTF-8 with a byte of another encoding', 'c3a920c3a820e90a', 'utf-8'],
])('%s is recognised', (_name, hex, encoding) => {
  expect(decodeFile(Uint8Array.from(Buffer.from(hex, 'hex')))).toMatchObject({ encoding });
});

// As `iconv -t UTF-16LE` and `-t UTF-16BE` write them.
it.each([
  ['47007200f600df00650020003d0020002200310022003b000d000a00', 'utf-16le-bare', 'Größe = "1";\r\n'],
  ['2f002a0020000d544d5220002a002f002000', 'utf-16le-bare', '/* 名前 */ '],
  ['41000a00', 'utf-16le-bare', 'A\n'],
  ['007b002200e90022003a00200031007d000d000a', 'utf-16be-bare', '{"é": 1}\r\n'],
])('UTF-16 without a byte order mark is text: %s', (hex, encoding, text) => {
  const file = Uint8Array.from(Buffer.from(hex, 'hex'));
  expect(decodeFile(file)).toEqual({ type: 'text', encoding, text });
  const long = Uint8Array.from([...Array.from({ length: 3_000 }, () => [...file]).flat(), 0, 0]);
  expect(decodeFile(long)).toMatchObject({ type: 'text', encoding });
});

it.each([
  ['zeros at odd and even places', '41004200430000004400'],
  ['one zero', '610062636465'],
  ['control characters', '410001004200'],
  ['half of a character', '410042003d d8'],
  ['an odd length', '4100420043'],
  ['numbers of four bytes', '4100000042000000'],
  ['characters that are not assigned', '4100420078 03'],
])('bytes are no UTF-16 without a byte order mark: %s', (_name, hex) => {
  const file = Uint8Array.from(Buffer.from(hex.replace(' ', ''), 'hex'));
  expect(decodeFile(file).type).toBe('binary');
});

describe('a file', () => {
  it.each<readonly [string, Uint8Array, string, string]>([
    ['empty', bytes(), 'utf-8', ''],
    ['UTF-8', bytes(0xc3, 0xa9), 'utf-8', 'é'],
    ['UTF-8 with a BOM', bytes(0xef, 0xbb, 0xbf, 0x61), 'utf-8-bom', 'a'],
    ['UTF-8 with a BOM within the text', bytes(0x61, 0xef, 0xbb, 0xbf), 'utf-8', 'a\ufeff'],
    ['UTF-8 with two BOMs', bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), 'utf-8-bom', '\ufeff'],
    ['UTF-16 LE', bytes(0xff, 0xfe, 0x61, 0), 'utf-16le', 'a'],
    ['UTF-16 BE', bytes(0xfe, 0xff, 0, 0x61), 'utf-16be', 'a'],
    ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9, 10), 'windows-1252', 'café\n'],
    ['Windows-1252', bytes(0x93, 0x80, 0x94, 0x81, 0xa0), 'windows-1252', '“€”\u0081\u00a0'],
    ['cut within a character of UTF-8', bytes(0x61, 0xe2, 0x82), 'windows-1252', 'aâ‚'],
    ['the BOM of UTF-16 LE alone', bytes(0xff, 0xfe), 'utf-16le', ''],
  ])('%s is text', (_name, content, encoding, text) => {
    expect(decodeFile(content)).toEqual({ type: 'text', encoding, text });
  });

  it.each<readonly [string, Uint8Array, string]>([
    ['with a NUL', bytes(0x61, 0, 0x62), 'unknown type'],
    ['with a NUL at the end of the first 8 KB', bytes(...ascii(8_191), 0), 'unknown type'],
    ['with a byte that never occurs in UTF-8 and a control character', bytes(0x61, 0xff, 1), 'unknown type'],
    ['UTF-32 LE', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'UTF-32 text'],
    ['PNG', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0), 'PNG image'],
    ['ELF', bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0), 'ELF executable'],
    ['WebP', bytes(0x52, 0x49, 0x46, 0x46, 1, 0, 0, 0, 0x57, 0x45, 0x42, 0x50), 'WebP image'],
  ])('%s is binary', (_name, content, fileType) => {
    expect(decodeFile(content)).toEqual({ type: 'binary', fileType });
  });

  it.each([
    ['\xff\xd8\xff\xe0', 'JPEG image'],
    ['GIF89a', 'GIF image'],
    ['RIFF1234WAVEfmt ', 'WAV audio'],
    ['%PDF-1.7', 'PDF document'],
    ['PK\x03\x04', 'ZIP archive'],
    ['\x1f\x8b\x08', 'gzip archive'],
    [`${'\0'.repeat(257)}ustar`, 'tar archive'],
    ['\0\0\0\x20ftypisom', 'MP4 media'],
    ['\0asm\x01', 'WebAssembly module'],
    ['SQLite format 3', 'SQLite database'],
    ['P', 'unknown type'],
  ])('that starts with %j has the type %s', (start, fileType) => {
    const content = Uint8Array.from(`${start}\0`, (character) => character.charCodeAt(0));
    expect(decodeFile(content)).toEqual({ type: 'binary', fileType });
  });

  it.each<readonly [string, number[]]>([
    ['a character across the end of the first 8 KB', [...ascii(8_191), 0xc3, 0xa9]],
    ['a NUL after the first 8 KB', [...ascii(8_192), 0]],
    ['an invalid byte after the first 8 KB', [...ascii(8_192), 0xff]],
  ])('with %s is text', (_name, content) => {
    expect(decodeFile(bytes(...content)).type).toBe('text');
  });
});

const character = fc
  .integer({ min: 1, max: 0x10_ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const encodings = fc.constantFrom('utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be' as const);

describe('converting', () => {
  it('text to bytes and back loses nothing', () => {
    const text = fc.string({ unit: character, maxLength: 12 }).filter((value) => !value.startsWith('\ufeff'));
    fc.assert(
      fc.property(text, encodings, (value, encoding) => {
        expect(decodeFile(encodeFile(value, encoding))).toEqual({ type: 'text', encoding, text: value });
      }),
      propertySettings(50),
    );
  });

  it('arbitrary bytes to code units and back loses nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), encodings, (content, encoding) => {
        const mark = encodeFile('', encoding);
        const isOdd = encoding.startsWith('utf-16') && content.length % 2 === 1;
        const even = isOdd ? content.slice(0, -1) : content;
        const units = runAtOnce(bytesToUnits(concatBytes([mark, content]), encoding));
        expect(unitsToBytes(units, encoding)).toEqual(even);
        expect(mark).toHaveLength(markLength(encoding));
      }),
      propertySettings(50),
    );
  });

  it('works for a file with more bytes than a function accepts arguments', () => {
    const text = 'é'.repeat(70_000);
    const bytes = unitsToBytes(textToUnits(text, 'utf-8'), 'utf-8');
    expect(Buffer.from(text).equals(bytes ?? new Uint8Array())).toBe(true);
  });
});
