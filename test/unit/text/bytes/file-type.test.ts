import { expect, it } from 'vitest';
import { fileTypeOf } from '../../../../src/text/bytes/file-type.ts';

it.each([
  ['\x89PNG\r\n\x1a\n', 'PNG image'],
  ['\xff\xd8\xff\xe0', 'JPEG image'],
  ['GIF89a', 'GIF image'],
  ['RIFF1234WEBPVP8 ', 'WebP image'],
  ['RIFF1234WAVEfmt ', 'WAV audio'],
  ['%PDF-1.7', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b\x08', 'gzip archive'],
  [`${'\0'.repeat(257)}ustar`, 'tar archive'],
  ['\0\0\0\x20ftypisom', 'MP4 media'],
  ['\0asm\x01', 'WebAssembly module'],
  ['SQLite format 3\0', 'SQLite database'],
  ['', 'unknown type'],
  ['hello', 'unknown type'],
  ['P', 'unknown type'],
])('the start %j has the type %s', (start, type) => {
  expect(fileTypeOf(Uint8Array.from(start, (character) => character.charCodeAt(0)))).toBe(type);
});
