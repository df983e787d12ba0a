import path from 'node:path';
import { errorCode, FileSystemError } from '../../core/errors.ts';
import type { FileSystemPromises, OpenFlags } from './file-system-promises.ts';

/** An open directory to write into. The caller closes it. */
export interface ParentDirectory {
  /** The path of an entry of this directory, valid until `close`. */
  entry(name: string): string;
  /** Throws `moved` when the directory is no longer where it was. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a directory, creating the missing parts of its path. */
export type HoldDirectory = (directory: string) => Promise<ParentDirectory>;

/**
 * Opens directories by descriptor. Entries are accessed through `/proc/self/fd`, so a link that replaces the directory
 * after the check has no effect. Linux only. Throws `moved` when the directory is not a real path.
 */
export function holdByDescriptor(promises: FileSystemPromises, flags: OpenFlags): HoldDirectory {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = flags;

  /** Opens `directory`, reached as `entry`. */
  const open = async (entry: string, directory: string): Promise<ParentDirectory> => {
    const handle = await promises.open(entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
      const moved = ['ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
      throw moved ? new FileSystemError('moved', directory, { cause: error }) : error;
    });
    const root = `/proc/self/fd/${handle.fd}`;
    const verify = async (): Promise<void> => {
      if ((await promises.readlink(root)) !== directory) throw new FileSystemError('moved', directory);
    };
    try {
      await verify();
    } catch (error) {
      await handle.close();
      throw error;
    }
    return { entry: (name) => `${root}/${name}`, verify, close: () => handle.close() };
  };

  return function hold(directory) {
    return openOrCreate(promises, directory, hold, open);
  };
}

/**
 * Checks the directory's real path before and after the write. A swap that is undone between the two checks goes
 * unnoticed. For platforms without `/proc`.
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

/** Opens a directory. A missing one is created in its parent, which is opened in the same way. */
async function openOrCreate(
  promises: FileSystemPromises,
  directory: string,
  hold: HoldDirectory,
  open: (entry: string, directory: string) => Promise<ParentDirectory>,
): Promise<ParentDirectory> {
  try {
    return await open(directory, directory);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path.dirname(directory) === directory) throw error;
  }
  const parent = await hold(path.dirname(directory));
  try {
    const entry = parent.entry(path.basename(directory));
    await promises.mkdir(entry).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    return await open(entry, directory);
  } finally {
    await parent.close();
  }
}
