import path from 'node:path';

/** The directory that a file `.git` of a worktree or a submodule names; `undefined` if it names none. Pure. */
export function gitDirectoryOf(text: string, directory: string): string | undefined {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1];
  return named === undefined ? undefined : path.posix.resolve(directory, named);
}

/**
 * True if a directory of git is the one of a worktree in the directory of git that it shares, where `git worktree add` makes
 * it. A file `commondir` of the project could name any directory above it. Pure.
 */
export function isWorktreeOf(directory: string, shared: string): boolean {
  return path.posix.dirname(directory) === path.posix.join(shared, 'worktrees');
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
