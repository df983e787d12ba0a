import { ByteBuilder } from './byte-builder.ts';

/** A file as git has stored it: the size and the time of the file on the disk at that moment, and its digest. */
export interface TrackedFile {
  readonly size: number;
  readonly seconds: number;
  readonly nanoseconds: number;
  /** SHA-1 of the object, in hexadecimal digits. */
  readonly digest: string;
}

/** The offsets in an entry. The digest, of SHA-1 or of SHA-256, is followed by two bytes of flags and the path. */
const MODE_OFFSET = 24;
const SIZE_OFFSET = 36;
const DIGEST_OFFSET = 40;
const SHA1_LENGTH = 20;
const SHA256_LENGTH = 32;

const END_OF_PATH = Uint8Array.of(0);

/** Git stores the low 32 bits of a number. */
const UINT32 = 2n ** 32n;

/**
 * The regular files among `paths` that the index of a repository has, by their paths relative to the repository. Pure. Of
 * an index that this function cannot read, such as one of SHA-256, it returns none; one that is split has only some.
 */
export function trackedFiles(index: Uint8Array, paths: ReadonlySet<string>): ReadonlyMap<string, TrackedFile> {
  const found = new Map<string, TrackedFile>();
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const lengths = new Set([...paths].map((path) => new TextEncoder().encode(path).length));
  const decoder = new TextDecoder();
  const isRead = readEntries(index, SHA1_LENGTH, (kind, path, at) => {
    const text = kind === 0o10 && lengths.has(path.length) ? decoder.decode(path) : undefined;
    if (text === undefined || !paths.has(text)) return;
    found.set(text, {
      size: view.getUint32(at + SIZE_OFFSET),
      seconds: view.getUint32(at + 8),
      nanoseconds: view.getUint32(at + 12),
      digest: hexadecimal(index.subarray(at + DIGEST_OFFSET, at + DIGEST_OFFSET + SHA1_LENGTH)),
    });
  });
  return isRead === undefined ? new Map() : found;
}

/**
 * The entries that an index stages, as bytes to compare, without the times and sizes that `git status` renews. Pure.
 * `undefined` if the bytes are no index, or if it is split, because its entries are in two files then.
 */
export function stagedEntries(index: Uint8Array): Uint8Array | undefined {
  for (const length of [SHA1_LENGTH, SHA256_LENGTH]) {
    const staged = new ByteBuilder();
    const extensions = readEntries(index, length, (_, path, at) => {
      staged.add(index, at + MODE_OFFSET, at + MODE_OFFSET + 4);
      // The flags, which may be extended, follow the digest.
      staged.add(index, at + DIGEST_OFFSET, at + DIGEST_OFFSET + length + 4);
      staged.add(path);
      staged.add(END_OF_PATH);
    });
    const isSplit =
      extensions !== undefined && new TextDecoder().decode(index.subarray(extensions, extensions + 4)) === 'link';
    if (extensions !== undefined && !isSplit) return staged.take();
  }
  return undefined;
}

/** Paths in an index, relative to its repository. */
export interface IndexPaths {
  /** Those of repositories, such as submodules. */
  readonly submodules: readonly string[];
  /** Those that git never stores, but would write: in a directory of git, or outside of the repository. */
  readonly strays: readonly string[];
}

/**
 * The special paths of an index of a repository with this `config`. If its kind of digest is not certain, some of them may
 * not exist. Pure.
 */
export function specialPaths(index: Uint8Array, config: string): IndexPaths {
  const decoder = new TextDecoder();
  const [submodules, strays]: [string[], string[]] = [[], []];
  for (const length of digestLengths(config)) {
    readEntries(index, length, (kind, path) => {
      if (kind === 0o16) submodules.push(decoder.decode(path));
      if (mayStray(path) && STRAY.test(decoder.decode(path))) strays.push(decoder.decode(path));
    });
  }
  return { submodules, strays };
}

/** Only the configuration tells the kind of digests, because a command can write an index that can be read as both. */
function digestLengths(config: string): readonly number[] {
  // A key is written as it is; a value can have quotes and continued lines.
  const isNamed = /\bobjectformat\b/i.test(config) && /sha256/i.test(config.replaceAll(/\\\r?\n|"/g, ''));
  if (!isNamed) return [SHA1_LENGTH];
  const isCertain = /\[extensions\]\n(?:\t\w+ = \w+\n)*\tobjectformat = sha256\n/i.test(config);
  return isCertain && config.split(/\bobjectformat\b/i).length === 2 ? [SHA256_LENGTH] : [SHA1_LENGTH, SHA256_LENGTH];
}

/** A path with a part that git refuses in every new entry. */
const STRAY = /^\/|(?:^|\/)(?:\.git|\.\.?)(?:\/|$)/i;

/** True if the path begins with a slash or a part of it with a dot. This is much faster than decoding the path. */
function mayStray(path: Uint8Array): boolean {
  for (let at = path.indexOf(DOT); at !== -1; at = path.indexOf(DOT, at + 1))
    if (at === 0 || path[at - 1] === SLASH) return true;
  return path[0] === SLASH;
}

const [DOT, SLASH] = [0x2e, 0x2f];

/**
 * Passes on the type, the path and the offset of each entry. Returns the offset of the extensions; `undefined` if the
 * bytes end within an entry, or are no index with such digests.
 */
function readEntries(
  index: Uint8Array,
  digestLength: number,
  use: (kind: number, path: Uint8Array, at: number) => void,
): number | undefined {
  if (index.length < 12) return undefined;
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const version = view.getUint32(4);
  const isIndex = view.getUint32(0) === 0x44_49_52_43;
  if (!isIndex || version < 2 || version > 4) return undefined;
  const flags = DIGEST_OFFSET + digestLength;
  let path: Uint8Array = new Uint8Array();
  let at = 12;
  for (let remaining = view.getUint32(8); remaining > 0; remaining -= 1) {
    if (at + flags + 2 > index.length) return undefined;
    // An extended entry has two more bytes of flags.
    const start = at + flags + ((view.getUint16(at + flags) & 0x4000) === 0 ? 2 : 4);
    const missing = version === 4 ? skipNumber(index, start) : undefined;
    const next = missing?.next ?? start;
    const end = index.indexOf(0, next);
    if (end === -1) return undefined;
    const rest = index.subarray(next, end);
    // Version 4 leaves out what a path has in common with the one before.
    path = missing === undefined ? rest : concatenate(path.subarray(0, Math.max(0, path.length - missing.value)), rest);
    use(view.getUint32(at + MODE_OFFSET) >>> 12, path, at);
    // Before version 4, an entry ends with one to eight NULs, at a multiple of eight.
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  // Extensions, each with its size, and a digest of everything follow.
  const last = index.length - digestLength;
  const extensions = at;
  while (at + 8 <= last) at += 8 + view.getUint32(at + 4);
  return at === last ? extensions : undefined;
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
