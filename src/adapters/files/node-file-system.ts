import { constants } from 'node:fs';
import nodePromises from 'node:fs/promises';
import path from 'node:path';
import { FileSystemError } from '../../core/errors.ts';
import type { DirectoryEntry, FileBytes, FileKind, FileStat, FileSystem } from '../../ports/file-system.ts';
import { type FileOwnership, fileProtection, type ProcessUser } from '../../safety/paths/file-protection.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { newId } from '../system.ts';
import {
  type EntryLike,
  type FileSystemPromises,
  type HandleLike,
  type OpenFlags,
  type StatLike,
  toFileSystemError,
  withFileSystemErrors,
} from './file-system-promises.ts';
import { OWNER_ONLY, openFiles, requireFile } from './open-files.ts';
import { type OpenDirectory, openByDescriptor, openByRealPath } from './parent-directory.ts';

/** Options that depend on the platform. */
export interface NodeFileSystemOptions {
  readonly flags: OpenFlags;
  /**
   * Protection against swapping a directory for a link during a write. `descriptor` needs Linux with `/proc`;
   * `real_path` works everywhere, but does not detect a swap that is undone between two checks.
   */
  readonly swapProtection: 'descriptor' | 'real_path';
  /** The user of this process; absent on platforms without user ids. */
  readonly currentUser: () => ProcessUser | undefined;
  /** Returns an unpredictable part of a file name that differs on every call. */
  readonly uniqueName: () => string;
}

const PERMISSION_BITS = 0o7777;
const OWNER_ONLY_DIRECTORY = 0o700;
const GROUP_AND_OTHERS = 0o077;

/** The options for the platform of this process. */
export function platformOptions(platform: NodeJS.Platform = process.platform): NodeFileSystemOptions {
  return {
    flags: constants,
    swapProtection: platform === 'linux' ? 'descriptor' : 'real_path',
    currentUser: processUser,
    uniqueName: newId,
  };
}

function processUser(): ProcessUser | undefined {
  const { geteuid, getegid, getgroups } = process;
  if (geteuid === undefined || getegid === undefined || getgroups === undefined) return undefined;
  return { uid: geteuid(), groups: [getegid(), ...getgroups()] };
}

/** Creates a file system over an object shaped like `node:fs/promises`, by default the real one. */
export function createNodeFileSystem(
  promises: FileSystemPromises = nodePromises,
  options: NodeFileSystemOptions = platformOptions(),
): FileSystem {
  const { flags, uniqueName } = options;
  const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = flags;
  const openDirectory: OpenDirectory =
    options.swapProtection === 'descriptor' ? openByDescriptor(promises, flags) : openByRealPath(promises);

  /** The real path of an open file, as far as the platform can determine it. */
  const realPathOf = (handle: HandleLike, target: string): Promise<string> =>
    options.swapProtection === 'descriptor'
      ? promises.readlink(`/proc/self/fd/${handle.fd}`)
      : promises.realpath(target);

  /** The status of the file to replace; `undefined` if it does not exist. */
  const statusOf = async (entry: string, target: string): Promise<StatLike | undefined> => {
    const stat = await promises.lstat(entry).catch((error: unknown) => {
      if (toFileSystemError(error, target).code === 'not_found') return undefined;
      throw error;
    });
    if (stat === undefined) return undefined;
    if (stat.isSymbolicLink()) throw new FileSystemError('moved', target);
    requireFile(stat, target);
    return stat;
  };

  return {
    stat: (target) =>
      withFileSystemErrors(target, async () => {
        const stat = await promises.stat(target);
        return statOf(stat);
      }),

    realPath: (target) => withFileSystemErrors(target, () => promises.realpath(target)),

    list: (target, maxEntries) =>
      withFileSystemErrors(target, async () => {
        const entries =
          maxEntries === undefined
            ? await promises.readdir(target, { withFileTypes: true })
            : await firstEntries(await promises.opendir(target, { bufferSize: maxEntries }), maxEntries);
        // The order of UTF-16 units is nearly that of code points and much faster to establish.
        const sorted = entries.map(entryOf).sort((left, right) => (left.name < right.name ? -1 : 1));
        return sorted.sort((left, right) => compareCodePoints(left.name, right.name));
      }),

    readFile: (target, maxBytes, links = 'follow') =>
      withFileSystemErrors(target, async () => {
        const refuseLinks = links === 'refuse';
        // Check before opening too, because merely opening a FIFO or a device can affect its other end.
        const before = await (refuseLinks ? promises.lstat(target) : promises.stat(target));
        if (before.isSymbolicLink()) throw new FileSystemError('moved', target);
        requireFile(before, target);
        const handle = await promises.open(target, flags.O_RDONLY | O_NONBLOCK | (refuseLinks ? O_NOFOLLOW : 0));
        try {
          const stat = await handle.stat();
          requireFile(stat, target);
          if (refuseLinks && (await realPathOf(handle, target)) !== target) {
            throw new FileSystemError('moved', target);
          }
          const protection = fileProtection(ownershipOf(stat), options.currentUser());
          const read = await readBytes(handle, stat, maxBytes);
          return protection === undefined ? read : { ...read, protection };
        } finally {
          await handle.close();
        }
      }),

    removeDirectory: (target) =>
      withFileSystemErrors(target, () => promises.rm(target, { recursive: true, force: true })),

    createDirectory: (target, access) =>
      withFileSystemErrors(target, async () => {
        await promises.mkdir(target, { recursive: true, ...(access === 'owner' && { mode: OWNER_ONLY_DIRECTORY }) });
        const stat = await promises.stat(target);
        if (!stat.isDirectory()) throw new FileSystemError('already_exists', target);
        if (access !== 'owner') return;
        const user = options.currentUser();
        if (user !== undefined && user.uid !== Number(stat.uid)) throw new FileSystemError('permission_denied', target);
        if ((Number(stat.mode) & GROUP_AND_OTHERS) !== 0) await promises.chmod(target, OWNER_ONLY_DIRECTORY);
      }),

    replaceFile: (directory, name, bytes, mode) => {
      const target = path.join(directory, name);
      return withFileSystemErrors(target, async () => {
        if (name === '' || name === '.' || name === '..' || path.basename(name) !== name) {
          throw new FileSystemError('io_error', target, { cause: new Error('not a plain file name') });
        }
        const parent = await openDirectory(directory);
        try {
          const old = await statusOf(parent.entry(name), target);
          const temporary = parent.entry(`.ybs-${uniqueName()}.tmp`);
          await writeNew(temporary, bytes, mode, old);
          try {
            await parent.verify();
            await promises.rename(temporary, parent.entry(name));
          } catch (error) {
            await discard(temporary);
            throw error;
          }
        } catch (error) {
          await parent.undo();
          throw error;
        } finally {
          await parent.close();
        }
      });
    },

    ...openFiles(promises, flags),
  };

  /**
   * Writes a file that must not exist and flushes it to disk. It gets `mode`, or else that of `old`, and the owner of
   * `old`. Removes the file on failure.
   */
  async function writeNew(
    temporary: string,
    bytes: Uint8Array,
    newMode: number | undefined,
    old: StatLike | undefined,
  ): Promise<void> {
    const mode = newMode ?? (old === undefined ? undefined : Number(old.mode) & PERMISSION_BITS);
    const handle = await promises.open(temporary, 'wx', mode === undefined ? 0o666 : OWNER_ONLY);
    try {
      try {
        await handle.writeFile(bytes);
        // Before the mode, because a change of the owner clears some of its bits.
        if (old !== undefined) await keepOwner(handle, old);
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

  /** Removes a temporary file. Ignores errors, because the earlier failure is the one to report. */
  async function discard(temporary: string): Promise<void> {
    await promises.unlink(temporary).catch(() => undefined);
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

async function readBytes(handle: HandleLike, stat: StatLike, maxBytes: number): Promise<FileBytes> {
  const size = Number(stat.size);
  const bytes = new Uint8Array(Math.min(size, maxBytes));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytes: bytes.subarray(0, filled), size, mode: Number(stat.mode) & PERMISSION_BITS };
}

function ownershipOf({ uid, gid, mode }: StatLike): FileOwnership {
  return { uid: Number(uid), gid: Number(gid), mode: Number(mode) };
}

function statOf(stat: StatLike): FileStat {
  return {
    kind: plainKind(stat),
    size: Number(stat.size),
    mode: Number(stat.mode) & PERMISSION_BITS,
    modifiedMs: Number(stat.mtimeMs),
  };
}

function plainKind(entry: StatLike | EntryLike): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}

function entryOf(entry: EntryLike): DirectoryEntry {
  const kind: FileKind = entry.isSymbolicLink() ? 'link' : plainKind(entry);
  return { name: entry.name, kind };
}

/** The first entries of an open directory, in no particular order. */
async function firstEntries(directory: AsyncIterable<EntryLike>, limit: number): Promise<readonly EntryLike[]> {
  const entries: EntryLike[] = [];
  for await (const entry of directory) if (entries.push(entry) >= limit) break;
  return entries;
}
