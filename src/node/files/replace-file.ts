import path from 'node:path';
import { FileSystemError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { errorCode } from '../../text/error-code.ts';
import {
  type FileSystemPromises,
  type HandleLike,
  type OpenFlags,
  PERMISSION_BITS,
  type StatLike,
  toFileSystemError,
  withFileSystemErrors,
} from './file-system-promises.ts';
import { OWNER_ONLY, requireFile } from './open-files.ts';
import { MOUNT_POINT, overwriteFile } from './overwrite-file.ts';
import type { OpenDirectory, ParentDirectory } from './parent-directory.ts';

/** The things outside the file system that a replacement needs. */
export interface ReplaceOptions {
  readonly flags: OpenFlags;
  /** Returns an unpredictable part of a file name that differs on every call. */
  readonly uniqueName: () => string;
  /** This process, and whether another one runs. Absent: temporary files of other processes are left alone. */
  readonly processes?: { readonly pid: number; isRunning(pid: number): boolean } | undefined;
  /** Copies the access control list and the extended attributes of an open file to another. Never rejects. */
  readonly copyAttributes?: ((from: number, to: number) => Promise<void>) | undefined;
}

/** The name of a temporary file, with the id of the process that writes it. */
const TEMPORARY = /^\.ybs-([1-9]\d{0,9})-[\w-]+\.tmp$/;

/**
 * Creates the `replaceFile` of a file system: a temporary file in an open directory, flushed and renamed. A
 * file that is a mount point is overwritten, after the temporary file, which a crash then leaves.
 */
export function createReplaceFile(
  promises: FileSystemPromises,
  openDirectory: OpenDirectory,
  { flags, uniqueName, processes, copyAttributes }: ReplaceOptions,
): FileSystem['replaceFile'] {
  /** The directories that were searched for temporary files of killed processes. */
  const cleaned = new Set<string>();

  return (directory, name, bytes, mode) => {
    const target = path.join(directory, name);
    return withFileSystemErrors(target, async () => {
      if (name === '' || name === '.' || name === '..' || path.basename(name) !== name) {
        throw new FileSystemError('io_error', target, { cause: new Error('not a plain file name') });
      }
      const parent = await openDirectory(directory);
      try {
        const old = await statusOf(parent.entry(name), target);
        const temporary = parent.entry(`.ybs-${processes?.pid ?? 0}-${uniqueName()}.tmp`);
        await writeNew(
          temporary,
          bytes,
          mode,
          old === undefined ? undefined : { stat: old, entry: parent.entry(name) },
        );
        try {
          await parent.verify();
          await promises.rename(temporary, parent.entry(name)).catch(async (error: unknown) => {
            if (old === undefined || errorCode(error) !== MOUNT_POINT) throw error;
            await overwriteFile(promises, parent.entry(name), { bytes, mode, target }, flags);
            await discard(temporary);
          });
        } catch (error) {
          await discard(temporary);
          throw error;
        }
        if (!cleaned.has(directory)) await removeAbandoned(parent);
        cleaned.add(directory);
      } catch (error) {
        await parent.undo();
        throw error;
      } finally {
        await parent.close();
      }
    });
  };

  /** The status of the file to replace; `undefined` if it does not exist. */
  async function statusOf(entry: string, target: string): Promise<StatLike | undefined> {
    const stat = await promises.lstat(entry).catch((error: unknown) => {
      if (toFileSystemError(error, target).code === 'not_found') return undefined;
      throw error;
    });
    if (stat?.isSymbolicLink() === true) throw new FileSystemError('moved', target);
    if (stat !== undefined) requireFile(stat, target);
    return stat;
  }

  /**
   * Writes a file that must not exist and flushes it to disk. It gets `newMode`, or else the mode and the attributes of
   * `old`, and the owner of `old`. Removes the file on failure.
   */
  async function writeNew(
    temporary: string,
    bytes: Uint8Array,
    newMode: number | undefined,
    old: { readonly stat: StatLike; readonly entry: string } | undefined,
  ): Promise<void> {
    const mode = newMode ?? (old === undefined ? undefined : Number(old.stat.mode) & PERMISSION_BITS);
    const handle = await promises.open(temporary, 'wx', mode === undefined ? 0o666 : OWNER_ONLY);
    try {
      try {
        // Before the content, because the attributes have the time of the last change, too.
        if (old !== undefined && newMode === undefined) await keepAttributes(old.entry, handle);
        await handle.writeFile(bytes);
        // Before the mode, because a change of the owner clears some of its bits.
        if (old !== undefined) await keepOwner(handle, old.stat);
        if (mode !== undefined) await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      await discard(temporary);
      throw error;
    }
  }

  /** Copies what a file has besides its content. A file that this process may not read has nothing to copy. */
  async function keepAttributes(entry: string, to: HandleLike): Promise<void> {
    if (copyAttributes === undefined) return;
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = flags;
    const from = await promises.open(entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (from === undefined) return;
    try {
      await copyAttributes(from.fd, to.fd);
    } finally {
      await from.close();
    }
  }

  /** Removes a temporary file. Ignores errors, because the earlier failure is the one to report. */
  async function discard(temporary: string): Promise<void> {
    await promises.unlink(temporary).catch(() => undefined);
  }

  /** Removes the temporary files that killed processes left in a directory. Ignores errors: the write has succeeded. */
  async function removeAbandoned(parent: ParentDirectory): Promise<void> {
    if (processes === undefined) return;
    const entries = await promises.readdir(parent.entry('.'), { withFileTypes: true }).catch(() => []);
    for (const { name } of entries) {
      const [, writer] = TEMPORARY.exec(name) ?? [];
      if (writer !== undefined && !processes.isRunning(Number(writer))) await discard(parent.entry(name));
    }
  }
}

/** Gives a file the owner and the group of another one. Only root may set any owner, so a refusal is not an error. */
async function keepOwner(handle: HandleLike, old: StatLike): Promise<void> {
  const stat = await handle.stat();
  if (stat.uid === old.uid && stat.gid === old.gid) return;
  await handle.chown(Number(old.uid), Number(old.gid)).catch((error: unknown) => {
    if (toFileSystemError(error, '').code !== 'permission_denied') throw error;
  });
}
