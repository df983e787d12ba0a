import path from 'node:path';
import { unlessFileError } from '../../agent/errors.ts';
import type { Digest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';

/**
 * The place of a journal of writes: lines of an index, and byte sequences by their digest. Its methods throw
 * `FileSystemError`.
 */
export interface WriteStorage {
  /** The lines of the index; the last one may be incomplete after a crash. */
  lines(): Promise<readonly string[]>;
  /** Adds a line, which is on the disk when the call returns. */
  addLine(line: string): Promise<void>;
  /** The digests of the byte sequences. */
  digests(): Promise<readonly Digest[]>;
  /** Keeps bytes, whole or not at all. Bytes that are kept already are not written again. */
  keep(digest: Digest, bytes: Uint8Array): Promise<void>;
  /** The bytes with this digest; `undefined` if they were not kept. */
  read(digest: Digest): Promise<Uint8Array | undefined>;
}

/** The index, in which each write adds lines, and next to it one file per byte sequence, named after its digest. */
const INDEX = 'index.jsonl';

const DIGEST = /^[0-9a-f]{64}$/;

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** The directory of the writes of a session, among the other files of the session. */
export function writesDirectoryOf(directory: string, name: string): string {
  return path.join(directory, name, 'writes');
}

/** A storage in a directory that is created with the first line, and that only its owner may read. */
export function storedWrites(fileSystem: FileSystem, directory: string): WriteStorage {
  const index = path.join(directory, INDEX);
  /** The index may end in the middle of a line, which a process left behind when it ended. */
  let mayBeTorn = true;
  const readIndex = async (): Promise<string> =>
    new TextDecoder().decode((await unlessFileError(fileSystem.readFile(index, NO_LIMIT), 'not_found'))?.bytes);
  return {
    lines: async () => (await readIndex()).split('\n').filter((line) => line !== ''),
    async addLine(line) {
      await fileSystem.createDirectory(directory, 'owner');
      const start = mayBeTorn && /[^\n]$/.test(await readIndex()) ? '\n' : '';
      const file = await fileSystem.openAppend(index);
      try {
        await file.append(new TextEncoder().encode(`${start}${line}\n`));
        await file.sync();
      } finally {
        await file.close();
      }
      mayBeTorn = false;
    },
    async digests() {
      const entries = (await unlessFileError(fileSystem.list(directory), 'not_found')) ?? [];
      return entries.flatMap(({ name, kind }) => (kind === 'file' && DIGEST.test(name) ? [name] : []));
    },
    async keep(digest, bytes) {
      if ((await unlessFileError(fileSystem.stat(path.join(directory, digest)), 'not_found')) !== undefined) return;
      await fileSystem.createDirectory(directory, 'owner');
      await fileSystem.replaceFile(await fileSystem.realPath(directory), digest, bytes, 0o600);
    },
    read: async (digest) =>
      (await unlessFileError(fileSystem.readFile(path.join(directory, digest), NO_LIMIT), 'not_found'))?.bytes,
  };
}

/** A storage in memory. What `base` has is part of it, and `base` stays as it is. */
export function rememberedWrites(base?: WriteStorage): WriteStorage {
  const lines: string[] = [];
  const kept = new Map<Digest, Uint8Array>();
  return {
    lines: async () => [...((await base?.lines()) ?? []), ...lines],
    async addLine(line) {
      lines.push(line);
    },
    digests: async () => [...((await base?.digests()) ?? []), ...kept.keys()],
    async keep(digest, bytes) {
      kept.set(digest, bytes);
    },
    read: async (digest) => kept.get(digest) ?? (await base?.read(digest)),
  };
}

/** Copies a storage into a directory. A copy of an earlier state of the same storage may be there. */
export async function copyWrites(from: WriteStorage, fileSystem: FileSystem, directory: string): Promise<void> {
  const lines = await from.lines();
  if (lines.length === 0) return;
  const to = storedWrites(fileSystem, directory);
  for (const digest of await from.digests()) {
    const bytes = await from.read(digest);
    if (bytes !== undefined) await to.keep(digest, bytes);
  }
  await fileSystem.createDirectory(directory, 'owner');
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  await fileSystem.replaceFile(await fileSystem.realPath(directory), INDEX, bytes, 0o600);
}
