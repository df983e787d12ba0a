import path from 'node:path';
import { FileSystemError } from '../../agent/errors.ts';
import { errorCode } from '../../text/error-code.ts';
import type { FileSystemPromises, OpenFlags } from './file-system-promises.ts';

/** An open directory. The caller must close it. */
export interface ParentDirectory {
  /** The path of an entry of this directory, valid until `close`. */
  entry(name: string): string;
  /** Throws `moved` if the directory has moved since it was opened. */
  verify(): Promise<void>;
  /** Removes the directories that were created to open this one, as far as they are empty. Ignores errors. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

export type OpenDirectory = (directory: string) => Promise<ParentDirectory>;

/** Opens a directory, reached as `entry`, and otherwise by its own path. */
type OpenExisting = (directory: string, entry?: string) => Promise<ParentDirectory>;

/**
 * Creates a function that opens directories by descriptor. Entries are accessed through `/proc/self/fd`, so a link that
 * replaces the directory after the check has no effect. Linux only. Throws `moved` if the path is not a real path.
 */
export function openByDescriptor(promises: FileSystemPromises, flags: OpenFlags): OpenExisting {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = flags;

  return async (directory, entry = directory) => {
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
}

/**
 * Creates a function that checks a directory's real path before and after its use, for platforms without `/proc`. It
 * does not detect a swap that is undone between the two checks.
 */
export function openByRealPath(promises: FileSystemPromises): OpenExisting {
  return async (directory) => {
    const verify = async (): Promise<void> => {
      const real = await promises.realpath(directory);
      const stat = await promises.lstat(real);
      if (real !== directory || !stat.isDirectory()) throw new FileSystemError('moved', directory);
    };
    await verify();
    return { entry: (name) => path.join(directory, name), verify, undo: nothing, close: nothing };
  };
}

/** Opens a directory. Creates a missing one in its parent, which is opened in the same way. */
export async function openOrCreate(
  promises: FileSystemPromises,
  directory: string,
  openExisting: OpenExisting,
): Promise<ParentDirectory> {
  try {
    return await openExisting(directory);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path.dirname(directory) === directory) throw error;
  }
  const parent = await openOrCreate(promises, path.dirname(directory), openExisting);
  const entry = parent.entry(path.basename(directory));
  let created = false;
  const undo = async (): Promise<void> => {
    if (created) await promises.rmdir(entry).catch(() => undefined);
    await parent.undo();
  };
  try {
    created = await createDirectory(promises, entry);
    const opened = await openExisting(directory, entry);
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
