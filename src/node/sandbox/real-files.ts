import { Buffer } from 'node:buffer';
import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import process from 'node:process';

/** Larger files are no settings of a program. */
const MAX_SMALL_FILE = 16 * 1024 * 1024;

/** The text of a small file. Opens nothing else, because the opening of a pipe would wait for a writer. */
export function readSmallFile(file: string): string | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= MAX_SMALL_FILE ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The real path of a file that exists. */
export function realFile(file: string): string | undefined {
  try {
    // An error takes far longer than this check, and most files of the lists do not exist.
    return existsSync(file) ? realpathSync.native(file) : undefined;
  } catch {
    return undefined;
  }
}

/** The real paths of those that exist, each once. */
export function existingFiles(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(realFile).filter((each) => each !== undefined))];
}

/** The bytes of a file, none if it cannot be read. */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Linux's flag to open a directory without the permission to read it. */
const O_PATH = 0o10000000;

/**
 * The entries of a directory; none if it cannot be listed. A command can remove the read permission of its user, and
 * git and other programs still use the files in the directory, so the permission is restored.
 */
export function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return isDenied && process.platform === 'linux' ? entriesOfDenied(directory) : [];
  }
}

function entriesOfDenied(directory: string): readonly Dirent[] {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const { mode, uid } = fstatSync(descriptor);
    if (uid !== process.geteuid?.()) return [];
    const place = `/proc/self/fd/${descriptor}`;
    chmodSync(place, (mode & 0o7777) | constants.S_IRUSR);
    return readdirSync(place, { withFileTypes: true });
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
