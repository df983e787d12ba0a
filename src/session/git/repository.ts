import path from 'node:path';
import type { RunGit } from './git-command.ts';

/** A git command that failed. The message is the first line of the output. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

const never = new AbortController().signal;

/** A repository on disk. Its methods throw `GitError`. */
export class Repository {
  /** Real path of the working tree. */
  readonly root: string;
  /** Absolute path of the directory in which git keeps the state of this working tree. */
  readonly gitDirectory: string;
  readonly #runGit: RunGit;

  private constructor(runGit: RunGit, facts: { readonly root: string; readonly gitDirectory: string }) {
    this.#runGit = runGit;
    this.root = facts.root;
    this.gitDirectory = facts.gitDirectory;
  }

  /** The repository whose working tree contains `directory`, a real path; `undefined` if there is none, or no git. */
  static async find(runGit: RunGit, directory: string): Promise<Repository | undefined> {
    const facts = await runGit({ directory, args: ['rev-parse', '--show-toplevel', '--absolute-git-dir'] }, never);
    if (facts.type === 'failed' || facts.exitCode !== 0) return undefined;
    const [root = '', gitDirectory = ''] = facts.stdout.split('\n');
    // The configuration of a repository can name any directory as its working tree.
    if (!isInside(root, directory)) return undefined;
    return new Repository(runGit, { root, gitDirectory });
  }

  /** The path of a file relative to the root, with slashes; `undefined` if the file is outside. */
  relativePath(file: string): string | undefined {
    return isInside(this.root, file) ? path.relative(this.root, file).split(path.sep).join('/') : undefined;
  }

  /** The output of a command; `undefined` if it ends with `other` as its exit code. */
  async read(args: readonly string[], options: GitOptions & { readonly other: number }): Promise<string | undefined>;
  async read(args: readonly string[], options?: GitOptions): Promise<string>;
  async read(
    args: readonly string[],
    { index, directory = this.root, environment: more, other }: GitOptions & { readonly other?: number } = {},
  ): Promise<string | undefined> {
    const environment = { ...more, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    const result = await this.#runGit({ directory, args, environment }, never);
    if (result.type === 'ended' && result.exitCode === 0) return result.stdout;
    if (result.type === 'ended' && result.exitCode === other) return undefined;
    const problem = result.type === 'failed' ? result.reason : (result.stderr.trim().split('\n', 1)[0] ?? '');
    const advice = /identity unknown/i.test(problem) ? '. Set user.name and user.email with git config' : '';
    throw new GitError(`git ${args[0]}: ${problem}${advice}`);
  }
}

interface GitOptions {
  /** Absolute path of the index to use instead of that of the working tree. */
  readonly index?: string;
  /** Directory to work in; by default the root. */
  readonly directory?: string;
  /** More variables. */
  readonly environment?: Readonly<Record<string, string>>;
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return root !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
