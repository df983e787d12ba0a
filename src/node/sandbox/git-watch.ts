import {
  cpSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PutBack } from '../../agent/ports/shell.ts';
import { contains } from '../../policy/paths/path-policy.ts';
import { filesNamedBySettings, type GitFile, whyNotLeft } from '../../policy/sandbox/git-files.ts';
import { gitDirectoryOf } from '../../policy/sandbox/git-links.ts';
import { realFile } from './real-files.ts';

/** A file that decides what git runs. The `text` is absent if the file cannot be read. */
type ReadFile = Pick<GitFile, 'kind' | 'directory'> & { readonly text?: string };

/** The files of repositories that decide what git runs, by path. */
export type GitFiles = ReadonlyMap<string, ReadFile>;

/** The maximum size of such a file, in bytes. git itself reads larger ones. */
const MAX_BYTES = 1024 * 1024;

/** The maximum number of repositories in one another, as submodules have them. */
const MAX_DEPTH = 16;

/**
 * Reads the files of these repositories: directories of git, and files `.git` that name one. After a command, `before` has
 * those before it. What a file names that will be put back does not count, because the file would then not name it. Only
 * files whose real directory lies in one of `roots` count: the others cannot have changed, but a command can name them,
 * and make links to them, so that ybs would show and remove what the command itself cannot see. Never throws.
 */
export function readGitFiles(repositories: readonly string[], roots: readonly string[], before?: GitFiles): GitFiles {
  const found = new Map<string, ReadFile>();
  const visited = new Set<string>();
  const isOwn = (file: string): boolean => {
    const directory = realFile(path.dirname(file));
    return directory !== undefined && roots.some((root) => contains(root, directory, 'posix'));
  };
  /** Returns the text that the file will have. */
  const add = (kind: GitFile['kind'], file: string): string | undefined => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !isOwn(file)) return undefined;
    const text = stat.isFile() && stat.size <= MAX_BYTES ? readOrUndefined(file) : undefined;
    const read = { kind, directory: path.dirname(file), ...(text !== undefined && { text }) };
    found.set(file, read);
    return before !== undefined && whyPutBack(read, before.get(file), roots) !== undefined
      ? before.get(file)?.text
      : text;
  };
  const visit = (entry: string, depth: number): void => {
    if (visited.has(entry) || depth > MAX_DEPTH) return;
    visited.add(entry);
    const stat = lstatSync(entry, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) {
      const named = gitDirectoryOf(add('pointer', entry) ?? '', path.dirname(entry));
      if (named !== undefined) visit(named, depth + 1);
      return;
    }
    for (const name of ['config', 'config.worktree']) addSettings(path.join(entry, name), path.dirname(entry), depth);
    add('commondir', path.join(entry, 'commondir'));
    add('alternates', path.join(entry, 'objects/info/alternates'));
    for (const name of ['rebase-merge', 'rebase-apply']) add('rebase', path.join(entry, name, 'git-rebase-todo'));
    addHooks(path.join(entry, 'hooks'));
    for (const room of ['modules', 'worktrees']) visitRoom(path.join(entry, room), depth + 1);
  };
  const addHooks = (hooks: string): void => {
    // A link leads to hooks elsewhere.
    if (isLink(hooks)) add('hook', hooks);
    else for (const { name } of list(hooks)) if (!name.endsWith('.sample')) add('hook', path.join(hooks, name));
  };
  /** A file with settings, with the files that it includes and the directories of hooks that it names. */
  const addSettings = (file: string, worktree: string, depth: number): void => {
    if (found.has(file) || depth > MAX_DEPTH) return;
    const { includes, hooks } = filesNamedBySettings(add('settings', file) ?? '');
    for (const each of includes) addSettings(path.resolve(path.dirname(file), each), worktree, depth + 1);
    for (const each of hooks) addHooks(path.resolve(worktree, each));
  };
  /** The directories of submodules lie at any depth, because their names may have slashes. */
  const visitRoom = (room: string, depth: number): void => {
    if (depth > MAX_DEPTH || isLink(room)) return;
    for (const entry of list(room)) {
      const directory = path.join(room, entry.name);
      if (!entry.isDirectory()) continue;
      if (list(directory).some(({ name }) => name === 'HEAD')) visit(directory, depth);
      else visitRoom(directory, depth + 1);
    }
  };
  for (const repository of repositories) visit(repository, 0);
  return found;
}

/**
 * Puts back what a command has made or changed of the files by which git chooses what it runs: a file that existed gets its
 * text again, and a new one is moved into `removed`, a directory of ybs. Returns each file with the reason. Never throws.
 */
export function putBackGitFiles(
  before: GitFiles,
  after: GitFiles,
  { roots, removed }: { readonly roots: readonly string[]; readonly removed: string },
): readonly PutBack[] {
  const done: PutBack[] = [];
  for (const [file, read] of after) {
    const old = before.get(file);
    const reason = whyPutBack(read, old, roots);
    if (reason === undefined) continue;
    try {
      moveAway(file, removed, done.length);
      if (old?.text !== undefined) writeFileSync(file, old.text);
      done.push({ file, reason });
    } catch (error) {
      done.push({ file, reason: `${reason}, and it could not be put back: ${String(error)}` });
    }
  }
  return done;
}

/** The reason to put a file back, by its state before and after a command. */
function whyPutBack(
  { text, ...file }: ReadFile,
  old: ReadFile | undefined,
  roots: readonly string[],
): string | undefined {
  if (old !== undefined && old.text === text) return undefined;
  // What cannot be read, such as a link or a pipe, is nothing that git makes.
  return text === undefined ? 'it is no ordinary file' : whyNotLeft({ ...file, text }, roots);
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function moveAway(file: string, removed: string, index: number): void {
  mkdirSync(removed, { recursive: true, mode: 0o700 });
  const target = path.join(removed, `${Date.now()}-${index}-${path.basename(file)}`);
  try {
    renameSync(file, target);
  } catch {
    // The directory of ybs may be on another disk.
    if (lstatSync(file).isFile()) cpSync(file, target);
    rmSync(file, { recursive: true });
  }
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function list(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
