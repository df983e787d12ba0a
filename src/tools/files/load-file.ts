import { FileSystemError, ToolError } from '../../core/errors.ts';
import type { ComputeDigest, Digest } from '../../ports/digest.ts';
import type { FileBytes, FileSystem } from '../../ports/file-system.ts';
import { classifyPath, displayPath, type PathRules, pathFlavour } from '../../safety/paths/path-policy.ts';
import { decodeFile, type FileContent } from '../../text/decode.ts';
import { formatSize } from '../../text/quantities.ts';
import { suggest } from '../../text/suggest.ts';
import { withFileErrors } from './file-errors.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** The ports of the tools that read and change files. */
export interface FilePorts {
  readonly fileSystem: FileSystem;
  readonly digest: ComputeDigest;
  readonly pathRules: PathRules;
  /** The files that this session has read or written, with their content at that time. */
  readonly ledger: ReadLedger;
}

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

/**
 * What to tell the model of a file that does not exist: up to three names of the same directory that it may have
 * meant, none that the rules forbid.
 */
export async function missingFileText(
  file: ResolvedPath,
  ports: Pick<FilePorts, 'fileSystem' | 'pathRules'>,
): Promise<string> {
  const { fileSystem, pathRules } = ports;
  const flavour = pathFlavour(pathRules.platform);
  const directory = flavour.dirname(file.realPath);
  const entries = await fileSystem.list(directory).catch((error: unknown) => {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  });
  const shownDirectory = displayPath(directory, pathRules);
  if (entries === undefined) {
    return `${file.display} does not exist, nor does its directory ${shownDirectory}. Use list_files to look for it.`;
  }
  const names = entries
    .map(({ name }) => name)
    .filter((name) => classifyPath(flavour.join(directory, name), 'read', pathRules).type === 'inside');
  const near = suggest(flavour.basename(file.realPath), names, 3);
  if (near.length === 0) return `${file.display} does not exist. Use list_files to look for it.`;
  const paths = near.map((name) => displayPath(flavour.join(directory, name), pathRules));
  return `${file.display} does not exist. Did you mean ${paths.join(' or ')}?`;
}

/** A file as this session last saw it. */
export interface SeenFile {
  readonly digest: Digest;
  readonly text: string;
}

/** Remembers, by real path, what this session has read or written; forgotten on `/clear`. */
export class ReadLedger {
  readonly #files = new Map<string, SeenFile>();

  record(realPath: string, file: SeenFile): void {
    this.#files.set(realPath, file);
  }

  get(realPath: string): SeenFile | undefined {
    return this.#files.get(realPath);
  }

  clear(): void {
    this.#files.clear();
  }
}
