import path from 'node:path';
import { errorCode, FileSystemError } from '../../core/errors.ts';
import type { FileSystemPromises, OpenFlags } from './file-system-promises.ts';

/** An open directory to write into. The caller must close it. */
export interface ParentDirectory {
  /** The path of an entry of this directory, valid until `close`. */
  entry(name: string): string;
  /** Throws `moved` if the directory has moved since it was opened. */
  verify(): Promise<void>;
  /** Removes the directories that were created to open this one, as far as they are empty. Ignores errors. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a directory. Creates the missing parts of its path. */
export type OpenDirectory = (directory: string) => Promise<ParentDirectory>;

/**
 * Creates a function that opens directories by descriptor. Entries are accessed through `/proc/self/fd`, so a link that
 * replaces the directory after the check has no effect. Linux only. Throws `moved` if the path is not a real path.
 */
export function openByDescriptor(promises: FileSystemPromises, flags: OpenFlags): OpenDirectory {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = flags;

  /** Opens `directory`, reached as `entry`. */
  const openExisting = async (entry: string, directory: string): Promise<ParentDirectory> => {
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
    return { entry: (name) => `${root}/${name}`, verify, undo: nothing, close: () => handle.close() };
  };

  return function openDirectory(directory) {
    return openOrCreate(promises, directory, openDirectory, openExisting);
  };
}

/**
 * Creates a function that checks a directory's real path before and after the write, for platforms without `/proc`. It
 * does not detect a swap that is undone between the two checks.
 */
export function openByRealPath(promises: FileSystemPromises): OpenDirectory {
  const openExisting = async (_entry: string, directory: string): Promise<ParentDirectory> => {
    const verify = async (): Promise<void> => {
      const real = await promises.realpath(directory);
      const stat = await promises.lstat(real);
      if (real !== directory || !stat.isDirectory()) throw new FileSystemError('moved', directory);
    };
    await verify();
    return { entry: (name) => path.join(directory, name), verify, undo: nothing, close: nothing };
  };

  return function openDirectory(directory) {
    return openOrCreate(promises, directory, openDirectory, openExisting);
  };
}

/** Opens a directory. Creates a missing one in its parent, which is opened in the same way. */
async function openOrCreate(
  promises: FileSystemPromises,
  directory: string,
  openDirectory: OpenDirectory,
  openExisting: (entry: string, directory: string) => Promise<ParentDirectory>,
): Promise<ParentDirectory> {
  try {
    return await openExisting(directory, directory);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path.dirname(directory) === directory) throw error;
  }
  const parent = await openDirectory(path.dirname(directory));
  const entry = parent.entry(path.basename(directory));
  let created = false;
  const undo = async (): Promise<void> => {
    if (created) await promises.rmdir(entry).catch(() => undefined);
    await parent.undo();
  };
  try {
    created = await createDirectory(promises, entry);
    const opened = await openExisting(entry, directory);
    const close = async (): Promise<void> => {
      await opened.close();
      await parent.close();
    };
    return { ...opened, undo, close };
  } catch (error) {
    await undo();
    await parent.close();
    throw error;
  }
}

/** Creates a directory; `false` if it exists. */
async function createDirectory(promises: FileSystemPromises, entry: string): Promise<boolean> {
  try {
    await promises.mkdir(entry);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function nothing(): Promise<void> {}
