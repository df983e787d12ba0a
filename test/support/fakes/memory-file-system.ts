import { Volume } from 'memfs';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { EntryLike, FileSystemPromises, HandleLike } from '../../../src/node/files/file-system-promises.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';

// memfs queries the owner of the process at each part of a path, and each query takes a system call.
for (const name of ['getuid', 'getgid'] as const) {
  const id = process[name]?.();
  if (id !== undefined) process[name] = () => id;
}

/** The real adapter over a volume in memory, and the volume itself for set-up and assertions. */
export interface MemoryFileSystem {
  readonly fileSystem: FileSystem;
  readonly volume: Volume;
  readonly promises: FileSystemPromises;
}

/** A new volume with these files, by absolute path; parents are created. Contents are strings or bytes. */
export function createMemoryFileSystem(files: Readonly<Record<string, string | Uint8Array>> = {}): MemoryFileSystem {
  const volume = new Volume();
  volume.mkdirSync('/tmp', { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    volume.mkdirSync(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
    volume.writeFileSync(path, content);
  }
  const promises = promisesOf(volume);
  let names = 0;
  const fileSystem = createNodeFileSystem(promises, {
    flags: volume.promises.constants,
    swapProtection: 'real_path',
    currentUser: () => undefined,
    uniqueName: () => `${++names}`,
  });
  return { fileSystem, volume, promises };
}

/** The volume's promises with the stricter types of `node:fs/promises`. */
function promisesOf(volume: Volume): FileSystemPromises {
  const { promises } = volume;
  return {
    open: async (path, flags, mode) => asHandle(await promises.open(path, flags, mode)),
    stat: (path) => promises.stat(path),
    lstat: (path) => promises.lstat(path),
    realpath: async (path) => String(await promises.realpath(path)),
    readlink: async (path) => String(await promises.readlink(path)),
    readdir: async (path, options) => (await promises.readdir(path, options)).map(asEntry),
    opendir: async (path) => entriesOf(await promises.opendir(path)),
    mkdir: (path, options) => promises.mkdir(path, options),
    chmod: (path, mode) => promises.chmod(path, mode),
    rename: (from, to) => promises.rename(from, to),
    unlink: (path) => promises.unlink(path),
    rmdir: (path) => promises.rmdir(path),
    rm: (path, options) => promises.rm(path, options),
  };
}

/** Adds `sync`, which memfs implements but does not declare. */
function asHandle(handle: Awaited<ReturnType<Volume['promises']['open']>>): HandleLike {
  return {
    fd: handle.fd,
    stat: () => handle.stat(),
    read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
    write: (bytes, offset, length, position) => handle.write(bytes, offset, length, position),
    writeFile: (bytes) => handle.writeFile(bytes),
    truncate: (size) => handle.truncate(size),
    chmod: (mode) => handle.chmod(mode),
    chown: (uid, gid) => handle.chown(uid, gid),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

async function* entriesOf(directory: AsyncIterable<unknown>): AsyncGenerator<EntryLike, void> {
  for await (const entry of directory) yield asEntry(entry);
}

function asEntry(entry: unknown): EntryLike {
  if (isEntry(entry)) return entry;
  throw new Error(`memfs answered readdir with ${String(entry)} instead of an entry`);
}

function isEntry(entry: unknown): entry is EntryLike {
  return typeof entry === 'object' && entry !== null && 'isSymbolicLink' in entry && 'name' in entry;
}
