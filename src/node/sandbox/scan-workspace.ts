import { statSync } from 'node:fs';
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
import { repositoriesIn } from './git-watch.ts';
import {
  assertOpen,
  createFileMemory,
  type DirectoryLook,
  entriesOf,
  firstLook,
  type NamedEntry,
  realFile,
} from './real-files.ts';
import { isUnnamed } from './unnamed-repositories.ts';

/** The files and directories of a workspace that commands may not change, or not read. */
export interface SpecialEntries {
  readonly guarded: readonly string[];
  readonly unreadable: readonly string[];
  /** The guarded entries that are links, which no mount can cover. */
  readonly links: readonly string[];
  /** Directories of git, and files `.git` that name one. */
  readonly repositories: readonly string[];
  /** The ordinary links. */
  readonly others: readonly string[];
  /** The directories that contain directories without a name in UTF-8. */
  readonly unnamed: readonly string[];
}

/** The maximum number of directories of the first scan: a command must not wait for a large project. */
const MAX_DIRECTORIES = 5_000;
export const PARALLEL = 16;

/** The contents of one directory: its special entries, and the directories to read next. */
interface Listing {
  readonly special: readonly { readonly file: string; readonly kind: EntryKind; readonly use: EntryUse }[];
  readonly directories: readonly string[];
  readonly links: readonly string[];
}

/**
 * Finds the special entries of a workspace. Directories that were created after `knownSince`, in milliseconds since the
 * epoch, come last.
 */
export type ScanWorkspace = (
  root: string,
  rules: PathRules,
  options?: { readonly knownSince?: number; readonly look?: DirectoryLook },
) => Promise<SpecialEntries>;

/**
 * Creates a scan of workspaces, which remembers directories until they change. It finds the special entries of a directory,
 * the shallow ones first, and follows no link to a directory. A link with the name of a secret makes its target one, if that
 * is a file of the user. The first scan of a root leaves out the directories above a limit, and later scans leave out only
 * these: no command can hide a file behind many directories that it creates. All calls get the same rules. `createLook`
 * makes the choice of the entries that may be special. Never throws.
 */
export function createScan(createLook: (rules: PathRules) => FirstLook = createFirstLook): ScanWorkspace {
  const listings = createFileMemory<Listing>();
  const leftOut = new Map<string, ReadonlySet<string>>();
  const listingOf = async (
    directory: string,
    rules: PathRules,
    isSpecial: FirstLook,
    look: DirectoryLook,
  ): Promise<Listing> => {
    const { known, keep } = listings.look(directory);
    if (known !== undefined) return known;
    const found = classify(directory, await list(directory, look), rules, isSpecial);
    return look.closed.has(directory) || look.reopened.entries.has(directory) ? found : keep(found);
  };
  return async (root, rules, { knownSince = Number.POSITIVE_INFINITY, look = firstLook() } = {}) => {
    const isSpecial = createLook(rules);
    const guarded: string[] = [];
    const unreadable: string[] = [];
    const links: string[] = [];
    const repositories: string[] = [];
    const others: string[] = [];
    const unnamed: string[] = [];
    const skipped = leftOut.get(root);
    const [old, young]: [string[], string[]] = [[root], []];
    let remaining = skipped === undefined ? MAX_DIRECTORIES : Number.POSITIVE_INFINITY;
    const visit = async (directories: readonly string[]): Promise<void> => {
      remaining -= directories.length;
      for (const listing of await Promise.all(directories.map((each) => listingOf(each, rules, isSpecial, look)))) {
        others.push(...listing.links);
        for (const directory of listing.directories) {
          if (isUnnamed(path.basename(directory))) unnamed.push(path.dirname(directory));
          if (skipped?.has(directory) === true) continue;
          const isYoung = skipped === undefined && bornAt(directory) > knownSince;
          (isYoung ? young : old).push(directory);
        }
        for (const { file, kind, use } of listing.special) {
          if (use === 'repository' || isPointer(file)) repositories.push(file);
          // Nothing deeper in such a directory is looked at.
          if (use === 'skipped') repositories.push(...repositoriesIn(file));
          if (use === 'repository') guarded.push(...repositorySettings(file, look));
          else if (use === 'guarded' && kind === 'link') {
            links.push(file);
            guarded.push(...(await secretFile(file, kind, rules)));
          } else if (use === 'guarded' || (use === 'private' && kind === 'file')) guarded.push(file);
          if (use === 'unreadable' || use === 'private') unreadable.push(...(await secretFile(file, kind, rules)));
        }
      }
    };
    const visited = { old: 0, young: 0 };
    while (remaining > 0 && visited.old + visited.young < old.length + young.length) {
      const kind = visited.old < old.length ? 'old' : 'young';
      const batch = { old, young }[kind].slice(visited[kind], visited[kind] + Math.min(PARALLEL, remaining));
      visited[kind] += batch.length;
      await visit(batch);
    }
    if (skipped === undefined) leftOut.set(root, new Set([...old.slice(visited.old), ...young.slice(visited.young)]));
    return { guarded, unreadable, links, repositories, others, unnamed };
  };
}

/** The time at which a directory was created, which no program can set. */
function bornAt(directory: string): number {
  return statSync(directory, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
}

/** The entries by which git knows a directory of its own: it has its objects, or names the directory that has them. */
const BARE = [
  ['HEAD', 'objects', 'refs'],
  ['HEAD', 'commondir'],
];

function isPointer(file: string): boolean {
  return path.basename(file).toLowerCase() === '.git';
}

function classify(directory: string, entries: readonly NamedEntry[], rules: PathRules, isSpecial: FirstLook): Listing {
  const special: Listing['special'][number][] = [];
  const directories: string[] = [];
  const links: string[] = [];
  // A directory that looks like a bare repository is one for git.
  if (BARE.some((names) => names.every((name) => entries.some((entry) => entry.name === name))))
    special.push({ file: directory, kind: 'directory', use: 'repository' });
  for (const entry of entries) {
    const file = path.join(directory, entry.name);
    const kind = kindOfEntry(entry);
    const use = isSpecial(directory, entry.name) ? useOfEntry(file, kind, rules) : 'ordinary';
    if (use !== 'ordinary') special.push({ file, kind, use });
    else if (kind === 'directory') directories.push(file);
    else if (kind === 'link') links.push(file);
  }
  return { special, directories, links };
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
export function repositorySettings(directory: string, look: DirectoryLook): readonly string[] {
  const parts = entriesOf(directory, look);
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
  const inModules = entriesOf(modules, look).filter((entry) => entry.isDirectory());
  return [...own, ...inModules.flatMap(({ name }) => repositorySettings(path.join(modules, name), look))];
}

export async function list(directory: string, look?: DirectoryLook): Promise<readonly NamedEntry[]> {
  try {
    assertOpen(directory);
    return await readdir(directory, { withFileTypes: true });
  } catch {
    return entriesOf(directory, look);
  }
}

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

export function kindOfEntry(entry: NamedEntry): EntryKind {
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}
