import { FileSystemError, ToolError } from '../../core/errors.ts';
import type { Digest } from '../../ports/digest.ts';
import type { FileBytes } from '../../ports/file-system.ts';
import { pathFlavour } from '../../safety/paths/path-policy.ts';
import { decodeFile, type FileContent } from '../../text/decode.ts';
import type { ToolPorts } from '../tool-ports.ts';
import { withFileErrors } from './file-errors.ts';
import { formatSize } from './file-texts.ts';
import { missingFileText } from './missing-file.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** What reading and changing files needs. */
export type FilePorts = Pick<ToolPorts, 'fileSystem' | 'digest' | 'pathRules' | 'ledger'>;

/** The largest file that is read whole; only such files are changed. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** A file as it is on the disk. `bytes` holds at most `MAX_FILE_BYTES`; then `isWhole` is false. */
export interface LoadedFile {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly isWhole: boolean;
  readonly content: FileContent;
  readonly digest: Digest;
}

/** Reads a file, if there is one. Throws `ToolError` for what is not an ordinary file or cannot be read. */
export async function loadFile(file: ResolvedPath, ports: FilePorts): Promise<LoadedFile | undefined> {
  const read = await withFileErrors(file.display, () => readExisting(file.realPath, ports));
  if (read === undefined) return undefined;
  const { bytes, size } = read;
  return { bytes, size, isWhole: bytes.length >= size, content: decodeFile(bytes), digest: ports.digest(bytes) };
}

/** Reads a file that has to be there. Throws `ToolError` `not_found` with the names that come near. */
export async function requireLoadedFile(file: ResolvedPath, ports: FilePorts): Promise<LoadedFile> {
  const loaded = await loadFile(file, ports);
  if (loaded === undefined) throw new ToolError('not_found', await missingFileText(file, ports));
  return loaded;
}

/** Throws `binary_file` unless the file is text. */
export function requireText(file: ResolvedPath, loaded: LoadedFile): Extract<FileContent, { type: 'text' }> {
  const { content, size } = loaded;
  if (content.type === 'text') return content;
  throw new ToolError(
    'binary_file',
    `${file.display} is a binary file (${content.fileType}, ${formatSize(size)}), not text. Use run_shell with a program for such files.`,
  );
}

/** Throws `too_large` for a file that is not read whole. */
export function requireWhole(file: ResolvedPath, loaded: LoadedFile): void {
  if (loaded.isWhole) return;
  throw new ToolError(
    'too_large',
    `${file.display} is ${formatSize(loaded.size)}; only files up to ${formatSize(MAX_FILE_BYTES)} are changed this way. Use run_shell.`,
  );
}

/** Replaces the file, creating its directory if need be, and remembers what is in it now. */
export async function storeFile(file: ResolvedPath, bytes: Uint8Array, ports: FilePorts): Promise<void> {
  const flavour = pathFlavour(ports.pathRules.platform);
  const directory = flavour.dirname(file.realPath);
  const name = flavour.basename(file.realPath);
  await withFileErrors(file.display, () => ports.fileSystem.replaceFile(directory, name, bytes));
  rememberFile(file, bytes, ports);
}

/** Notes that this session knows the file with these bytes. */
export function rememberFile(file: ResolvedPath, bytes: Uint8Array, ports: FilePorts): void {
  const content = decodeFile(bytes);
  ports.ledger.record(file.realPath, {
    digest: ports.digest(bytes),
    text: content.type === 'text' ? content.text : '',
  });
}

async function readExisting(realPath: string, ports: FilePorts): Promise<FileBytes | undefined> {
  try {
    return await ports.fileSystem.readFile(realPath, MAX_FILE_BYTES, 'refuse');
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'not_found') return undefined;
    throw error;
  }
}
