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

/** The type of a file according to its first bytes; `unknown type` if they match no known format. */
export function fileTypeOf(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 300));
  const found = SIGNATURES.find(([, signature, offset = 0]) => start.startsWith(signature, offset));
  return found?.[0] ?? 'unknown type';
}
