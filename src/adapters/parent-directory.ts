import path from 'node:path';
import { FileSystemError } from '../core/errors.ts';
import type { FileSystemPromises, OpenFlags } from './file-system-promises.ts';

/** A directory that is being written in. Whoever opened it closes it. */
export interface ParentDirectory {
  /** The path of an entry of this directory, valid until `close`. */
  entry(name: string): string;
  /** Throws `moved` when the directory is no longer where it was. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** How a parent directory is held. */
export type HoldDirectory = (directory: string) => Promise<ParentDirectory>;

/**
 * Holds a directory by its descriptor: entries are reached through `/proc/self/fd`, so nobody can swap a link in
 * between the check and the write. Linux only. Throws `moved` when `directory` is not a real path.
 */
export function holdByDescriptor(promises: FileSystemPromises, flags: OpenFlags): HoldDirectory {
  return async (directory) => {
    const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = flags;
    const handle = await promises.open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
      throw isNoDirectory(error) ? new FileSystemError('moved', directory, { cause: error }) : error;
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
}

/**
 * Compares the directory's real path before and after instead; a swap that is undone between the two is not noticed.
 * For platforms without `/proc`.
 */
export function holdByRealPath(promises: FileSystemPromises): HoldDirectory {
  return async (directory) => {
    const verify = async (): Promise<void> => {
      const real = await promises.realpath(directory);
      const stat = await promises.lstat(real);
      if (real !== directory || !stat.isDirectory()) throw new FileSystemError('moved', directory);
    };
    await verify();
    return { entry: (name) => path.join(directory, name), verify, close: async () => {} };
  };
}

/** What the kernel says when a link or a file stands where a directory was. */
function isNoDirectory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTDIR' || error.code === 'ELOOP');
}
