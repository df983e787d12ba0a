import path from 'node:path';

/** The directory that a file `.git` of a worktree or a submodule names; `undefined` if it names none. Pure. */
export function gitDirectoryOf(text: string, directory: string): string | undefined {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
  return named === undefined ? undefined : path.posix.resolve(directory, named);
}

/**
 * True if the directory of git itself names this worktree or submodule: in its file `gitdir`, or as `core.worktree` of
 * its configuration. The file `.git` belongs to the project, which could name any directory of the user. Pure.
 */
export function pointsBack(
  workspace: string,
  { directory, gitdir, config }: { readonly directory: string; readonly gitdir?: string; readonly config?: string },
): boolean {
  if (gitdir !== undefined) return path.posix.resolve(directory, gitdir.trim()) === path.posix.join(workspace, '.git');
  const worktree = config?.match(/^\s*worktree\s*=\s*(.+?)\s*$/m)?.[1];
  return worktree !== undefined && path.posix.resolve(directory, worktree) === workspace;
}
