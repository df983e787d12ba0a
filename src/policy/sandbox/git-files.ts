import path from 'node:path';
import { contains } from '../paths/path-policy.ts';
import { gitSettings } from '../trust/git-settings.ts';
import { leavesName } from '../trust/repository-settings.ts';
import { programSettings } from '../trust/trust.ts';
import { isWorktreeOf } from './git-links.ts';

/** A file of a repository that decides what git runs, or which repository it uses. */
export interface GitFile {
  readonly kind:
    | 'settings'
    | 'commondir'
    | 'hook'
    | 'rebase'
    | 'pointer'
    | 'worktree'
    | 'alternates'
    | 'strategy'
    | 'options'
    | 'remote'
    | 'index'
    | 'link';
  /** Real path of its directory. */
  readonly directory: string;
  /** The content. For an index, the paths in it that git never stores; for a link, its target. */
  readonly text: string;
}

/** Real paths of the directories that the user lets commands write. */
type Roots = readonly string[];

/**
 * The reason why a file that a command has made or changed must not stay: git would run the command's code, or use settings
 * that nobody has seen, when ybs or the user calls it. `undefined` for what git itself makes with `git init`, `git clone`,
 * `git worktree add` or `git rebase`. Pure.
 */
export function whyNotLeft({ kind, directory, text }: GitFile, roots: Roots): string | undefined {
  switch (kind) {
    case 'settings': {
      const setting = programSettings(text).find((each) => !isOwnWorktree(each, directory, roots));
      if (setting === undefined) return undefined;
      // The value stays out: a command could name a file with secrets, of which it would then read a line.
      const [name] = /^\w[\w.-]*(?=\s*(?:=|$))/.exec(setting) ?? [];
      return name === undefined ? 'git would use its settings' : `git would use its setting ${name}`;
    }
    case 'commondir': {
      const shared = path.posix.resolve(directory, text.trim());
      const isOwn = !leavesName(text.trim()) && isWorktreeOf(directory, shared) && isInside(shared, roots);
      return isOwn ? undefined : `git would use the settings in ${shared}`;
    }
    case 'hook':
      return 'git would run it';
    case 'rebase': {
      const step = /^\s*(?:x|exec)\s.*$/m.exec(text)?.[0].trim();
      return step === undefined ? undefined : `git would run its step ${step}`;
    }
    case 'strategy':
      // The strategy `../evil` is the program `git-merge-../evil`, which the project can have.
      return text.includes('/') ? 'git would run its merge strategy' : undefined;
    case 'options':
      // Of the options of `git apply`, `--build-fake-ancestor` writes to any file.
      return text.includes("'--b") ? 'git would write the file that it names' : undefined;
    case 'pointer': {
      const named = /^gitdir: (.*?)\s*$/.exec(text)?.[1] ?? '.';
      const target = path.posix.resolve(directory, named);
      return isInside(target, roots) && !leavesName(named) ? undefined : `git would use the repository ${target}`;
    }
    case 'worktree': {
      const target = path.posix.resolve(directory, text.trim());
      return isInside(target, roots) ? undefined : `git would write ${target}`;
    }
    case 'index':
    case 'link':
      // git neither stores such paths nor creates such links, but it writes to the paths and through the links.
      return `git would write to ${text}`;
    case 'remote':
      // Only old versions of git made such files. A push to a directory runs the hooks in it.
      return 'git would use the remote that it names';
    case 'alternates': {
      // Later commands see these objects, even in a hidden home directory.
      const stores = text.split('\n').map((line) => path.posix.resolve(path.posix.dirname(directory), line));
      const other = stores.find((store) => !isInside(store, roots));
      return other === undefined ? undefined : `git would use the objects in ${other}`;
    }
  }
}

/** True for `core.worktree` of a submodule, which leads back to its directory in the project. */
function isOwnWorktree(setting: string, directory: string, roots: Roots): boolean {
  const [, value] = /^core\.worktree = (.+)$/s.exec(setting) ?? [];
  if (value === undefined || !directory.includes('/modules/')) return false;
  return isInside(path.posix.resolve(directory, value), roots);
}

function isInside(file: string, roots: Roots): boolean {
  return roots.some((root) => contains(root, file, 'posix'));
}

/**
 * The files that settings of git include, the directories of hooks that they name, and their remotes that may be
 * directories, whose hooks a push runs. `home` replaces `~`. Pure.
 */
export function filesNamedBySettings(
  text: string,
  home = '~',
): {
  readonly includes: readonly string[];
  readonly hooks: readonly string[];
  readonly remotes: readonly string[];
} {
  const settings = gitSettings(text);
  const valuesOf = (form: RegExp): readonly string[] =>
    settings.flatMap(({ name, value }) =>
      form.test(name) && value !== '' ? [value.replace(/^file:\/\//, '').replace(/^~(?=\/)/, () => home)] : [],
    );
  return {
    includes: valuesOf(/^include(?:if)?\.path$/),
    hooks: valuesOf(/^core\.hookspath$/),
    remotes: valuesOf(/^(?:remote\.(?:push)?url|branch\.(?:push)?remote)$/).filter(
      (each) => !/^[\w+-]+:\/\//.test(each),
    ),
  };
}
