import { execFile } from 'node:child_process';
import { safeGitArguments, safeGitEnvironment } from '../policy/git.ts';
import type { GitResult, RunGit } from '../session/git/git-command.ts';

/** The time limit of a command, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The maximum length of an output, in bytes. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Creates the runner of git on this machine. It starts in `home`, which contains no program of a project. It uses the
 * processes of Node.js itself, because every start in a repository runs git, and `execa` takes longer to load than git runs.
 */
export function createRunGit(machine: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: 'posix' | 'windows';
  readonly home: string;
}): RunGit {
  return ({ directory, args, environment }, signal) =>
    new Promise((resolve) => {
      const options = {
        cwd: machine.home,
        env: { ...safeGitEnvironment(machine.environment, machine.platform, directory), ...environment },
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT_BYTES,
        killSignal: 'SIGKILL',
        windowsHide: true,
        signal,
      } as const;
      const child = execFile('git', [...safeGitArguments(directory, args)], options, (error, stdout, stderr) => {
        resolve(error === null ? { type: 'ended', exitCode: 0, stdout, stderr } : failureOf(error, stdout, stderr));
      });
      // A command that reads its input gets an empty one.
      child.stdin?.end();
    });
}

function failureOf(
  { code, killed, name }: Error & { readonly code?: unknown; readonly killed?: boolean },
  stdout: string,
  stderr: string,
): GitResult {
  if (typeof code === 'number') return { type: 'ended', exitCode: code, stdout, stderr };
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return { type: 'failed', reason: 'it printed too much' };
  if (name === 'AbortError') return { type: 'failed', reason: 'aborted' };
  if (killed === true) return { type: 'failed', reason: 'timed_out' };
  return { type: 'failed', reason: 'it is not installed or cannot be started' };
}
