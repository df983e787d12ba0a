import type { ProgramCommand, Shell, ShellExit } from '../../agent/ports/shell.ts';
import type { ToolProgress } from '../../agent/ports/tool.ts';
import { type BoundedText, BoundedTextCollector } from '../shell/bounded-text.ts';
import { createOutputCleaner } from '../shell/shell-output.ts';

/** The output of a program that was run to its end, or to its limit. */
export interface ProgramRun {
  readonly stdout: string;
  /** The beginning and the end of the standard error, cleaned. */
  readonly stderr: BoundedText;
  /** `too_long`: the program was ended because its standard output exceeded the limit. */
  readonly end: ShellExit | (Omit<ShellExit, 'cause'> & { readonly cause: 'too_long' });
}

/** The length of the standard error that is kept in memory. */
const MAX_STDERR = 4_000;

/**
 * Runs a program and collects its standard output up to `maxOutput` characters, in bounded memory. Yields each piece of
 * its standard error after `record` has stored it.
 */
export async function* collectProgram(
  shell: Shell,
  command: ProgramCommand,
  { maxOutput, record }: { readonly maxOutput: number; readonly record?: (stderr: string) => Promise<void> },
  signal: AbortSignal,
): AsyncGenerator<ToolProgress, ProgramRun, void> {
  const stderr = new BoundedTextCollector(MAX_STDERR);
  const cleaner = createOutputCleaner();
  const pieces: string[] = [];
  let length = 0;
  let end: ShellExit | undefined;
  const limit = new AbortController();
  for await (const event of shell.run(command, AbortSignal.any([signal, limit.signal]))) {
    if (event.type === 'exit') {
      end = event;
    } else if (event.stream === 'stderr') {
      stderr.add(cleaner.push(event.text));
      await record?.(event.text);
      yield { stream: 'stderr', text: event.text };
    } else if (length <= maxOutput) {
      pieces.push(event.text);
      length += event.text.length;
      // The end tells what was put back.
      if (length > maxOutput) limit.abort();
    }
  }
  if (end === undefined) throw new Error('The shell ended without an exit event.');
  stderr.add(cleaner.flush());
  const isTooLong = length > maxOutput;
  return { stdout: pieces.join(''), stderr: stderr.take(), end: isTooLong ? { ...end, cause: 'too_long' } : end };
}

/** The end of a program, as a part of a sentence: `exit code 3`; `undefined` for the exit code 0. */
export function describeProgramEnd(end: ProgramRun['end'], timeoutMs: number): string | undefined {
  switch (end.cause) {
    case 'exited':
      return end.exitCode === 0 ? undefined : `exit code ${end.exitCode}`;
    case 'signalled':
      return `it was ended by ${end.signal}`;
    case 'timed_out':
      return `it did not end within ${timeoutMs / 1000} s`;
    case 'aborted':
      return 'it was stopped by the user, and may have had effects';
    case 'failed_to_start':
      return `it could not be started: ${end.reason}${adviceFor(end.reason)}`;
    case 'too_long':
      return 'its standard output is too long';
    default:
      return end satisfies never;
  }
}

/** Advice about a program that exists and cannot be started. */
function adviceFor(reason: string | undefined): string {
  return reason?.includes('ENOENT') ? ' (the program named in its first line, after #!, does not exist)' : '';
}
