import type { ProgramResult } from '../../providers/token-command.ts';
import { runProgram } from './node-shell.ts';

/** The time limit of a program, in milliseconds. gcloud takes seconds. */
const TIMEOUT_MS = 15_000;

/** The maximum length of an output; a token is much shorter. */
const MAX_OUTPUT_LENGTH = 64 * 1024;

/**
 * Runs a program without a shell and returns its standard output, by the contract of `RunProgram`. It runs in the home
 * directory, because a system that searches the current directory for programs must not find those of a project.
 */
export async function readProgramOutput(
  program: string,
  args: readonly string[],
  machine: { readonly environment: Readonly<Record<string, string>>; readonly home: string },
  signal: AbortSignal,
): Promise<ProgramResult> {
  const surroundings = { workingDirectory: machine.home, environment: machine.environment, timeoutMs: TIMEOUT_MS };
  let text = '';
  for await (const event of runProgram(program, args, surroundings, signal)) {
    if (event.type === 'output' && event.stream === 'stdout') text += event.text;
    if (text.length > MAX_OUTPUT_LENGTH) return { type: 'failed', reason: 'it printed too much' };
    if (event.type !== 'exit') continue;
    switch (event.cause) {
      case 'exited':
        return event.exitCode === 0
          ? { type: 'output', text }
          : { type: 'failed', reason: `exit code ${event.exitCode}` };
      case 'failed_to_start':
        return { type: 'failed', reason: 'it is not installed or cannot be started' };
      default:
        return { type: 'failed', reason: event.cause };
    }
  }
  return { type: 'failed', reason: 'it did not end' };
}
