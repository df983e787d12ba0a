import type { ProgramResult } from '../../providers/target/token-command.ts';
import { runProgram } from './node-shell.ts';

/** The time limit of a program, in milliseconds. gcloud takes seconds. */
const TIMEOUT_MS = 15_000;

/** The maximum length of each output stream; a token is much shorter. */
const MAX_OUTPUT_LENGTH = 64 * 1024;

/**
 * Runs a program without a shell and returns its standard output, by the contract of `RunProgram`. It runs in the home
 * directory, because a system that searches the current directory for programs must not find those of a project. Never
 * throws.
 */
export async function readProgramOutput(
  program: string,
  args: readonly string[],
  machine: { readonly environment: Readonly<Record<string, string>>; readonly home: string },
  signal: AbortSignal,
): Promise<ProgramResult> {
  const surroundings = { workingDirectory: machine.home, environment: machine.environment, timeoutMs: TIMEOUT_MS };
  const output = { stdout: '', stderr: '' };
  for await (const event of runProgram(program, args, surroundings, signal)) {
    if (event.type === 'output') {
      output[event.stream] += event.text;
      if (output[event.stream].length > MAX_OUTPUT_LENGTH) return { type: 'failed', reason: 'it printed too much' };
      continue;
    }
    if (event.cause === 'failed_to_start')
      return { type: 'failed', reason: 'it is not installed or cannot be started' };
    if (event.exitCode === 0) return { type: 'output', text: output.stdout };
    return { type: 'failed', reason: event.exitCode === undefined ? event.cause : `exit code ${event.exitCode}` };
  }
  return { type: 'failed', reason: 'it did not end' };
}
