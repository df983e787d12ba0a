import { brotliDecompressSync, constants, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** The formats of compression by their names in `content-encoding`, each with the bytes that it begins with, if it has a mark. */
const FORMATS = [
  { name: 'gzip', start: [0x1f, 0x8b], decompress: gunzipSync, cut: constants.Z_SYNC_FLUSH },
  { name: 'deflate', start: [0x78, 0x9c], decompress: inflateSync, cut: constants.Z_SYNC_FLUSH },
  { name: 'zstd', start: [0x28, 0xb5, 0x2f, 0xfd], decompress: zstdDecompressSync, cut: constants.ZSTD_e_flush },
  { name: 'br', start: undefined, decompress: brotliDecompressSync, cut: constants.BROTLI_OPERATION_FLUSH },
] as const;

/** A body without its compression, and the names of its formats, the outermost first. */
interface PlainBody {
  readonly bytes: Uint8Array;
  readonly formats: readonly string[];
}

/**
 * Decompresses a body, which some proxies compress without being asked, without a header, or more than once. A cut one
 * ends at the cut. Throws for one that is broken.
 */
export function decompressBody(bytes: Uint8Array, contentEncoding: string | null | undefined): PlainBody {
  const declared = (contentEncoding ?? '').toLowerCase().split(',').slice(0, MAX_FORMATS);
  const formats: string[] = [];
  let body = bytes;
  for (const last of [...declared, ''].toReversed()) {
    const format = FORMATS.find(({ name, start }) => {
      return last.trim() === name || start?.every((byte, index) => body[index] === byte) === true;
    });
    if (format === undefined) continue;
    try {
      body = format.decompress(body, { finishFlush: format.cut, maxOutputLength: MAX_BYTES });
      formats.push(format.name);
    } catch (error) {
      // Some proxies leave the header on a body that is plain.
      if (!/^[\s\x20-\x7e]/.test(String.fromCharCode(body[0] ?? 0))) throw error;
    }
  }
  return { bytes: body, formats };
}

/** The maximum size of a body without its compression: a small one may hold gigabytes of zeros. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The maximum number of formats on top of each other that are read. */
const MAX_FORMATS = 5;
