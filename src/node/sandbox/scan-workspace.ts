import { type Dirent, readdirSync, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { contains, type PathRules } from '../../policy/paths/path-policy.ts';
import {
  createFirstLook,
  type EntryUse,
  type FirstLook,
  REPOSITORY_SETTINGS,
  useOfEntry,
} from '../../policy/sandbox/workspace-entry.ts';
import { realFile } from './real-files.ts';

/** The files and directories of a workspace that commands may not change, or not read. */
export interface SpecialEntries {
  readonly guarded: readonly string[];
  readonly unreadable: readonly string[];
  /** The guarded entries that are links, which no mount can cover. */
  readonly links: readonly string[];
  /** Directories of git, and files `.git` that name one. */
  readonly repositories: readonly string[];
}

/** Limits of a scan: a command must not wait for a large project. */
const MAX_DIRECTORIES = 5_000;
const MAX_DEPTH = 64;
export const PARALLEL = 16;

/** The contents of one directory: its special entries, and the directories to read next. */
interface Listing {
  /** Milliseconds since the epoch. No program can set it. */
  readonly changedAt: number | undefined;
  readonly special: readonly { readonly file: string; readonly kind: EntryKind; readonly use: EntryUse }[];
  readonly directories: readonly string[];
}

/** Milliseconds after a change of a directory in which a second change may leave the same time stamp. */
export const UNSURE_MS = 50;

/** Finds the special entries of a workspace. */
export type ScanWorkspace = (root: string, rules: PathRules) => Promise<SpecialEntries>;

/**
 * Creates a scan of workspaces, which remembers directories until they change. It finds the special entries of a directory,
 * the shallow ones first, up to a limit of directories, and follows no link to a directory. A link with the name of a
 * secret makes its target one, if that is a file of the user. All calls get the same rules. Never throws.
 */
export function createScan(): ScanWorkspace {
  const listings = new Map<string, Listing>();
  const listingOf = async (directory: string, rules: PathRules, isSpecial: FirstLook): Promise<Listing> => {
    const changedAt = changeTime(directory);
    const known = listings.get(directory);
    if (known !== undefined && known.changedAt === changedAt) return known;
    const now = Date.now();
    const found = { changedAt, ...classify(directory, await list(directory), rules, isSpecial) };
    if (changedAt !== undefined && now - changedAt > UNSURE_MS) listings.set(directory, found);
    else listings.delete(directory);
    return found;
  };
  return async (root, rules) => {
    const isSpecial = createFirstLook(rules);
    const guarded: string[] = [];
    const unreadable: string[] = [];
    const links: string[] = [];
    const repositories: string[] = [];
    let level: readonly string[] = [root];
    let remaining = MAX_DIRECTORIES;
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
      const next: string[] = [];
      const visited = level.slice(0, remaining);
      remaining -= visited.length;
      for (let first = 0; first < visited.length; first += PARALLEL) {
        const batch = visited.slice(first, first + PARALLEL);
        for (const { special, directories } of await Promise.all(
          batch.map((each) => listingOf(each, rules, isSpecial)),
        )) {
          next.push(...directories);
          for (const { file, kind, use } of special) {
            if (use === 'repository' || isPointer(file)) repositories.push(file);
            if (use === 'repository') guarded.push(...repositorySettings(file));
            else if (use === 'guarded' && kind === 'link') {
              links.push(file);
              guarded.push(...(await secretFile(file, kind, rules)));
            } else if (use === 'guarded' || (use === 'private' && kind === 'file')) guarded.push(file);
            if (use === 'unreadable' || use === 'private') unreadable.push(...(await secretFile(file, kind, rules)));
          }
        }
      }
      level = next;
    }
    return { guarded, unreadable, links, repositories };
  };
}

/** The entries by which git knows a directory of its own. */
const BARE = ['HEAD', 'objects', 'refs'];

function isPointer(file: string): boolean {
  return path.basename(file).toLowerCase() === '.git';
}

/** Without a promise, because that takes ten times as long. */
export function changeTime(directory: string): number | undefined {
  try {
    return statSync(directory).ctimeMs;
  } catch {
    return undefined;
  }
}

function classify(
  directory: string,
  entries: readonly Dirent[],
  rules: PathRules,
  isSpecial: FirstLook,
): Pick<Listing, 'special' | 'directories'> {
  const special: Listing['special'][number][] = [];
  const directories: string[] = [];
  // A directory that looks like a bare repository is one for git.
  if (BARE.every((name) => entries.some((entry) => entry.name === name)))
    special.push({ file: directory, kind: 'directory', use: 'repository' });
  for (const entry of entries) {
    const file = path.join(directory, entry.name);
    const kind = kindOfEntry(entry);
    const use = isSpecial(directory, entry.name) ? useOfEntry(file, kind, rules) : 'ordinary';
    if (use !== 'ordinary') special.push({ file, kind, use });
    else if (kind === 'directory') directories.push(file);
  }
  return { special, directories };
}

/**
 * The file that an entry is, or leads to as a link. A link to a file of the system, such as certificates, has
 * none.
 */
export async function secretFile(
  file: string,
  kind: EntryKind,
  { allowedRoots, home }: PathRules,
): Promise<readonly string[]> {
  if (kind !== 'link') return kind === 'file' ? [file] : [];
  const target = await realpath(file).catch(() => undefined);
  if (target === undefined) return [];
  const roots = home === undefined ? allowedRoots : [...allowedRoots, home];
  const isOwn = roots.some((root) => contains(root, target, 'posix'));
  const isFile = isOwn && (await stat(target).catch(() => undefined))?.isFile() === true;
  return isFile ? [target] : [];
}

/**
 * The parts of a directory of git that exist and decide which programs run, those of its submodules among them. A link
 * counts as what it leads to, if that lies beside the repository: commands can make links to files that they cannot see.
 */
export function repositorySettings(directory: string): readonly string[] {
  const parts = listNow(directory);
  const own = parts
    .filter(({ name }) => REPOSITORY_SETTINGS.includes(name))
    .flatMap((entry) => {
      const file = path.join(directory, entry.name);
      if (!entry.isSymbolicLink()) return [file];
      const target = realFile(file);
      return target !== undefined && contains(path.dirname(directory), target, 'posix') ? [target] : [];
    });
  if (!parts.some((entry) => entry.name === 'modules' && entry.isDirectory())) return own;
  const modules = path.join(directory, 'modules');
  const inModules = listNow(modules).filter((entry) => entry.isDirectory());
  return [...own, ...inModules.flatMap(({ name }) => repositorySettings(path.join(modules, name)))];
}

/** For few directories: without a promise, because that takes ten times as long. */
function listNow(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

export async function list(directory: string): Promise<readonly Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

export function kindOfEntry(entry: Dirent): EntryKind {
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}
