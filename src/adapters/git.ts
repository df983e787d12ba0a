import type { RunGit } from '../ports/git.ts';
import { safeGitArguments, safeGitEnvironment } from '../safety/git.ts';
import { collectOutput } from './shell/program-output.ts';

/** The time limit of a command, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The maximum length of an output, in characters. */
const MAX_OUTPUT_LENGTH = 4 * 1024 * 1024;

/** Creates the runner of git on this machine. It starts in `home`, which holds no program of a project. */
export function createRunGit(machine: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: 'posix' | 'windows';
  readonly home: string;
}): RunGit {
  const safe = safeGitEnvironment(machine.environment, machine.platform);
  return ({ directory, args, environment }, signal) =>
    collectOutput(
      'git',
      safeGitArguments(directory, args),
      {
        workingDirectory: machine.home,
        environment: { ...safe, ...environment },
        timeoutMs: TIMEOUT_MS,
        maxLength: MAX_OUTPUT_LENGTH,
      },
      signal,
    );
}
