import { Buffer } from 'node:buffer';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';

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
