import { FileSystemError, ToolError, unlessFileError } from '../../agent/errors.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { DirectoryEntry, FileBytes, FileProtection, FileSystem } from '../../agent/ports/file-system.ts';
import type { PlannedEffect } from '../../agent/ports/tool.ts';
import { classifyPath, displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { decodeFile, describeFormat, type FileContent, textToUnits, unencodable } from '../../text/bytes/decode.ts';
import { formatSize } from '../../text/quantities.ts';
import { suggest } from '../../text/suggest.ts';
import { withFileErrors } from './file-errors.ts';
import type { KnownFile, ReadLedger } from './read-ledger.ts';
import { notExpanded, type ResolvedPath } from './resolve-path.ts';

/** The ports of the tools that read and change files. */
export interface FilePorts {
  readonly fileSystem: FileSystem;
  readonly digest: ComputeDigest;
  readonly pathRules: PathRules;
  /** The files that this session has read or written, with their content at that time. */
  readonly ledger: ReadLedger;
}

/** The maximum size of a file that is read completely, in bytes. Larger files are not changed. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** The bytes of a file, decoded and hashed once. */
export interface DecodedFile {
  readonly bytes: Uint8Array;
  readonly content: FileContent;
  readonly digest: Digest;
}

/** A file on the disk. `isWhole` is false if it has more than `MAX_FILE_BYTES`; then `bytes` is only its start. */
export interface LoadedFile extends DecodedFile {
  readonly size: number;
  readonly isWhole: boolean;
  readonly protection?: FileProtection | undefined;
  readonly otherNames?: number | undefined;
}

/** Reads a file; `undefined` if it does not exist. Throws `ToolError` if it is not a regular file or not readable. */
export async function loadFile(file: ResolvedPath, ports: FilePorts): Promise<LoadedFile | undefined> {
  const read = await readFileBytes(file, ports);
  if (read === undefined) return undefined;
  const { bytes, size, protection, otherNames } = read;
  const isWhole = bytes.length >= size;
  return { bytes, size, isWhole, protection, otherNames, content: decodeFile(bytes), digest: ports.digest(bytes) };
}

/** The effect of a change of an existing file. `known` is the version of the file that this session knows. */
export function effectOnFile(
  { use }: ResolvedPath,
  { digest, protection }: LoadedFile,
  known: KnownFile | undefined,
): Pick<PlannedEffect, 'paths' | 'before' | 'readThisSession' | 'protection'> {
  const effect = { paths: [use], before: digest, readThisSession: known?.digest === digest };
  return protection === undefined ? effect : { ...effect, protection };
}

/** The words about the other hard links of a file, which a change does not reach; empty if it has none. */
export function otherNamesOf({ otherNames = 0 }: LoadedFile): { readonly summary: string; readonly note: string } {
  if (otherNames === 0) return { summary: '', note: '' };
  const links = otherNames === 1 ? 'its other hard link' : `its ${otherNames} other hard links`;
  return {
    summary: `, not ${links}`,
    note: `\nNote: ${links} ${otherNames === 1 ? 'keeps' : 'keep'} the old content.`,
  };
}

/** Reads a file that must exist. Throws `ToolError` `not_found` that suggests similar names in the same directory. */
export async function requireLoadedFile(file: ResolvedPath, ports: FilePorts): Promise<LoadedFile> {
  const loaded = await loadFile(file, ports);
  if (loaded === undefined) throw new ToolError('not_found', await missingFileMessage(file, ports));
  return loaded;
}

/** Reads at most `MAX_FILE_BYTES` of a file; `undefined` if it does not exist. Throws `ToolError`. */
export async function readFileBytes(
  { realPath, display }: ResolvedPath,
  { fileSystem }: FilePorts,
): Promise<FileBytes | undefined> {
  return withFileErrors(display, () =>
    unlessFileError(fileSystem.readFile(realPath, MAX_FILE_BYTES, 'refuse'), 'not_found'),
  );
}

/** Throws `binary_file` unless the file is text. */
export function requireText(file: ResolvedPath, loaded: LoadedFile): Extract<FileContent, { type: 'text' }> {
  const { content, size } = loaded;
  if (content.type === 'text') return content;
  throw new ToolError(
    'binary_file',
    `${file.display} is a binary file (${content.fileType}, ${formatSize(size)}), not text. Use run_shell with a program that reads such files.`,
  );
}

type TextContent = Extract<FileContent, { type: 'text' }>;

/** The code units of a new text for a file. Throws `invalid_arguments` for a character that the encoding of the file lacks. */
export function unitsFor({ display }: ResolvedPath, text: string, file: TextContent): string {
  const { encoding } = file;
  const missing = unencodable(text, file);
  if (missing === undefined) return textToUnits(text, encoding);
  if (encoding === 'unknown') {
    throw new ToolError(
      'invalid_arguments',
      `The encoding of ${display} is not known, so ${missing} cannot be written into it. Nothing was written. Use ASCII and the sequences that the file has, or convert it to UTF-8 first (run_shell: iconv).`,
    );
  }
  // Without a text, the format has only the name of the encoding.
  const name = describeFormat(encoding, '').join();
  const code = `U+${Number(missing.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
  throw new ToolError(
    'invalid_arguments',
    `${display} is in ${name}, which has no ${missing} (${code}). Nothing was written. Use a character that it has, or replace the whole file with write_file, which writes UTF-8.`,
  );
}

/** Throws `too_large` unless the file was read completely. */
export function requireWhole(file: ResolvedPath, loaded: LoadedFile): void {
  if (loaded.isWhole) return;
  throw new ToolError(
    'too_large',
    `${file.display} is ${formatSize(loaded.size)}; only files up to ${formatSize(MAX_FILE_BYTES)} can be changed with this tool. Use run_shell.`,
  );
}

const MAX_SUGGESTIONS = 3;
/** More than the suggestions, because the path rules may forbid some of them. */
const MAX_SIMILAR_NAMES = 20;
/** The number of names of a directory that are compared. */
const MAX_COMPARED_NAMES = 2_000;

/** The names to compare with a wanted one. In a large directory only those with the same first letter. */
function comparableNames(wanted: string, entries: readonly DirectoryEntry[]): readonly string[] {
  const names = entries.map(({ name }) => name);
  if (names.length <= MAX_COMPARED_NAMES) return names;
  const initial = wanted.charAt(0).toLowerCase();
  return names.filter((name) => name.charAt(0).toLowerCase() === initial).slice(0, MAX_COMPARED_NAMES);
}

/** True unless two names are similar only because they end alike: `missing.txt` and `big.txt`. */
function hasSimilarStem(wanted: string, name: string): boolean {
  const [, ending] = /.(\.\w+)$/.exec(wanted) ?? [];
  if (ending === undefined || !name.endsWith(ending)) return true;
  return suggest(wanted.slice(0, -ending.length), [name.slice(0, -ending.length)]).length > 0;
}

/**
 * The paths of up to three files beside a missing one that have similar names and that the path rules allow; `undefined`
 * if the directory is missing, too.
 */
export async function similarPaths(
  file: ResolvedPath,
  { fileSystem, pathRules }: FilePorts,
): Promise<readonly string[] | undefined> {
  const flavour = pathFlavour(pathRules.platform);
  const directory = flavour.dirname(file.realPath);
  const entries = await fileSystem.list(directory, undefined, 'refuse').catch((error: unknown) => {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  });
  if (entries === undefined) return undefined;
  const wanted = flavour.basename(file.realPath);
  return suggest(wanted, comparableNames(wanted, entries), MAX_SIMILAR_NAMES)
    .filter(
      (name) =>
        hasSimilarStem(wanted, name) &&
        classifyPath(flavour.join(directory, name), 'read', pathRules).type === 'inside',
    )
    .slice(0, MAX_SUGGESTIONS)
    .map((name) => displayPath(flavour.join(directory, name), pathRules));
}

/** The message for a file that does not exist, with similar paths. */
async function missingFileMessage(file: ResolvedPath, ports: FilePorts): Promise<string> {
  const [variable] = /\$\w+|\$\{\w+\}/.exec(file.display) ?? [];
  if (variable !== undefined) {
    return `${file.display} does not exist. ${notExpanded(variable)}`;
  }
  const paths = await similarPaths(file, ports);
  if (paths === undefined) {
    const shown = displayPath(pathFlavour(ports.pathRules.platform).dirname(file.realPath), ports.pathRules);
    return `${file.display} does not exist, nor does its directory ${shown}. Use list_files to look for it.`;
  }
  if (paths.length === 0) return `${file.display} does not exist. Use list_files to look for it.`;
  return `${file.display} does not exist. Did you mean ${paths.join(' or ')}?`;
}
