import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, copyFileSync, lstatSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ShellExit } from '../../agent/ports/shell.ts';
import { contains } from '../../policy/paths/path-policy.ts';
import type { SandboxRules } from '../../policy/sandbox/rules.ts';
import { isLeftOut, lookForRepositories } from '../../policy/sandbox/workspace-entry.ts';
import { linkedRepository, rootsOf } from './gather-places.ts';
import { type GitFiles, readGitFiles, readGitLinks, repositoriesIn } from './git-watch.ts';
import {
  attempt,
  createFileMemory,
  type DirectoryLook,
  entriesOf,
  existingFiles,
  firstLook,
  inDirectory,
  lstatOrUndefined,
  MAX_SMALL_FILE,
  type NamedEntry,
  newReopened,
  openOrUndefined,
  type ReopenedDirectories,
  readBytes,
  realFile,
  whileWritable,
} from './real-files.ts';
import { createScan, type ScanWorkspace, type SpecialEntries } from './scan-workspace.ts';
import { findUnnamed, type UnnamedRepositories } from './unnamed-repositories.ts';
import { isDirectory } from './view-places.ts';

/** Files that a command must not change: guarded files by their state, and files by which git chooses programs. */
export interface GuardedState {
  readonly guarded: GuardedFiles;
  /** The files with secrets. */
  readonly secrets: readonly string[];
  readonly git: GitFiles;
  readonly unnamed: UnnamedRepositories;
  /** The directories that the command may write, with that of git of a worktree. */
  readonly roots: readonly string[];
  readonly closed: DirectoryLook['closed'];
}

/** The memory of the looks at a workspace from one command to the next. */
export interface LookMemory {
  readonly scan: ScanWorkspace;
  readonly scanGit: ScanWorkspace;
  readonly reopened: ReopenedDirectories;
}

export function createLookMemory(): LookMemory {
  const scanGit = createScan(() => lookForRepositories);
  return { scan: createScan(), scanGit, reopened: newReopened() };
}

type GuardedFiles = ReadonlyMap<string, string>;

/** The guarded files of the workspace, which `gatherPlaces` finds. */
export async function readGuardedFiles({ pathRules }: SandboxRules, memory: LookMemory): Promise<GuardedFiles> {
  const look = firstLook(memory.reopened);
  return statesOf(await Promise.all(rootsOf(pathRules).map((root) => memory.scan(root, pathRules, { look }))));
}

function statesOf(scans: readonly SpecialEntries[]): GuardedFiles {
  const guarded = scans.flatMap((found) => [...found.guarded, ...found.links]);
  return new Map(guarded.map((file) => [file, fingerprint(file)]));
}

export function changesOf(before: GuardedFiles, after: GuardedFiles): Pick<ShellExit, 'created' | 'changed'> {
  const created = [...after.keys()].filter((file) => !before.has(file));
  const changed = [...before].flatMap(([file, state]) => (fingerprint(file) === state ? [] : [file]));
  return { ...(created.length > 0 && { created }), ...(changed.length > 0 && { changed }) };
}

/**
 * Makes a copy of each new guarded file, and of each new file with secrets, that has further names: a command could later
 * reach through them what the user writes into the file. Above the size of small files in all, they are only removed,
 * because a copy of a file with holes fills the disk. Never throws.
 */
export function separateNames(before: GuardedState, after: GuardedState): void {
  const known = new Set([...before.guarded.keys(), ...before.secrets]);
  let size = 0;
  for (const file of [...after.guarded.keys(), ...after.secrets]) {
    if (known.has(file)) continue;
    const stat = lstatOrUndefined(file);
    if (stat?.isFile() !== true || stat.nlink === 1) continue;
    size += stat.size;
    const separate = size > MAX_SMALL_FILE ? rmSync : replaceByCopy;
    attempt(() =>
      inDirectory(file, after.roots, (place) => whileWritable(`${path.dirname(place)}/.`, () => separate(place))),
    );
  }
}

/** Its content stays under its other names, so that a file that cannot be read is only removed. */
function replaceByCopy(place: string): void {
  const descriptor = openOrUndefined(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (descriptor === undefined) {
    rmSync(place);
    return;
  }
  const copy = `${place}-${randomUUID()}`;
  try {
    copyFileSync(`/dev/fd/${descriptor}`, copy, constants.COPYFILE_EXCL);
  } finally {
    closeSync(descriptor);
  }
  renameSync(copy, place);
}

/** Reads the state of the guarded files of the workspace, which `gatherPlaces` finds, before or after a command. */
export async function readGuarded(
  { pathRules, cacheDirectory, userSettings }: SandboxRules,
  memory: LookMemory,
  before?: GuardedState,
): Promise<GuardedState> {
  const { scan, scanGit, reopened } = memory;
  const cache = realpathSync.native(cacheDirectory);
  const shared = linkedRepository(pathRules.workspace, firstLook(reopened)).writable;
  const roots = before?.roots ?? [...rootsOf(pathRules), ...shared, cache];
  const look = { closed: before?.closed ?? new Set<string>(), reopened, roots, isAfter: before !== undefined };
  const scans = await Promise.all(rootsOf(pathRules).map((root) => scan(root, pathRules, { look })));
  // Commands can write in the cache and in directories that a scan leaves out, too, and git goes there through a link.
  const linked = existingFiles(scans.flatMap(({ others }) => others)).flatMap((directory) => {
    const top = roots.find((root) => contains(root, directory, 'posix'));
    return top !== undefined && (top === cache || isLeftOut(path.relative(top, directory))) ? [{ directory, top }] : [];
  });
  const tops = [...shared, ...scans.flatMap(gitDirectories)];
  const inTops = await Promise.all(tops.map((directory) => scanGit(directory, pathRules, { look })));
  const further = [
    ...(await Promise.all(linked.map(({ directory }) => scan(directory, pathRules, { look })))),
    ...inTops,
  ];
  const unnamed = new Set([...scans, ...further].flatMap((each) => each.unnamed));
  const directories = new Set<string>();
  const git = readGitFiles(
    [
      ...[...scans, ...further].flatMap(({ repositories }) => repositories),
      ...linked.flatMap(({ directory, top }) => repositoriesAbove(directory, top)),
    ],
    roots,
    { before: before?.git, user: userSettings, look, unnamed, directories },
  );
  const parts = [...directories]
    .filter((directory) => !tops.some((top) => contains(top, directory, 'posix')))
    .map((directory) => stateOfGit(directory, look));
  const inParts = await Promise.all(
    parts.flatMap(({ rooms }) => rooms.map((room) => scanGit(room, pathRules, { look }))),
  );
  const links = [...parts.flatMap((part) => part.links), ...[...inTops, ...inParts].flatMap(({ others }) => others)];
  return {
    guarded: statesOf(scans),
    secrets: scans.flatMap(({ unreadable }) => unreadable),
    git: new Map([...readGitLinks(links, roots), ...git]),
    unnamed: findUnnamed(unnamed),
    roots,
    closed: look.closed,
  };
}

/** The directories of git, in which commands may make further repositories. */
function gitDirectories({ repositories }: SpecialEntries): readonly string[] {
  return repositories.filter((repository) => path.basename(repository) === '.git' && isDirectory(repository));
}

/** Parts of a directory of git in which git writes files of many names. */
const ROOMS = new Set(['refs', 'logs', 'objects', 'info', 'rebase-merge', 'rebase-apply', 'sequencer']);

/** The names of git's own files in a directory of git that is not named `.git`, and may contain other files. */
const STATE_NAME = /^(?:[A-Z_]+|index|shallow|packed-refs|sharedindex\..*|modules|worktrees)$/;

/** The directories with the state of git, and the links, in a directory of git. */
function stateOfGit(
  directory: string,
  look: DirectoryLook,
): { readonly rooms: readonly string[]; readonly links: readonly string[] } {
  const entries = entriesOf(directory, look);
  const isHidden = directory.split('/').includes('.git');
  const isState = (name: string): boolean => isHidden || ROOMS.has(name) || STATE_NAME.test(name);
  const toFile = ({ name }: NamedEntry): string => path.join(directory, name);
  return {
    rooms: entries.filter((entry) => entry.isDirectory() && ROOMS.has(entry.name)).map(toFile),
    links: entries.filter((entry) => entry.isSymbolicLink() && isState(entry.name)).map(toFile),
  };
}

/** The repositories in which git would find itself in a directory, up to `top`. */
function repositoriesAbove(directory: string, top: string): readonly string[] {
  const found = repositoriesIn(directory);
  return directory === top ? found : [...found, ...repositoriesAbove(path.dirname(directory), top)];
}

const digests = createFileMemory<string>();

/** The maximum size of a file whose content is compared, in bytes. */
const MAX_DIGESTED = 64n * 1024n ** 2n;

/** The digest of a file, the target of a link, or the kind of anything else. Empty if it is gone. */
function fingerprint(file: string): string {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return '';
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)} ${fingerprint(realFile(file) ?? '')}`;
  if (!stat.isFile()) return stat.isDirectory() ? 'directory' : 'other';
  const { known, keep } = digests.look(file);
  if (known !== undefined) return known;
  // A command can create huge sparse files, which take long to read, but it cannot set the time of a change.
  const bytes = stat.size > MAX_DIGESTED ? `${stat.size} ${stat.ino} ${stat.ctimeNs}` : readBytes(file);
  return keep(createHash('sha256').update(bytes).digest('hex'));
}
