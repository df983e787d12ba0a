import { Buffer } from 'node:buffer';
import {
  accessSync,
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
export const MAX_SMALL_FILE = 16 * 1024 * 1024;

/** The result of an access to files; `undefined` if it fails. */
export function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** The text of a small file. Opens nothing else, because the opening of a pipe would wait for a writer. */
export function readSmallFile(file: string): string | undefined {
  return attempt(() => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= MAX_SMALL_FILE ? readFileSync(file, 'utf8') : undefined;
  });
}

/** The real path of a file that exists. */
export function realFile(file: string): string | undefined {
  // An error takes far longer than this check, and most files of the lists do not exist.
  return attempt(() => (existsSync(file) ? realpathSync.native(file) : undefined));
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
  return attempt(() => readFileSync(file)) ?? Buffer.alloc(0);
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
      // Synchronous, because a promise takes ten times as long.
      const stat = attempt(() => statSync(file, { throwIfNoEntry: false }));
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

/** Facts about a file itself; `undefined` also if a directory of its path is none. */
export function lstatOrUndefined(file: string): Stats | undefined {
  return attempt(() => lstatSync(file, { throwIfNoEntry: false }));
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

/** Makes a change in a directory of this user with all rights there, which a command may have taken away. */
export function whileWritable(directory: string | Buffer, change: () => void): void {
  const close = reopen(directory);
  try {
    change();
  } finally {
    close?.();
  }
}

/** Gives this user all rights in a directory of its own. Returns what restores its mode, if something was missing. */
function reopen(directory: string | Buffer, roots?: readonly string[]): (() => void) | undefined {
  return onDirectory(directory, ({ mode, uid, dev, ino }, place) => {
    const isInside = () => roots?.some((root) => contains(root, realFile(String(place)) ?? '', 'posix')) ?? true;
    if ((mode & 0o700) === 0o700 || uid !== process.geteuid?.() || !isInside()) return undefined;
    attempt(() => chmodSync(place, (mode & 0o7777) | 0o700));
    return () =>
      onDirectory(directory, (stat, now) => {
        if (stat.dev === dev && stat.ino === ino) attempt(() => chmodSync(now, mode & 0o7777));
      });
  });
}

/** Uses a directory itself; `undefined` if there is none, or only a link to one. */
function onDirectory<Result>(
  directory: string | Buffer,
  use: (stat: Stats, place: string | Buffer) => Result,
): Result | undefined {
  const descriptor = openOrUndefined(directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  if (descriptor === undefined) return undefined;
  try {
    return use(fstatSync(descriptor), process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : directory);
  } finally {
    closeSync(descriptor);
  }
}

/** The descriptor of an opened file, which the caller closes; `undefined` if the file cannot be opened. */
export function openOrUndefined(file: string | Buffer, flags: number): number | undefined {
  return attempt(() => openSync(file, flags));
}

/** An entry of a directory, as it is listed or found by its name. */
export type NamedEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** The directories that commands have closed. */
export interface ReopenedDirectories {
  /** Their entries as of the last look. */
  readonly entries: Map<string, readonly NamedEntry[]>;
  /** A function that closes each directory that is open during a scan, outer directories first. */
  readonly opened: Map<string, () => void>;
  looks: number;
}

/** A look at directories, before or after a command. */
export interface DirectoryLook {
  /** The directories that could not be entered before the command. */
  readonly closed: Set<string>;
  readonly reopened: ReopenedDirectories;
  /** The directories in which commands can close others. Without them, nothing is opened. */
  readonly roots?: readonly string[];
  /** The command can have closed what was open before. */
  readonly isAfter?: boolean;
}

/** A look before a command, or without one. */
export function firstLook(reopened: ReopenedDirectories = newReopened()): DirectoryLook {
  return { closed: new Set(), reopened };
}

/** The memory of directories that commands close. */
export function newReopened(): ReopenedDirectories {
  return { entries: new Map(), opened: new Map(), looks: 0 };
}

/** Works with directories that commands have closed, which are closed again when no other work needs them. */
export async function whileReopened<Result>(
  reopened: ReopenedDirectories,
  work: () => Promise<Result>,
): Promise<Result> {
  reopened.looks += 1;
  try {
    return await work();
  } finally {
    reopened.looks -= 1;
    if (reopened.looks === 0) {
      for (const close of [...reopened.opened.values()].reverse()) close();
      reopened.opened.clear();
    }
  }
}

/** The names that matter in a directory that cannot be listed. */
const KNOWN_NAMES: readonly string[] = [
  ...[...SENSITIVE_NAMES, ...SENSITIVE_EXECUTABLES, ...SENSITIVE_PAIRS.map(([, file]) => file)],
  ...[...REPOSITORY_SETTINGS, '.git', 'modules', 'HEAD', 'objects', 'refs'],
];

/** Throws unless this user can list a directory and reach the files in it. */
export function assertOpen(directory: string): void {
  accessSync(directory, constants.R_OK | constants.X_OK);
}

/**
 * The entries of a directory. A command can take away the rights of its user, and another program or the user can give them
 * back, so the look after a command restores them until what the command made is put back. Of a directory that the user
 * has closed, only entries with known names are found.
 */
export function entriesOf(directory: string, look?: DirectoryLook): readonly NamedEntry[] {
  const list = () => readdirSync(directory, { withFileTypes: true });
  const { entries: known, opened } = look?.reopened ?? newReopened();
  try {
    assertOpen(directory);
    if (!opened.has(directory)) known.delete(directory);
    return list();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) return [];
    const isTheirs = look?.isAfter === true ? !look.closed.has(directory) : known.has(directory);
    const mayOpen = look?.roots !== undefined && isTheirs && process.platform === 'linux';
    const close = mayOpen ? reopen(directory, look.roots) : undefined;
    if (close !== undefined) {
      opened.set(directory, () => {
        const entries = attempt(list) ?? [];
        close();
        // Nothing can be mounted in a directory that cannot be entered.
        known.set(directory, lstatOrUndefined(`${directory}/.`) === undefined ? [] : entries);
      });
      return attempt(list) ?? [];
    }
    if (!known.has(directory)) look?.closed.add(directory);
    const named = (name: string): readonly NamedEntry[] => {
      const stat = lstatOrUndefined(path.join(directory, name));
      return stat === undefined ? [] : [Object.assign(stat, { name })];
    };
    return known.get(directory) ?? attempt(list) ?? KNOWN_NAMES.flatMap(named);
  }
}
