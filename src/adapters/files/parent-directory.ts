import path from 'node:path';
import { FileSystemError } from '../../core/errors.ts';
import type { FileSystemPromises, OpenFlags } from './file-system-promises.ts';

/** A directory that is being written in. Whoever opened it closes it. */
export interface ParentDirectory {
  /** The path of an entry of this directory, valid until `close`. */
  entry(name: string): string;
  /** Throws `moved` when the directory is no longer where it was. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** How a parent directory is held. Missing parts of its path are created. */
export type HoldDirectory = (directory: string) => Promise<ParentDirectory>;

/**
 * Holds a directory by its descriptor: entries are reached through `/proc/self/fd`, so nobody can swap a link in
 * between the check and the write. Linux only. Throws `moved` when `directory` is not a real path.
 */
export function holdByDescriptor(promises: FileSystemPromises, flags: OpenFlags): HoldDirectory {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = flags;

  /** Opens `directory`, reached as `entry`. */
  const open = async (entry: string, directory: string): Promise<ParentDirectory> => {
    const handle = await promises.open(entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
      throw hasName(error, 'ENOTDIR', 'ELOOP') ? new FileSystemError('moved', directory, { cause: error }) : error;
    });
    const beneath = `/proc/self/fd/${handle.fd}`;
    const verify = async (): Promise<void> => {
      if ((await promises.readlink(beneath)) !== directory) throw new FileSystemError('moved', directory);
    };
    try {
      await verify();
    } catch (error) {
      await handle.close();
      throw error;
    }
    return { entry: (name) => `${beneath}/${name}`, verify, close: () => handle.close() };
  };

  return function hold(directory) {
    return openOrCreate(promises, directory, hold, open);
  };
}

/**
 * Compares the directory's real path before and after instead; a swap that is undone between the two is not noticed.
 * For platforms without `/proc`.
 */
export function holdByRealPath(promises: FileSystemPromises): HoldDirectory {
  const open = async (_entry: string, directory: string): Promise<ParentDirectory> => {
    const verify = async (): Promise<void> => {
      const real = await promises.realpath(directory);
      const stat = await promises.lstat(real);
      if (real !== directory || !stat.isDirectory()) throw new FileSystemError('moved', directory);
    };
    await verify();
    return { entry: (name) => path.join(directory, name), verify, close: async () => {} };
  };

  return function hold(directory) {
    return openOrCreate(promises, directory, hold, open);
  };
}

/** Opens a directory; one that is missing is created in its parent, which is held in the same way meanwhile. */
async function openOrCreate(
  promises: FileSystemPromises,
  directory: string,
  hold: HoldDirectory,
  open: (entry: string, directory: string) => Promise<ParentDirectory>,
): Promise<ParentDirectory> {
  try {
    return await open(directory, directory);
  } catch (error) {
    if (!hasName(error, 'ENOENT') || path.dirname(directory) === directory) throw error;
  }
  const parent = await hold(path.dirname(directory));
  try {
    const entry = parent.entry(path.basename(directory));
    await promises.mkdir(entry).catch((error: unknown) => {
      if (!hasName(error, 'EEXIST')) throw error;
    });
    return await open(entry, directory);
  } finally {
    await parent.close();
  }
}

function hasName(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && names.some((name) => name === error.code);
}
