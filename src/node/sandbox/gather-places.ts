import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { ShellCommand } from '../../agent/ports/shell.ts';
import { contains, type PathRules } from '../../policy/paths/path-policy.ts';
import { gitDirectoryOf, isWorktreeOf, pointsBack } from '../../policy/sandbox/git-links.ts';
import { socketPaths } from '../../policy/sandbox/host-sockets.ts';
import { createAliases, type SandboxPlaces } from '../../policy/sandbox/mounts.ts';
import { type SandboxRules, secretPlaces } from '../../policy/sandbox/rules.ts';
import { LINUXBREW, VISIBLE_IN_VIEW } from '../../policy/sandbox/view.ts';
import { MAX_SEARCHED_DIRECTORIES, MAX_VIEWED_DIRECTORIES } from '../../policy/sandbox/workspace-entry.ts';
import { writeAttributes } from './attribute-files.ts';
import { homePlaces, mayHideHome, otherHomes } from './home-places.ts';
import {
  attempt,
  type DirectoryLook,
  existingFiles,
  firstLink,
  firstLook,
  type ReopenedDirectories,
  readSmallFile,
  realFile,
} from './real-files.ts';
import { repositorySettings, type ScanWorkspace } from './scan-workspace.ts';
import type { SearchSecrets } from './secret-search.ts';
import { findTracked } from './tracked-files.ts';
import { committedContent, isDirectory, isReadableGitSetting, outsideOf, privateSettings } from './view-places.ts';

/** A command whose places are gathered. */
export interface PlacedCommand {
  /** The program to run, if it is not a part of the system. */
  readonly program: string;
  /** The command may change nothing of the workspace. */
  readonly readOnly: boolean;
  /** See `ShellCommand`. */
  readonly searched?: readonly string[] | undefined;
  /** See `ShellCommand`. */
  readonly view?: ShellCommand['view'] | undefined;
  /** False: the sockets of the machine are not covered, because the kernel refuses to open any. */
  readonly coversSockets?: boolean;
  /** The text of `/proc/self/mountinfo`, by which other paths of hidden files are found. */
  readonly mountTable?: string;
}

/** The directories of temporary files and sockets of this machine, as real paths. */
export function temporaryDirectories(): readonly string[] {
  return existingFiles(['/tmp', '/var/tmp', '/run', '/dev/shm']);
}

/**
 * Finds the places of a command on this machine. Creates the directory of caches. A file with secrets of which git has the
 * content is readable, because git would otherwise take it for changed, unless the command searches all files.
 */
export async function gatherPlaces(
  rules: SandboxRules,
  command: PlacedCommand,
  {
    scan,
    search,
    reopened,
  }: { readonly scan: ScanWorkspace; readonly search: SearchSecrets; readonly reopened: ReopenedDirectories },
): Promise<
  SandboxPlaces & {
    readonly gitAttributes: string | undefined;
    /** Variables that commands need for programs in the home directory. */
    readonly variables: Readonly<Record<string, string>>;
  }
> {
  const { pathRules, cacheDirectory } = rules;
  const { workspace, home } = pathRules;
  // Synchronous, because each promise waits for another thread, and a command would start several times as late.
  mkdirSync(cacheDirectory, { recursive: true, mode: 0o700 });
  const roots = rootsOf(pathRules);
  const { view } = command;
  // Most directories that are younger than the first command here were created by commands.
  const { birthtimeMs } = statSync(cacheDirectory);
  const look = firstLook(reopened);
  const scans = await Promise.all(roots.map((root) => scan(root, pathRules, { knownSince: birthtimeMs, look })));
  const repositories = scans.flatMap((found) => found.repositories);
  const git = linkedRepository(workspace, look);
  const readable = [...(pathRules.skillRoots ?? []), ...(rules.readablePaths ?? [])];
  const skills = existingFiles(readable);
  const inSkills = await Promise.all(skills.map((root) => scan(root, { ...pathRules, skillRoots: skills })));
  const scanned = [...scans, ...inSkills].flatMap(({ unreadable }) => unreadable);
  const [searchedDirectories = [], limit] =
    view === undefined ? [command.searched, MAX_SEARCHED_DIRECTORIES] : [[...roots, ...skills], MAX_VIEWED_DIRECTORIES];
  const searched = await Promise.all(searchedDirectories.map((directory) => search(directory, pathRules, limit)));
  const onlyReads = command.searched !== undefined || view !== undefined;
  const tracked = view === undefined ? await findTracked(scanned, onlyReads) : NONE;
  const shown = view === 'files' ? [] : [...repositories, ...git.writable];
  const attributes = onlyReads ? await writeAttributes(rules, shown) : undefined;
  const hidesHome = (view !== undefined || rules.home === 'hidden') && mayHideHome(rules);
  const homes = hidesHome && home !== undefined ? [home, ...otherHomes()] : [];
  const hidden = homes.filter((each) => !roots.includes(each));
  const needed = hidesHome ? await homePlaces(rules) : undefined;
  const secrets = kindsOf(secretPlaces(pathRules));
  const hasGit = view === 'index' || view === 'repository';
  const isPlainSetting = (file: string): boolean => hasGit && isReadableGitSetting(file, repositories);
  const named = existingFiles(rules.guardedPaths);
  const aliasesOf = createAliases(command.mountTable ?? '');
  const withAliases = (files: readonly string[]): readonly string[] =>
    files.flatMap((file) => [file, ...aliasesOf(file).filter((alias) => isSameFile(file, alias))]);
  const sockets = process.platform === 'linux' && command.coversSockets !== false ? hostSockets() : [];
  return {
    temporary: temporaryDirectories(),
    writable: [
      ...(command.readOnly || onlyReads ? [] : [...roots, ...git.writable]),
      ...(onlyReads ? [] : [realpathSync.native(cacheDirectory)]),
    ],
    guarded: onlyReads ? [] : [...scans.flatMap(({ guarded }) => guarded), ...git.guarded, ...named],
    hidden: [
      ...[...withAliases([...hidden, ...secrets.directories]), ...(view === undefined ? [] : outsideOf(roots))],
      ...(view === 'files' ? repositories.filter((file) => isDirectory(file)) : []),
      ...(view === 'index' ? committedContent([...repositories, ...git.writable]) : []),
      ...[...(attributes?.directories ?? []), ...(needed?.hidden ?? [])],
    ],
    unreadable: [
      ...sockets,
      ...withAliases([
        ...[...secrets.files, ...scanned.filter((file) => !tracked.has(file))],
        ...searched.flat().filter((file) => !isPlainSetting(file)),
      ]),
      ...(needed?.unreadable ?? []),
      ...(view === 'files' ? repositories.filter((file) => !isDirectory(file)) : []),
      ...(view === undefined ? [] : privateSettings()),
    ],
    // A workspace that is only read must be visible, too, where a temporary directory covers it.
    visible: [
      ...skills,
      ...[...visibleDirectories(rules, command.program), ...(attributes?.visible ?? [])],
      ...(command.readOnly || onlyReads ? roots : []),
      ...(onlyReads && view !== 'files' ? git.writable : []),
      ...(view === undefined ? [] : [realpathSync.native(cacheDirectory), ...existingFiles(VISIBLE_IN_VIEW)]),
      ...(hidesHome ? existingFiles([LINUXBREW]) : []),
      ...(rules.showsBorrowed === true && (view === undefined || view === 'repository')
        ? alternates([...repositories, ...git.writable])
        : []),
      // Within the sandbox, root cannot enter the private directories of other users, whose programs may be in `PATH`.
      ...(needed?.visible ?? []).filter((file) => isReachable(path.dirname(file))),
    ],
    placed: [
      ...(attributes?.placed ?? []),
      ...(needed?.placed ?? []).filter((file) => isReachable(path.dirname(file.path))),
    ],
    // Of a mount at the path of a link, the secrets would not be covered.
    links: [...readable, ...(needed?.known ?? [])].flatMap(firstLink),
    variables: needed?.variables ?? {},
    gitAttributes: attributes?.file,
  };
}

const NONE: ReadonlySet<string> = new Set();

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** The directories that commands may write. */
export function rootsOf({ workspace, allowedRoots }: PathRules): readonly string[] {
  return [...new Set([workspace, ...allowedRoots])];
}

/** The sockets of the machine that a command could reach. */
function hostSockets(): readonly string[] {
  const table = readSmallFile('/proc/net/unix') ?? '';
  return existingFiles(socketPaths(table)).filter((file) => isReachable(path.dirname(file)));
}

/**
 * True if a command could enter a directory. Within the sandbox, root has no more rights than its owner, so that it cannot
 * enter the private directories of other users, and nothing in them can be covered.
 */
function isReachable(directory: string): boolean {
  if (process.geteuid?.() !== 0) return true;
  const { uid, mode } = statSync(directory, { throwIfNoEntry: false }) ?? { uid: -1, mode: 0 };
  if (uid !== 0 && (mode & 0o001) === 0) return false;
  return directory === path.dirname(directory) || isReachable(path.dirname(directory));
}

/** The programs of the user: the directories of `PATH`, Node.js with its libraries, and that of the program itself. */
function visibleDirectories(
  { programDirectories, pathRules: { home } }: SandboxRules,
  program: string,
): readonly string[] {
  const node = realFile(process.execPath) ?? process.execPath;
  // `/opt/node` for `/opt/node/bin/node`, because npm lies beside it; but never the whole home directory.
  const prefix = path.dirname(path.dirname(node));
  const wholeHome = home !== undefined && contains(prefix, home, 'posix');
  const found = existingFiles([...programDirectories.filter((each) => path.isAbsolute(each)), path.dirname(node)]);
  return [...found, ...(wholeHome || prefix === '/' ? [] : [prefix]), ...existingFiles([path.dirname(program)])];
}

/** The secrets that exist, and that this user could read, by their kind. */
function kindsOf(paths: readonly string[]): {
  readonly directories: readonly string[];
  readonly files: readonly string[];
} {
  const directories: string[] = [];
  const files: string[] = [];
  for (const real of existingFiles(paths)) {
    // It may be removed, or the user may not read it either.
    attempt(() => {
      accessSync(real, constants.R_OK);
      (statSync(real).isDirectory() ? directories : files).push(real);
    });
  }
  return { directories, files };
}

/** The stores of objects that repositories borrow from, such as those of `git clone --reference`. */
function alternates(repositories: readonly string[]): readonly string[] {
  const named = repositories.flatMap((repository) => {
    const objects = path.join(repository, 'objects');
    const lines = (readSmallFile(path.join(objects, 'info/alternates')) ?? '').split('\n');
    return lines.filter((line) => line !== '').map((line) => path.resolve(objects, line));
  });
  // The file belongs to the project, which could name any directory of the user. git itself writes real paths, and by
  // another one, a link of a command could lead anywhere.
  return named.filter(
    (each) => realFile(each) === each && ['info', 'pack'].every((name) => isDirectory(path.join(each, name))),
  );
}

function isRepository(directory: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(directory, name)));
}

/** The directory of git of a worktree or a submodule, which lies outside it, if it names this workspace itself. */
export function linkedRepository(
  workspace: string,
  look: DirectoryLook,
): {
  readonly writable: readonly string[];
  readonly guarded: readonly string[];
} {
  const none = { writable: [], guarded: [] };
  const text = readSmallFile(path.join(workspace, '.git'));
  const directory = text === undefined ? undefined : gitDirectoryOf(text, workspace);
  const real = directory === undefined ? undefined : realFile(directory);
  if (real === undefined) return none;
  const [gitdir, config, common] = ['gitdir', 'config', 'commondir'].map((name) =>
    readSmallFile(path.join(real, name)),
  );
  const link = { directory: real, ...(gitdir !== undefined && { gitdir }), ...(config !== undefined && { config }) };
  if (!pointsBack(workspace, link)) return none;
  const shared = common === undefined ? real : realFile(path.resolve(real, common.trim()));
  // The project can contain all of these files, but it cannot make a directory above it one of git.
  if (shared === undefined || (shared !== real && !(isWorktreeOf(real, shared) && isRepository(shared)))) return none;
  const guarded = [...repositorySettings(shared, look), ...(shared === real ? [] : repositorySettings(real, look))];
  return { writable: [shared], guarded };
}
