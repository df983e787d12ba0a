import { constants } from 'node:fs';
import nodePromises from 'node:fs/promises';
import { FileSystemError } from '../../agent/errors.ts';
import type { DirectoryEntry, FileBytes, FileKind, FileStat, FileSystem } from '../../agent/ports/file-system.ts';
import { type FileOwnership, fileProtection, type ProcessUser } from '../../policy/paths/file-protection.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { errorCode } from '../../text/error-code.ts';
import { newId, processExists } from '../system.ts';
import { createCopyAttributes } from './copy-attributes.ts';
import {
  type EntryLike,
  type FileSystemPromises,
  GROUP_AND_OTHERS,
  type HandleLike,
  PERMISSION_BITS,
  type StatLike,
  withFileSystemErrors,
} from './file-system-promises.ts';
import { openFiles, requireFile } from './open-files.ts';
import { openByDescriptor, openByRealPath, openOrCreate, type ParentDirectory } from './parent-directory.ts';
import { createReplaceFile, type ReplaceOptions } from './replace-file.ts';

/** Options that depend on the platform. */
export interface NodeFileSystemOptions extends ReplaceOptions {
  /**
   * Protection against swapping a directory for a link during a call. `descriptor` needs Linux with `/proc`;
   * `real_path` works everywhere, but does not detect a swap that is undone between two checks.
   */
  readonly swapProtection: 'descriptor' | 'real_path';
  /** The user of this process; absent on platforms without user ids. */
  readonly currentUser: () => ProcessUser | undefined;
}

const OWNER_ONLY_DIRECTORY = 0o700;
const ROOT = 0;

export function platformOptions(platform: NodeJS.Platform = process.platform): NodeFileSystemOptions {
  const isLinux = platform === 'linux';
  return {
    flags: constants,
    swapProtection: isLinux ? 'descriptor' : 'real_path',
    currentUser: processUser,
    uniqueName: newId,
    processes: { pid: process.pid, isRunning: processExists },
    copyAttributes: isLinux ? createCopyAttributes() : undefined,
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
  const { flags } = options;
  const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = flags;
  const openDirectory =
    options.swapProtection === 'descriptor' ? openByDescriptor(promises, flags) : openByRealPath(promises);

  /** The real path of an open file, as far as the platform can determine it. */
  const realPathOf = (handle: HandleLike, target: string): Promise<string> =>
    options.swapProtection === 'descriptor'
      ? promises.readlink(`/proc/self/fd/${handle.fd}`)
      : promises.realpath(target);

  return {
    stat: (target) =>
      withFileSystemErrors(target, async () => statOf(await promises.stat(target), options.currentUser())),

    realPath: (target) => withFileSystemErrors(target, () => promises.realpath(target)),

    readLink: (target) => withFileSystemErrors(target, () => promises.readlink(target)),

    list: (target, maxEntries, links = 'follow') =>
      withFileSystemErrors(target, async () => {
        const entries = await (links === 'refuse'
          ? readOpened(promises, await openDirectory(target), maxEntries)
          : readEntries(promises, target, maxEntries));
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
          const otherNames = Number(stat.nlink) - 1;
          return {
            ...read,
            ...(protection !== undefined && { protection }),
            ...(otherNames > 0 && { otherNames }),
          };
        } finally {
          await handle.close();
        }
      }),

    removeDirectory: (target) =>
      withFileSystemErrors(target, () => promises.rm(target, { recursive: true, force: true })),

    removeEmptyDirectory: (target) =>
      withFileSystemErrors(target, async () => {
        try {
          await promises.rmdir(target);
          return true;
        } catch (error) {
          if (NOT_REMOVED.has(errorCode(error) ?? '')) return false;
          throw error;
        }
      }),

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

    replaceFile: createReplaceFile(promises, (directory) => openOrCreate(promises, directory, openDirectory), options),

    ...openFiles(promises, flags),
  };
}

/** Codes of the platforms for a directory that is not empty, is not a directory, or does not exist. */
const NOT_REMOVED: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT']);

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

function statOf(stat: StatLike, user: ProcessUser | undefined): FileStat {
  const isForeign = user !== undefined && ![user.uid, ROOT].includes(Number(stat.uid));
  return {
    kind: plainKind(stat),
    size: Number(stat.size),
    mode: Number(stat.mode) & PERMISSION_BITS,
    modifiedMs: Number(stat.mtimeMs),
    ...(isForeign && { isForeign }),
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

/** The entries of an open directory, which is closed. Throws `moved` if it has moved since it was opened. */
async function readOpened(
  promises: FileSystemPromises,
  directory: ParentDirectory,
  maxEntries: number | undefined,
): Promise<readonly EntryLike[]> {
  try {
    const entries = await readEntries(promises, directory.entry('.'), maxEntries);
    await directory.verify();
    return entries;
  } finally {
    await directory.close();
  }
}

/** The entries of a directory in no particular order; some of them if there are more than `maxEntries`. */
async function readEntries(
  promises: FileSystemPromises,
  directory: string,
  maxEntries: number | undefined,
): Promise<readonly EntryLike[]> {
  if (maxEntries === undefined) return promises.readdir(directory, { withFileTypes: true });
  const entries: EntryLike[] = [];
  const opened = await promises.opendir(directory, { bufferSize: maxEntries });
  for await (const entry of opened) if (entries.push(entry) >= maxEntries) break;
  return entries;
}
