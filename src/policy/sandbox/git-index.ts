/** A file as git has stored it: the size and the time of the file on the disk at that moment, and its digest. */
export interface TrackedFile {
  readonly size: number;
  readonly seconds: number;
  readonly nanoseconds: number;
  /** SHA-1 of the object, in hexadecimal digits. */
  readonly digest: string;
}

/** The length of an entry before the path, with a SHA-1 digest. */
const FIXED_LENGTH = 62;
const MODE_OFFSET = 24;
const SIZE_OFFSET = 36;
const DIGEST_OFFSET = 40;
const FLAGS_OFFSET = 60;

/** Git stores the low 32 bits of a number. */
const UINT32 = 2n ** 32n;

/**
 * The regular files among `paths` that the index of a repository has, by their paths relative to the repository. Pure. Of
 * an index that this function cannot read, such as one of SHA-256, it returns none; one that is split has only some.
 */
export function trackedFiles(index: Uint8Array, paths: ReadonlySet<string>): ReadonlyMap<string, TrackedFile> {
  const found = new Map<string, TrackedFile>();
  if (index.length < 12) return found;
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const version = view.getUint32(4);
  const isIndex = view.getUint32(0) === 0x44_49_52_43;
  if (!isIndex || version < 2 || version > 4) return found;
  const lengths = new Set([...paths].map((path) => new TextEncoder().encode(path).length));
  const decoder = new TextDecoder();
  let path: Uint8Array = new Uint8Array();
  let at = 12;
  for (let remaining = view.getUint32(8); remaining > 0; remaining -= 1) {
    if (at + FIXED_LENGTH > index.length) return new Map();
    // An extended entry has two more bytes of flags.
    const start = at + FIXED_LENGTH + ((view.getUint16(at + FLAGS_OFFSET) & 0x4000) === 0 ? 0 : 2);
    const missing = version === 4 ? skipNumber(index, start) : undefined;
    const next = missing?.next ?? start;
    const end = index.indexOf(0, next);
    if (end === -1) return new Map();
    const rest = index.subarray(next, end);
    // Version 4 leaves out what a path has in common with the one before.
    path = missing === undefined ? rest : concatenate(path.subarray(0, Math.max(0, path.length - missing.value)), rest);
    const isFile = view.getUint32(at + MODE_OFFSET) >>> 12 === 0o10;
    const text = isFile && lengths.has(path.length) ? decoder.decode(path) : undefined;
    if (text !== undefined && paths.has(text)) {
      found.set(text, {
        size: view.getUint32(at + SIZE_OFFSET),
        seconds: view.getUint32(at + 8),
        nanoseconds: view.getUint32(at + 12),
        digest: hexadecimal(index.subarray(at + DIGEST_OFFSET, at + FLAGS_OFFSET)),
      });
    }
    // Before version 4, an entry ends with one to eight NULs, at a multiple of eight.
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return found;
}

/**
 * True if a file on the disk is the one that git has stored. A command can write any size and time into an index, but it
 * does not know the digest of a file that it cannot read.
 */
export function isUnchanged(
  { size, seconds, nanoseconds, digest }: TrackedFile,
  file: { readonly size: bigint; readonly mtimeNs: bigint; readonly digests: () => readonly string[] },
): boolean {
  const isSameTime =
    BigInt(seconds) === (file.mtimeNs / 1_000_000_000n) % UINT32 &&
    BigInt(nanoseconds) === file.mtimeNs % 1_000_000_000n;
  return isSameTime && BigInt(size) === file.size % UINT32 && file.digests().includes(digest);
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function concatenate(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Reads a number of variable length, as git writes offsets. */
function skipNumber(bytes: Uint8Array, start: number): { readonly next: number; readonly value: number } {
  let byte = bytes[start] ?? 0;
  let value = byte & 0x7f;
  let next = start + 1;
  while ((byte & 0x80) !== 0) {
    byte = bytes[next] ?? 0;
    next += 1;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { next, value };
}
