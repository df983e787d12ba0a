/** One git command: the arguments after the options that `src/policy/git.ts` puts before every command. */
export interface GitCommand {
  /** Absolute path of the directory that the command works in. */
  readonly directory: string;
  readonly args: readonly string[];
  /** Variables besides those that every command gets, such as `GIT_INDEX_FILE`. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The end of a git command. `failed`: git is not installed, took too long, printed too much or was stopped. */
export type GitResult =
  | { readonly type: 'ended'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly type: 'failed'; readonly reason: string };

/** Runs git so that it starts no program that the configuration of a repository names. Never throws. */
export type RunGit = (command: GitCommand, signal: AbortSignal) => Promise<GitResult>;
