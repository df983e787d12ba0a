import type { ShellCommand } from '../../agent/ports/shell.ts';
import type { ProgramResult } from '../../providers/target/token-command.ts';
import { runProgram } from './node-shell.ts';

/** The end of a program. The `reason` completes a sentence that begins with the name of the program. */
export type CollectedOutput =
  | { readonly type: 'ended'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly type: 'failed'; readonly reason: string };

/**
 * Runs a program without a shell and collects its output. It is ended as soon as either stream has more than
 * `maxLength` characters. Never throws.
 */
export async function collectOutput(
  program: string,
  args: readonly string[],
  { maxLength, ...surroundings }: Omit<ShellCommand, 'command'> & { readonly maxLength: number },
  signal: AbortSignal,
): Promise<CollectedOutput> {
  const output = { stdout: '', stderr: '' };
  for await (const event of runProgram(program, args, surroundings, signal)) {
    if (event.type === 'output') {
      output[event.stream] += event.text;
      if (output[event.stream].length > maxLength) return { type: 'failed', reason: 'it printed too much' };
      continue;
    }
    if (event.exitCode !== undefined) return { type: 'ended', exitCode: event.exitCode, ...output };
    const isMissing = event.cause === 'failed_to_start';
    return { type: 'failed', reason: isMissing ? 'it is not installed or cannot be started' : event.cause };
  }
  return { type: 'failed', reason: 'it did not end' };
}

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
  const result = await collectOutput(program, args, { ...surroundings, maxLength: MAX_OUTPUT_LENGTH }, signal);
  if (result.type === 'failed') return result;
  if (result.exitCode !== 0) return { type: 'failed', reason: `exit code ${result.exitCode}` };
  return { type: 'output', text: result.stdout };
}
