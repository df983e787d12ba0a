import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PutBack } from '../../agent/ports/shell.ts';
import { filesNamedBySettings, type GitFile, whyNotLeft } from '../../policy/sandbox/git-files.ts';
import { gitDirectoryOf } from '../../policy/sandbox/git-links.ts';
import type { SandboxRules } from '../../policy/sandbox/rules.ts';
import {
  attempt,
  type DirectoryLook,
  entriesOf,
  inDirectory,
  lstatOrUndefined,
  openOrUndefined,
  realFile,
  whileWritable,
} from './real-files.ts';
import { pathsOfIndex } from './tracked-files.ts';

/** A file that decides what git runs. The `text` is absent if the file cannot be read. */
type ReadFile = Pick<GitFile, 'kind' | 'directory'> & { readonly text?: string };

/** The files of repositories that decide what git runs, by path. */
export type GitFiles = ReadonlyMap<string, ReadFile>;

/** The maximum size of such a file, in bytes. git itself reads larger ones. */
const MAX_BYTES = 1024 * 1024;

/** The maximum number of repositories in one another, as submodules have them. */
const MAX_DEPTH = 16;

/** The other files in a directory of git, by their kind. */
const STATE: Readonly<Record<string, GitFile['kind']>> = {
  'objects/info/alternates': 'alternates',
  'rebase-merge/git-rebase-todo': 'rebase',
  'rebase-apply/git-rebase-todo': 'rebase',
  'rebase-merge/strategy': 'strategy',
  'sequencer/opts': 'strategy',
  'rebase-apply/apply-opt': 'options',
  gitdir: 'worktree',
};

/**
 * Reads the files of these repositories: directories of git, and files `.git` that name one. After a command, `before` has
 * those before it. What a file names that will be put back does not count, because the file would then not name it. Only
 * files whose real directory lies in one of `roots` count: the others cannot have changed, but a command can name them,
 * and make links to them, so that ybs would show and remove what the command itself cannot see. Never throws.
 */
export function readGitFiles(
  repositories: readonly string[],
  roots: readonly string[],
  {
    before,
    user,
    look,
    unnamed,
    directories,
  }: {
    readonly before?: GitFiles | undefined;
    readonly user?: SandboxRules['userSettings'];
    readonly look?: DirectoryLook;
    /** Collects the parents of directories on the way to submodules whose own names are not UTF-8. */
    readonly unnamed?: Set<string>;
    /** Collects the directories of git. */
    readonly directories?: Set<string>;
  } = {},
): GitFiles {
  const found = new Map<string, ReadFile>();
  const visited = new Set<string>();
  const { hooks: userHooks = [], included = [], home } = user ?? {};
  /** Returns the text that the file will have. */
  const add = (kind: GitFile['kind'], file: string, readText?: () => string): string | undefined => {
    const read = readFile(kind, file, roots, readText);
    if (read === undefined) return undefined;
    found.set(file, read);
    const old = before?.get(file);
    return before !== undefined && whyPutBack(read, old, roots) !== undefined ? old?.text : read.text;
  };
  /** True once for each file and work tree, because settings name paths relative to the work tree that uses them. */
  const isNew = (file: string, worktree: string, depth: number): boolean => {
    const key = `${file}\0${worktree}`;
    if (depth > MAX_DEPTH || visited.has(key)) return false;
    visited.add(key);
    return true;
  };
  const visit = (entry: string, depth: number, worktree = path.dirname(entry)): void => {
    if (!isNew(entry, worktree, depth)) return;
    if (lstatOrUndefined(entry)?.isDirectory() !== true) {
      const directory = path.dirname(entry);
      const named = gitDirectoryOf(add('pointer', entry) ?? '', realFile(directory) ?? directory);
      if (named !== undefined) visit(named, depth + 1, worktree);
      return;
    }
    directories?.add(entry);
    visitSubmodules(entry, worktree, depth);
    for (const name of ['config', 'config.worktree']) addSettings(path.join(entry, name), worktree, depth);
    for (const [name, kind] of Object.entries(STATE)) add(kind, path.join(entry, name));
    for (const hooks of [path.join(entry, 'hooks'), ...userHooks]) addHooks(path.resolve(worktree, hooks));
    for (const room of ['remotes', 'branches'])
      for (const { name } of entriesOf(path.join(entry, room), look)) add('remote', path.join(entry, room, name));
    const shared = add('commondir', path.join(entry, 'commondir'));
    if (shared !== undefined) visit(path.resolve(realFile(entry) ?? entry, shared.trim()), depth + 1, worktree);
    for (const room of ['modules', 'worktrees']) visitRoom(path.join(entry, room), depth + 1);
  };
  /** Visits the repositories of an index, because `git status` enters them wherever they are, also in `node_modules`. */
  const visitSubmodules = (repository: string, worktree: string, depth: number): void => {
    for (const { name } of entriesOf(repository, look)) {
      if (name !== 'index' && !name.startsWith('sharedindex.')) continue;
      const index = path.join(repository, name);
      const { submodules, strays } = pathsOfIndex(index);
      if (strays.length > 0) add('index', index, () => strays.join(', '));
      for (const each of submodules) {
        const [before, after] = each.split(/(?:^|\/)[^/]*\uFFFD/, 2);
        if (after !== undefined) unnamed?.add(path.join(worktree, before ?? ''));
        visit(path.join(worktree, each, '.git'), depth + 1);
      }
    }
  };
  // A new work tree gets copies of the hooks of the project.
  const known = [...(before?.values() ?? [])].filter(({ kind }) => kind === 'hook');
  const trustedHooks = new Set(known.map(({ text }) => text));
  const addHooks = (hooks: string, depth = 0): void => {
    if (!isNew(hooks, '', depth)) return;
    // A link leads to hooks elsewhere, and the user's settings may name one program.
    if (lstatOrUndefined(hooks)?.isDirectory() === true) {
      for (const { name } of entriesOf(hooks, look))
        if (!name.endsWith('.sample')) addHooks(path.join(hooks, name), depth + 1);
      return;
    }
    const text = readFile('hook', hooks, roots)?.text;
    if (text === undefined || !trustedHooks.has(text)) add('hook', hooks);
  };
  /** A file with settings, with the files that it includes and the directories of hooks that it names. */
  const addSettings = (file: string, worktree: string, depth: number): void => {
    if (!isNew(file, worktree, depth)) return;
    const { includes, hooks, remotes } = filesNamedBySettings(add('settings', file) ?? '', home);
    // A link of the user may lead to a file of the project that does not exist.
    const target = isLink(file) ? [readlinkSync(file)] : [];
    for (const each of [...includes, ...target])
      addSettings(path.resolve(path.dirname(file), each), worktree, depth + 1);
    // A push to a repository runs the hooks of that repository in its own directory.
    for (const base of [worktree, path.dirname(file)]) {
      for (const each of hooks) addHooks(path.resolve(base, each));
      for (const each of remotes.flatMap((remote) => [remote, `${remote}.git`]))
        for (const repository of repositoriesIn(followPath(base, each))) visit(repository, depth + 1);
    }
  };
  /** The directories of submodules lie at any depth, because their names may have slashes. */
  const visitRoom = (room: string, depth: number): void => {
    if (depth > MAX_DEPTH || isLink(room)) return;
    for (const entry of entriesOf(room, look)) {
      const directory = path.join(room, entry.name);
      if (!entry.isDirectory()) continue;
      if (entriesOf(directory, look).some(({ name }) => name === 'HEAD')) visit(directory, depth);
      else visitRoom(directory, depth + 1);
    }
  };
  for (const repository of repositories) visit(repository, 0);
  for (const file of included) addSettings(file, path.dirname(file), 0);
  for (const hooks of userHooks) if (path.isAbsolute(hooks)) addHooks(hooks);
  return found;
}

/** Reads the links in directories of git, through which git would write. Only those in one of `roots` count. */
export function readGitLinks(links: readonly string[], roots: readonly string[]): GitFiles {
  const found = links.map((file) => [file, readFile('link', file, roots, (place) => readlinkSync(place))] as const);
  return new Map(found.flatMap(([file, read]) => (read === undefined ? [] : [[file, read] as const])));
}

function readFile(
  kind: GitFile['kind'],
  file: string,
  roots: readonly string[],
  readText: (place: string) => string | undefined = readOrUndefined,
): ReadFile | undefined {
  if (lstatOrUndefined(file) === undefined) return undefined;
  return inDirectory(file, roots, (place, directory) => {
    const text = readText(place);
    return { kind, directory, ...(text !== undefined && { text }) };
  });
}

/** The place to which a path leads from a directory, as the system finds it: `..` after a link is the parent of its target. */
function followPath(base: string, named: string): string {
  return realFile(path.isAbsolute(named) ? named : `${base}/${named}`) ?? path.resolve(base, named);
}

/** The entries by which git finds a repository in a directory. */
export function repositoriesIn(directory: string): readonly string[] {
  const own = path.join(directory, '.git');
  const isRepository = existsSync(path.join(directory, 'HEAD'));
  return [...(lstatOrUndefined(own) === undefined ? [] : [own]), ...(isRepository ? [directory] : [])];
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
      const isDone = inDirectory(file, roots, (place) => {
        whileWritable(`${path.dirname(place)}/.`, () => {
          whileWritable(place, () => moveAway(place, removed, done.length));
          // Only some paths of the earlier index are known, so that it cannot be restored.
          if (old?.text === undefined || old.kind === 'index') return;
          if (old.kind === 'link') symlinkSync(old.text, place);
          else writeFileSync(place, old.text, { flag: 'wx' });
        });
        return true;
      });
      if (isDone === undefined) throw new Error('its directory was replaced');
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
  return lstatOrUndefined(file)?.isSymbolicLink() === true;
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

/** The text of an ordinary file that is not too large. Opens no link, and waits for no writer of a pipe. */
function readOrUndefined(file: string): string | undefined {
  const descriptor = openOrUndefined(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (descriptor === undefined) return undefined;
  const text = attempt(() => {
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(descriptor, 'utf8') : undefined;
  });
  closeSync(descriptor);
  return text;
}
