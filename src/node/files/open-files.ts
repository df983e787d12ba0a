import { FileSystemError } from '../../agent/errors.ts';
import type { AppendFile, FileSystem } from '../../agent/ports/file-system.ts';
import {
  type FileSystemPromises,
  GROUP_AND_OTHERS,
  type HandleLike,
  type OpenFlags,
  type StatLike,
  toFileSystemError,
  withFileSystemErrors,
} from './file-system-promises.ts';

/** The mode of a file that only its owner may read. */
export const OWNER_ONLY = 0o600;
/** Number of bytes that `readPieces` reads at once. */
const PIECE_BYTES = 64 * 1024;

/** The operations of the port that keep a file open or write to it without replacing it, as logs need them. */
export function openFiles(
  promises: FileSystemPromises,
  flags: OpenFlags,
): Pick<FileSystem, 'readPieces' | 'appendFile' | 'openAppend' | 'createFile' | 'removeFile'> {
  const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = flags;

  /** Opens a file for appending, creates it if needed, and makes sure that only its owner may read it. */
  const openForAppend = async (target: string, links: number): Promise<{ handle: HandleLike; size: number }> => {
    const handle = await promises.open(target, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | links, OWNER_ONLY);
    try {
      const stat = await handle.stat();
      requireFile(stat, target);
      if ((Number(stat.mode) & GROUP_AND_OTHERS) !== 0) await handle.chmod(OWNER_ONLY);
      return { handle, size: Number(stat.size) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  };

  return {
    async *readPieces(target, start = 0) {
      const { handle, size } = await withFileSystemErrors(target, async () => {
        requireFile(await promises.stat(target), target);
        const opened = await promises.open(target, O_RDONLY | O_NONBLOCK);
        return { handle: opened, size: Number((await opened.stat()).size) };
      });
      try {
        const bytes = new Uint8Array(Math.min(PIECE_BYTES, Math.max(0, size - start)));
        for (let position = start; position < size; ) {
          const read = () => handle.read(bytes, 0, bytes.length, position);
          const { bytesRead } = await withFileSystemErrors(target, read);
          if (bytesRead === 0) return;
          position += bytesRead;
          yield bytes.subarray(0, bytesRead);
        }
      } finally {
        await handle.close();
      }
    },

    appendFile: (target, bytes) =>
      withFileSystemErrors(target, async () => {
        const { handle } = await openForAppend(target, 0);
        await thenClose(handle, () => handle.writeFile(bytes));
      }),

    openAppend: (target) =>
      withFileSystemErrors(target, async () => {
        const { handle, size } = await openForAppend(target, O_NOFOLLOW);
        return appendTo(handle, size, target);
      }),

    createFile: (target, bytes) =>
      withFileSystemErrors(target, async () => {
        const handle = await promises.open(target, 'wx', OWNER_ONLY);
        try {
          await thenClose(handle, () => handle.writeFile(bytes));
        } catch (error) {
          // Half a file would make every later attempt fail with `already_exists`.
          await promises.unlink(target).catch(() => {});
          throw error;
        }
      }),

    removeFile: (target) =>
      withFileSystemErrors(target, () =>
        promises.unlink(target).catch((error: unknown) => {
          if (toFileSystemError(error, target).code !== 'not_found') throw error;
        }),
      ),
  };
}

/** Throws unless the status is that of a regular file. */
export function requireFile(stat: StatLike, target: string): void {
  if (stat.isDirectory()) throw new FileSystemError('is_directory', target);
  if (!stat.isFile()) throw new FileSystemError('not_a_file', target);
}

/** The open file of `openAppend`. `sizeBefore` is its size in bytes. */
function appendTo(handle: HandleLike, sizeBefore: number, target: string): AppendFile {
  let size = sizeBefore;
  /** The end of the file may be the start of a failed write. */
  let hasRest = false;
  const removeRest = async (): Promise<void> => {
    await handle.truncate(size);
    hasRest = false;
  };
  return {
    append: (bytes) =>
      withFileSystemErrors(target, async () => {
        if (hasRest) await removeRest();
        hasRest = true;
        try {
          for (let rest = bytes; rest.length > 0; ) {
            const { bytesWritten } = await handle.write(rest);
            if (bytesWritten === 0) throw new FileSystemError('no_space', target);
            // After a short write, the next one fails with the reason.
            rest = rest.subarray(bytesWritten);
          }
        } catch (error) {
          await removeRest().catch(() => undefined);
          throw error;
        }
        size += bytes.length;
        hasRest = false;
      }),
    truncate: (newSize) =>
      withFileSystemErrors(target, async () => {
        await handle.truncate(newSize);
        size = newSize;
      }),
    sync: () => withFileSystemErrors(target, () => handle.sync()),
    close: () => withFileSystemErrors(target, () => handle.close()),
  };
}

async function thenClose(handle: HandleLike, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await handle.close();
  }
}
