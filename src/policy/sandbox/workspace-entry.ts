import { foldName } from '../paths/fold-name.ts';
import { kindOfName } from '../paths/name-kind.ts';
import { classOfPath, type PathRules, pathFlavour } from '../paths/path-policy.ts';
import { GIT_SETTINGS } from '../paths/special-names.ts';

/**
 * The treatment of a file or directory of the workspace. `guarded`: commands read it and may not change it;
 * `repository`: a directory of git, of which only some parts are guarded; `unreadable`: it holds secrets; `private`: it
 * is guarded and unreadable; `skipped`: what lies in it does not matter.
 */
export type EntryUse = 'ordinary' | 'guarded' | 'repository' | 'unreadable' | 'private' | 'skipped';

/** The maximum number of directories of a search: the sandbox first looks for secrets in all of them. */
export const MAX_SEARCHED_DIRECTORIES = 5_000;

/** The maximum number of directories of a view, which are remembered from one command to the next. */
export const MAX_VIEWED_DIRECTORIES = 20_000;

/**
 * Directories that hold what a package manager installs. Its files are run like those of the project. Another case, such as
 * `Target`, is another directory on most file systems.
 */
const SKIPPED = new Set(['node_modules', 'target', '.venv', 'venv', '__pycache__']);

/** Directories that programs of the project write, although other programs run what is in them. */
const WRITTEN = new Set([
  ...['.yarn', '.bundle', '.hg', '.svn', '.jj', '.sl', '.bzr', '.pijul', '_darcs'],
  ...['.direnv', '.devenv', '.devbox', '.bsp'],
]);

/** True for a path of the workspace, relative to it, into whose directories no scan looks. Pure. */
export function isLeftOut(relative: string): boolean {
  const names = relative.split('/');
  return names.some((name) => name.toLowerCase() === '.git' || SKIPPED.has(name) || WRITTEN.has(name));
}

/** The parts of a directory of git that decide which programs git runs, relative to it. */
export const REPOSITORY_SETTINGS: readonly string[] = ['hooks', 'config', 'config.worktree', 'commondir'];

/** True if an entry of a directory may be special. */
export type FirstLook = (directory: string, name: string) => boolean;

/**
 * Creates a first look at the entries of a directory, which is a hundred times as fast as `useOfEntry`: false if an entry
 * with this name is certainly ordinary. Pure.
 */
export function createFirstLook({ guardedPaths = [], platform }: PathRules): FirstLook {
  const { basename } = pathFlavour(platform);
  const guarded = new Set(guardedPaths.map((path) => foldName(basename(path))));
  return (directory, name) => {
    const lower = name.toLowerCase();
    if (SKIPPED.has(name) || WRITTEN.has(name) || guarded.has(foldName(name))) return true;
    // At any depth in a directory of git
    if (GIT_SETTINGS.has(lower)) return true;
    return kindOfName(basename(directory), name) !== undefined;
  };
}

/** The first look within a directory of git: of its own parts, `REPOSITORY_SETTINGS` names those that count. Pure. */
export const lookForRepositories: FirstLook = (_directory, name) => name.toLowerCase() === '.git';

/** Chooses the treatment of an entry by its name and its place. Pure. A link is only its name: nothing follows it. */
export function useOfEntry(path: string, kind: 'file' | 'directory' | 'link' | 'other', rules: PathRules): EntryUse {
  const name = pathFlavour(rules.platform).basename(path);
  if (kind === 'directory' && name.toLowerCase() === '.git') return 'repository';
  if (kind === 'directory' && SKIPPED.has(name)) return 'skipped';
  if (WRITTEN.has(name)) return 'skipped';
  switch (classOfPath(path, rules)) {
    case 'sensitive':
      return kind === 'directory' ? 'ordinary' : 'unreadable';
    case 'sensitive_executable':
      return kind === 'directory' ? 'guarded' : 'private';
    case 'executable':
      return 'guarded';
    default:
      return 'ordinary';
  }
}
