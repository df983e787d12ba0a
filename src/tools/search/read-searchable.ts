import { FileSystemError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { MAX_SEARCHED_MEGABYTES, type SkippedFiles } from './search-notes.ts';
import type { SearchableFile } from './text-search.ts';
import { inBatches } from './walk-files.ts';

/** A file to search. `display` is its path in results. */
export interface FileToSearch {
  readonly realPath: string;
  readonly display: string;
}

const MAX_BYTES = MAX_SEARCHED_MEGABYTES * 1_000_000;
const BINARY_SAMPLE = 8192;
const READ_AT_ONCE = 16;

/**
 * Reads files in small batches and in order. Skips binary files (a NUL byte in the first 8 KB), files that are too
 * large and unreadable files, and counts them in `skipped`.
 */
export async function* readSearchable(
  files: AsyncIterable<FileToSearch>,
  fileSystem: FileSystem,
  skipped: SkippedFiles,
): AsyncGenerator<readonly SearchableFile[], void> {
  for await (const batch of inBatches(files, READ_AT_ONCE)) {
    const read = await Promise.all(batch.map((file) => readOne(file, fileSystem, skipped)));
    yield read.filter((file) => file !== undefined);
  }
}

async function readOne(
  { realPath, display }: FileToSearch,
  fileSystem: FileSystem,
  skipped: SkippedFiles,
): Promise<SearchableFile | undefined> {
  try {
    const { bytes, size } = await fileSystem.readFile(realPath, MAX_BYTES, 'refuse');
    if (bytes.subarray(0, BINARY_SAMPLE).includes(0)) skipped.binary++;
    else if (size > MAX_BYTES) skipped.tooLarge++;
    else return { path: display, bytes };
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    // A file that was deleted since it was listed is not an error.
    if (error.code !== 'not_found') skipped.unreadable.push(display);
  }
  return undefined;
}
