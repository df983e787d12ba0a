import nodeFs from 'node:fs';
import path from 'node:path';
import { FileSystemError } from '../../agent/errors.ts';
import type { ListedEntry, TreeFile, TreeFiles } from '../../tools/search/text-search.ts';
import { type OpenFlags, toFileSystemError } from '../files/file-system-promises.ts';

/** The part of `node:fs` that is used; `memfs` implements it, too. */
export interface FileSystemSync {
  readonly constants: Pick<OpenFlags, 'O_RDONLY' | 'O_NONBLOCK' | 'O_NOFOLLOW' | 'O_DIRECTORY'>;
  openSync(path: string, flags: number): number;
  closeSync(descriptor: number): void;
  fstatSync(descriptor: number): StatSync;
  lstatSync(path: string): StatSync;
  readSync(descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number): number;
  readdirSync(path: string, options: { readonly withFileTypes: true }): readonly EntrySync[];
  readlinkSync(path: string): string;
  realpathSync(path: string): string;
}

interface StatSync {
  readonly size: number | bigint;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

interface EntrySync extends Pick<StatSync, 'isFile' | 'isSymbolicLink'> {
  readonly name: string;
  isDirectory(): boolean;
}

const REPLACEMENT = '\ufffd';
const INITIAL_BYTES = 2 ** 21;

/**
 * Reads trees with the calls of Node.js that block, which is several times as fast as promises. For threads only.
 * `descriptor`: directories are opened once and verified, and what is in them is opened through them, so that nothing that
 * is swapped meanwhile leads elsewhere. It needs Linux with `/proc`; otherwise real paths are compared.
 */
export function createTreeFiles(
  fs: FileSystemSync = nodeSync,
  swapProtection: 'descriptor' | 'real_path' = process.platform === 'linux' ? 'descriptor' : 'real_path',
): TreeFiles {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = fs.constants;
  let buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  /** A verified directory, one of those in it, and so on. */
  const opened: { readonly directory: string; readonly descriptor: number }[] = [];

  const close = (): void => {
    for (let last = opened.pop(); last !== undefined; last = opened.pop()) fs.closeSync(last.descriptor);
  };
  /** A path to a verified directory that no link can change. */
  const verified = (directory: string): string => {
    if (swapProtection === 'real_path') {
      if (fs.realpathSync(directory) !== directory) throw new FileSystemError('moved', directory);
      return directory;
    }
    const above = path.dirname(directory);
    let last = opened.at(-1);
    while (last !== undefined && last.directory !== directory && last.directory !== above) {
      opened.pop();
      fs.closeSync(last.descriptor);
      last = opened.at(-1);
    }
    if (last?.directory === directory) return descriptorPath(last.descriptor);
    // What is in a verified directory and is no link needs no look at its path.
    const target = last === undefined ? directory : `${descriptorPath(last.descriptor)}/${path.basename(directory)}`;
    const descriptor = fs.openSync(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    opened.push({ directory, descriptor });
    if (last === undefined && fs.readlinkSync(descriptorPath(descriptor)) !== directory) {
      close();
      throw new FileSystemError('moved', directory);
    }
    return descriptorPath(descriptor);
  };
  const entryPath = (file: string): string => `${verified(path.dirname(file))}/${path.basename(file)}`;

  return {
    list: (directory) =>
      withErrors(directory, () =>
        fs.readdirSync(verified(directory), { withFileTypes: true }).map((entry) => entryOf(entry, directory, fs)),
      ),

    // A size says so little that a swap of its directory does not matter.
    size: (file) => withErrors(file, () => Number(fs.lstatSync(file).size)),

    read: (file, maxBytes) =>
      withErrors(file, () => {
        const target = entryPath(file);
        if (swapProtection === 'real_path' && fs.lstatSync(target).isSymbolicLink()) {
          throw new FileSystemError('moved', file);
        }
        const descriptor = fs.openSync(target, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
        try {
          const stat = fs.fstatSync(descriptor);
          if (!stat.isFile()) throw new FileSystemError('not_a_file', file);
          const size = Number(stat.size);
          const wanted = Math.min(size, maxBytes);
          if (buffer.length < wanted) buffer = Buffer.allocUnsafe(wanted);
          // Larger files are only counted.
          const length = size > maxBytes && maxBytes >= INITIAL_BYTES / 2 ? 0 : readAll(fs, descriptor, buffer, wanted);
          return treeFile(buffer.subarray(0, length), size);
        } finally {
          fs.closeSync(descriptor);
        }
      }),

    close,
  };
}

function descriptorPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

const nodeSync: FileSystemSync = {
  ...nodeFs,
  readdirSync: (directory, options) => nodeFs.readdirSync(directory, options),
  realpathSync: (target) => nodeFs.realpathSync.native(target),
};

function treeFile(bytes: Buffer, size: number): TreeFile {
  return { bytes, size, contains: (text) => bytes.includes(text, 0, 'latin1'), latin1: () => bytes.toString('latin1') };
}

function readAll(fs: FileSystemSync, descriptor: number, buffer: Uint8Array, length: number): number {
  let filled = 0;
  while (filled < length) {
    const count = fs.readSync(descriptor, buffer, filled, length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function entryOf(entry: EntrySync, directory: string, fs: FileSystemSync): ListedEntry {
  const { name } = entry;
  // Node.js puts this character in the place of bytes that are not UTF-8, and then finds no such file.
  if (name.includes(REPLACEMENT) && !exists(`${directory}/${name}`, fs)) return { name, kind: 'unnamed' };
  if (entry.isFile()) return { name, kind: 'file' };
  if (entry.isDirectory()) return { name, kind: 'directory' };
  return { name, kind: entry.isSymbolicLink() ? 'link' : 'other' };
}

function exists(target: string, fs: FileSystemSync): boolean {
  try {
    fs.lstatSync(target);
    return true;
  } catch {
    return false;
  }
}

function withErrors<Value>(target: string, operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    throw toFileSystemError(error, target);
  }
}
