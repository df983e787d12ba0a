import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { FileSystemPromises, HandleLike } from '../../../src/node/files/file-system-promises.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import type { MemoryFileSystem } from './memory-file-system.ts';

/** A file system over a volume in memory, whose process ends at a chosen operation. */
export interface CrashingFileSystem {
  readonly fileSystem: FileSystem;
  /** Number of changing operations so far. */
  readonly operations: () => number;
}

/** The error of every operation after the end of the process. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/**
 * Creates a file system whose process ends at the changing operation number `crashAt`, counted from 1: that operation
 * does not happen, or half of it if it is a write, and every later operation fails.
 */
export function crashAt(crashing: number, { promises, volume }: MemoryFileSystem): CrashingFileSystem {
  let count = 0;
  const guard = (): boolean => {
    if (count >= crashing) throw new CrashError();
    count += 1;
    return count === crashing;
  };
  const change = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (guard()) throw new CrashError();
    return work();
  };
  const write = async <Value>(bytes: Uint8Array, work: (bytes: Uint8Array) => Promise<Value>): Promise<Value> => {
    const isLast = guard();
    const written = await work(isLast ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes);
    if (isLast) throw new CrashError();
    return written;
  };
  const handleOf = (handle: HandleLike): HandleLike => ({
    ...handle,
    write: (bytes) => write(bytes, (part) => handle.write(part)),
    writeFile: (bytes) => write(bytes, (part) => handle.writeFile(part)),
    truncate: (size) => change(() => handle.truncate(size)),
    sync: () => change(() => handle.sync()),
  });
  const crashingPromises: FileSystemPromises = {
    ...promises,
    open: async (path, flags, mode) => {
      const creates =
        typeof flags === 'string' ? flags.includes('w') : (flags & volume.promises.constants.O_CREAT) !== 0;
      return handleOf(
        await (creates ? change(() => promises.open(path, flags, mode)) : promises.open(path, flags, mode)),
      );
    },
    mkdir: (path, options) => change(() => promises.mkdir(path, options)),
    rename: (from, to) => change(() => promises.rename(from, to)),
    chmod: (path, mode) => change(() => promises.chmod(path, mode)),
    rmdir: (path) => change(() => promises.rmdir(path)),
    unlink: (path) => change(() => promises.unlink(path)),
    rm: (path, options) => change(() => promises.rm(path, options)),
  };
  let names = 0;
  const fileSystem = createNodeFileSystem(crashingPromises, {
    flags: volume.promises.constants,
    swapProtection: 'real_path',
    currentUser: () => undefined,
    uniqueName: () => `${crashing}-${++names}`,
  });
  return { fileSystem, operations: () => count };
}
