import { unlessFileError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathUse, PlannedEffect } from '../../agent/ports/tool.ts';
import { placesOf } from '../../policy/decision-input.ts';
import { answerFor, holdsSecrets, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import { MAX_SEARCHED_DIRECTORIES, MAX_VIEWED_DIRECTORIES } from '../../policy/sandbox/workspace-entry.ts';
import { type ReadOnlyUse, readOnlyUse } from '../../policy/shell/read-only/read-only-command.ts';
import { type GitDoubts, viewOf } from '../../policy/shell/read-only/viewed-command.ts';
import { isInView } from '../../policy/shell/read-only/viewed-paths.ts';
import { realPathOf } from '../files/resolve-path.ts';
import { resolveRemovedLinks } from './removed-links.ts';

/**
 * The maximum number of paths that are resolved, so that a long command cannot keep the disk busy; beyond it, the
 * command asks.
 */
const MAX_NAMED_PATHS = 64;

/** The reads of a command that certainly only reads. Any other command has `links` alone. */
export interface NamedReads {
  /** The files and directories that it names, by their absolute paths, with their real paths. */
  readonly reads?: readonly PathUse[];
  /** Real paths of the directories of which it reads all files. Absent if something that it reads needs an approval. */
  readonly searched?: readonly string[];
  /** The view in which any other command may run; see `PlannedEffect`. Absent if it names something that is not in it. */
  readonly view?: NonNullable<PlannedEffect['view']>;
  /** The links in the paths of the files that another command removes. */
  readonly links?: readonly PathUse[];
}

/** Runs git; see `RunGit` of the session. */
export type AskGit = (
  command: {
    readonly directory: string;
    readonly args: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  },
  signal: AbortSignal,
) => Promise<
  | { readonly type: 'ended'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly type: 'failed' }
>;

/** The maximum number of hashes that are looked up; beyond it, the command asks. */
const MAX_COMMITS = 8;

/** The ports of a command, and `hasViews` if its workspace is small enough to hide all secrets in it. */
export interface NamingPorts {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  /** Absent: there is no sandbox, and so no view. */
  readonly hasViews?: () => Promise<boolean>;
  /** Absent: nothing can say whether a hash is that of a commit, so that the command asks. */
  readonly runGit?: AskGit | undefined;
}

/**
 * Resolves the paths that a command reads. Left out are paths that cannot be resolved, directories with more files than
 * the sandbox looks through for secrets, and directories in place of files: with them, the rules ask. Throws like
 * `resolveRemovedLinks`.
 */
export async function resolveNamedPaths(
  command: string,
  workingDirectory: string,
  ports: NamingPorts,
): Promise<NamedReads> {
  const use = readOnlyUse(command, placesOf(ports.pathRules, workingDirectory));
  const found: NamedReads =
    use.type === 'other' ? await resolveRemovedLinks(command, workingDirectory, ports) : await resolveReads(use, ports);
  if (found.searched !== undefined) return found;
  const view = await resolveView(command, workingDirectory, ports);
  return { ...found, ...(view && { view }) };
}

async function resolveReads(
  use: Extract<ReadOnlyUse, { type: 'read_only' }>,
  { fileSystem, pathRules }: NamingPorts,
): Promise<NamedReads> {
  const named = [...new Set([...use.directories, ...use.paths])];
  if (named.length > MAX_NAMED_PATHS) return {};
  const reads: PathUse[] = [];
  const searched: string[] = [];
  const budget = { directories: MAX_SEARCHED_DIRECTORIES };
  for (const requested of named) {
    const realPath = await realPathOf(requested, fileSystem, pathRules.platform).catch(() => undefined);
    if (realPath === undefined) continue;
    if (use.files.includes(requested) && (await directoriesIn(realPath, fileSystem)) !== undefined) continue;
    if (use.trees.includes(requested)) {
      if (!(await fits(realPath, budget, { fileSystem, pathRules }))) continue;
      searched.push(realPath);
    }
    reads.push({ requested, realPath, access: 'read' });
  }
  const isFree = reads.every(({ realPath }) => answerFor(realPath, 'read', pathRules) === 'mode');
  return { reads, ...(isFree && reads.length === named.length && { searched }) };
}

/** The view of a command that names only what is in it, links resolved. What it computes need not be known. */
async function resolveView(
  command: string,
  workingDirectory: string,
  { fileSystem, pathRules, hasViews, runGit }: NamingPorts,
): Promise<PlannedEffect['view']> {
  if (hasViews === undefined) return undefined;
  const use = viewOf(command, placesOf(pathRules, workingDirectory), pathRules);
  if (use.type === 'other' || use.paths.length > MAX_NAMED_PATHS || !(await hasViews())) return undefined;
  for (const path of use.paths) {
    const realPath = await realPathOf(path, fileSystem, pathRules.platform).catch(() => undefined);
    if (realPath === undefined || holdsSecrets(realPath, pathRules)) return undefined;
    if (isInView(realPath, pathRules)) continue;
    // A pattern, such as `/x/p`, looks like a path that does not exist.
    const leadsOut = realPath !== path || (await unlessFileError(fileSystem.stat(realPath))) !== undefined;
    if (leadsOut) return undefined;
  }
  return use.git === undefined || (await isAsGitReads(use.git, { fileSystem, pathRules, runGit }))
    ? use.view
    : undefined;
}

/** True if each hash is that of a commit, or of nothing, and each path is one of a file. */
async function isAsGitReads(
  { commits, files }: GitDoubts,
  { fileSystem, pathRules, runGit }: Omit<NamingPorts, 'hasViews'>,
): Promise<boolean> {
  for (const file of files) if ((await unlessFileError(fileSystem.stat(file))) === undefined) return false;
  if (commits.length > MAX_COMMITS) return false;
  for (const { hash, directory } of commits) {
    if (runGit === undefined || !isInView(directory, pathRules)) return false;
    // A tag may be one of any object.
    const args = ['cat-file', '-t', `${hash}^{}`];
    const result = await runGit({ directory, args }, new AbortController().signal);
    if (result.type === 'failed') return false;
    const isCommit = result.exitCode === 0 && result.stdout.trim() === 'commit';
    const isNothing = result.exitCode !== 0 && !/ambiguous/.test(result.stderr);
    if (!isCommit && !isNothing) return false;
  }
  return true;
}

/** Finds out once whether the sandbox can look through all directories of the session for secrets. */
export function createViewLimit(ports: Omit<NamingPorts, 'hasViews'>): () => Promise<boolean> {
  let found: Promise<boolean> | undefined;
  const look = async (): Promise<boolean> => {
    const budget = { directories: MAX_VIEWED_DIRECTORIES };
    for (const root of ports.pathRules.allowedRoots) if (!(await fits(root, budget, ports))) return false;
    return true;
  };
  return () => {
    found ??= look();
    return found;
  };
}

/** True if the directories below one can be named and are within the budget, from which they are taken. Follows no links. */
async function fits(
  directory: string,
  budget: { directories: number },
  ports: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<boolean> {
  budget.directories -= 1;
  if (budget.directories < 0) return false;
  const { join } = pathFlavour(ports.pathRules.platform);
  const names = (await directoriesIn(directory, ports.fileSystem)) ?? [];
  // The path of a name that is not valid UTF-8 leads nowhere, so that nothing in the directory can be hidden.
  if (names.some((name) => name.includes('\uFFFD'))) return false;
  // Together, because each reading waits for another thread.
  const fitting = await Promise.all(names.map((name) => fits(join(directory, name), budget, ports)));
  return fitting.every(Boolean);
}

/** The names of the directories in a directory; `undefined` if it is not a directory or cannot be read. */
async function directoriesIn(directory: string, fileSystem: FileSystem): Promise<readonly string[] | undefined> {
  const entries = await unlessFileError(fileSystem.list(directory));
  return entries?.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
}
