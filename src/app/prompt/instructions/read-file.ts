import { FileSystemError } from '../../../agent/errors.ts';
import type { FileBytes, FileSystem } from '../../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../../../policy/paths/path-policy.ts';
import { decodeFile } from '../../../text/bytes/decode.ts';
import { escapeForTerminal, escapeLine } from '../../../text/escape.ts';

/** Number of bytes that are read of one file; more than any limit has room for. */
const MAX_BYTES = 128 * 1024;

export interface Instructions {
  /** Relative to the workspace, with `/`; absolute if it lies above, with `~` if it is the user's. Safe to print. */
  readonly path: string;
  /** The text, or its start. Hidden characters are escaped. */
  readonly text: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** The text is only the start of the file. */
  readonly cut: boolean;
  /** It is the user's for all projects, and not part of the project. */
  readonly ofUser?: true;
}

/** Ports and rules of one kind of instructions files. */
export interface InstructionReader {
  readonly fileSystem: FileSystem;
  readonly platform: PathPlatform;
  /** The directory of a leading `~` in imports; absent: they have none. */
  readonly home?: string;
  /** True if the file, with this real path, may be given to a model. */
  readonly mayRead: (file: string, real: string) => boolean;
  /** True if a file at this real path counts although another user may have written it. */
  readonly mayBeForeign: (real: string) => boolean;
  readonly display: (file: string) => string;
}

/** Reads one file; `undefined` if it is not there, cannot be read, may not be read or has no text. */
export async function readInstructionFile(file: string, reader: InstructionReader): Promise<Instructions | undefined> {
  const { fileSystem, mayRead, mayBeForeign, display } = reader;
  try {
    const real = await fileSystem.realPath(file);
    if (!mayRead(file, real)) return undefined;
    const bytes = await fileSystem.readFile(real, MAX_BYTES, 'refuse');
    if (bytes.protection !== undefined && !mayBeForeign(real)) return undefined;
    const text = textOf(bytes);
    if (text === '') return undefined;
    return { path: escapeLine(display(file)), text, size: bytes.size, cut: bytes.size > bytes.bytes.length };
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

/** The files whose agents follow imports. */
const IMPORTING = /(?:^|[\\/])(?:CLAUDE(?:\.local)?|GEMINI)\.md$/;
/** The longest chain of imports, as in Claude Code, and the most files of one chain. */
const MAX_HOPS = 5;
const MAX_IMPORTS = 30;

/** Reads a file, followed by those that it imports with `@path`, each once. */
export async function readWithImports(file: string, reader: InstructionReader): Promise<readonly Instructions[]> {
  const { dirname, isAbsolute, join, resolve } = pathFlavour(reader.platform);
  const seen = new Set<string>();
  const read = async (path: string, hops: number): Promise<readonly Instructions[]> => {
    if (seen.has(path) || seen.size > MAX_IMPORTS) return [];
    seen.add(path);
    const instructions = await readInstructionFile(path, reader);
    if (instructions === undefined) return [];
    if (!IMPORTING.test(file) || hops === MAX_HOPS) return [instructions];
    const imported: Instructions[] = [];
    for (const written of importsIn(instructions.text)) {
      const isHome = written.startsWith('~/');
      if (isHome && reader.home === undefined) continue;
      const target = isHome && reader.home !== undefined ? join(reader.home, written.slice(2)) : written;
      imported.push(...(await read(isAbsolute(target) ? target : resolve(dirname(path), target), hops + 1)));
    }
    return [instructions, ...imported];
  };
  return read(file, 0);
}

/**
 * The text of a file in its encoding, as `read_file` shows it; '' for a binary one. Hidden characters are escaped, because
 * a person could not have read them.
 */
function textOf({ bytes }: FileBytes): string {
  const content = decodeFile(bytes);
  return content.type === 'text' ? escapeForTerminal(content.text.replaceAll('\r\n', '\n').trim()) : '';
}

/** Text that is not an import: blocks and spans of code. */
const CODE = /^(`{3,}|~{3,})[\s\S]*?^\1[^\n]*$|(`+)[^\n]*?\2/gmu;

/** `@path` at the start of a line or after a space, as Claude Code and Gemini CLI have it. */
const IMPORT = /(?<=^|\s)@((?:~\/|\.{1,2}\/|\/)?[\w][\w./-]*[\w]|~\/[\w./-]*[\w])/gmu;

/** The paths that the text of an instructions file imports, in order, each once. */
export function importsIn(text: string): readonly string[] {
  const prose = text.replace(CODE, '');
  return [...new Set([...prose.matchAll(IMPORT)].map(([, path = '']) => path))];
}
