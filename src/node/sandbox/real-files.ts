import { Buffer } from 'node:buffer';
import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { contains } from '../../policy/paths/path-policy.ts';
import { SENSITIVE_EXECUTABLES, SENSITIVE_NAMES, SENSITIVE_PAIRS } from '../../policy/paths/special-names.ts';
import { REPOSITORY_SETTINGS } from '../../policy/sandbox/workspace-entry.ts';

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

/** The first link on the way to a file, if there is one, and where it leads. */
export function firstLink(file: string): readonly { readonly path: string; readonly target: string }[] {
  if (realFile(file) === file || file === path.dirname(file)) return [];
  const before = firstLink(path.dirname(file));
  const target = realFile(file);
  return before.length > 0 || target === undefined ? before : [{ path: file, target }];
}

/** The bytes of a file, none if it cannot be read. */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * True if every later change of a file or directory gets another time than this one, in milliseconds since the epoch.
 * Some file systems store times in steps of one or two seconds.
 */
export function isUnambiguous(changedAt: number, now = Date.now()): boolean {
  return now - changedAt > (changedAt % 1000 === 0 ? 2_100 : 50);
}

/** Remembers what was found in a file or directory, until it changes or another one takes its place. */
export interface FileMemory<Found> {
  /** `known` is what was found before; `keep` remembers what is found after this look, and returns it. */
  look(file: string): { readonly known: Found | undefined; keep(found: Found): Found };
}

/** Creates a `FileMemory`. No program can set the time of a change, but two files may have the same time. */
export function createFileMemory<Found>(): FileMemory<Found> {
  const known = new Map<string, { readonly identity: string; readonly found: Found }>();
  return {
    look(file) {
      const stat = statOrUndefined(file);
      if (stat === undefined) return { known: undefined, keep: (found) => found };
      const identity = [stat.dev, stat.ino, stat.ctimeMs].join(' ');
      const now = Date.now();
      const last = known.get(file);
      return {
        known: last?.identity === identity ? last.found : undefined,
        keep(found) {
          if (isUnambiguous(stat.ctimeMs, now)) known.set(file, { identity, found });
          return found;
        },
      };
    },
  };
}

/** The state of a file; `undefined` if it has none. Synchronous, because a promise takes ten times as long. */
function statOrUndefined(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The flag that opens a directory without the permission to read it. Only Linux has it. */
export const O_PATH = process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY;

/**
 * Uses a file whose real directory lies in one of the roots: a server or another program of the user may still run, and
 * put a link in place of a directory at any time. On Linux, `place` is a path below a descriptor of the directory.
 */
export function inDirectory<Result>(
  file: string,
  roots: readonly string[],
  use: (place: string, directory: string) => Result,
): Result | undefined {
  const named = path.dirname(file);
  const descriptor = openOrUndefined(named, O_PATH | constants.O_DIRECTORY);
  if (descriptor === undefined) return undefined;
  try {
    const opened = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : named;
    const directory = realFile(opened);
    if (directory === undefined || !roots.some((root) => contains(root, directory, 'posix'))) return undefined;
    return use(path.join(opened, path.basename(file)), directory);
  } finally {
    closeSync(descriptor);
  }
}

/** Changes a directory of this user from which a command may have taken the right to write, so that what it made stays. */
export function whileWritable(directory: string | Buffer, change: () => void): void {
  const descriptor = openOrUndefined(directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  if (descriptor === undefined) {
    change();
    return;
  }
  const place = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : directory;
  const { mode, uid } = fstatSync(descriptor);
  const isClosed = (mode & 0o300) !== 0o300 && uid === process.geteuid?.();
  try {
    if (isClosed) chmodSync(place, (mode & 0o7777) | 0o300);
    change();
  } finally {
    if (isClosed) chmodSync(place, mode & 0o7777);
    closeSync(descriptor);
  }
}

/** The descriptor of an opened file, which the caller closes; `undefined` if the file cannot be opened. */
export function openOrUndefined(file: string | Buffer, flags: number): number | undefined {
  try {
    return openSync(file, flags);
  } catch {
    return undefined;
  }
}

/** An entry of a directory, as it is listed or found by its name. */
export type NamedEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** The entries of directories that commands have closed, as of the last look. */
export type ReopenedDirectories = Map<string, readonly NamedEntry[]>;

/** A look at directories, before or after a command. */
export interface DirectoryLook {
  /** The directories that could not be listed before the command. */
  readonly closed: Set<string>;
  readonly reopened: ReopenedDirectories;
  /** The directories in which the command could close others. None before a command. */
  readonly roots?: readonly string[];
}

/** A look before a command, or without one. */
export function firstLook(reopened: ReopenedDirectories): DirectoryLook {
  return { closed: new Set(), reopened };
}

/** The names that matter in a directory that cannot be listed. */
const KNOWN_NAMES: readonly string[] = [
  ...[...SENSITIVE_NAMES, ...SENSITIVE_EXECUTABLES, ...SENSITIVE_PAIRS.map(([, file]) => file)],
  ...[...REPOSITORY_SETTINGS, '.git', 'modules', 'HEAD', 'objects', 'refs'],
];

/**
 * The entries of a directory. A command can remove the read permission of its user, although git and other programs still
 * use the files in the directory, so the look after a command restores the permission while it lists the directory. Of a
 * directory that the user has closed, only entries with known names are found.
 */
export function entriesOf(directory: string, look?: DirectoryLook): readonly NamedEntry[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    look?.reopened.delete(directory);
    return entries;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) return [];
    const mayOpen = look?.roots !== undefined && !look.closed.has(directory) && process.platform === 'linux';
    const opened = mayOpen ? entriesOfClosed(directory, look.roots) : undefined;
    if (opened !== undefined) look?.reopened.set(directory, opened);
    const known = look?.reopened.get(directory);
    if (known === undefined) look?.closed.add(directory);
    return known ?? KNOWN_NAMES.flatMap((name) => entryNamed(directory, name));
  }
}

function entryNamed(directory: string, name: string): readonly NamedEntry[] {
  try {
    const stat = lstatSync(path.join(directory, name), { throwIfNoEntry: false });
    return stat === undefined ? [] : [Object.assign(stat, { name })];
  } catch {
    return [];
  }
}

function entriesOfClosed(directory: string, roots: readonly string[]): readonly NamedEntry[] | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const place = `/proc/self/fd/${descriptor}`;
    const { mode, uid } = fstatSync(descriptor);
    const real = realpathSync.native(place);
    if (uid !== process.geteuid?.() || !roots.some((root) => contains(root, real, 'posix'))) return undefined;
    try {
      chmodSync(place, (mode & 0o7777) | constants.S_IRUSR);
      return readdirSync(place, { withFileTypes: true });
    } finally {
      chmodSync(place, mode & 0o7777);
    }
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
