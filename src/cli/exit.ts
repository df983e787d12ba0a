import { isDiskFull, messageOf } from '../core/errors.ts';
import type { RunOutcome } from '../ports/events.ts';
import type { WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { UsageError } from './usage-error.ts';

/** The process exit code for the outcome of the last run. */
export const EXIT_CODES: Readonly<Record<RunOutcome, number>> = {
  done: 0,
  failed: 1,
  denied: 3,
  limit: 4,
  stuck: 5,
  aborted: 130,
};

/** A command line or a configuration that cannot be used; nothing was run. */
export const USAGE_ERROR = 2;

/** Every exit code and what it means, in the order of the codes. */
export const EXIT_CODE_ROWS: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: EXIT_CODES.done, meaning: 'done' },
  { code: EXIT_CODES.failed, meaning: 'failed: the model or ybs itself; or a story did not pass' },
  { code: USAGE_ERROR, meaning: 'the command line, the configuration or a story file cannot be used' },
  { code: EXIT_CODES.denied, meaning: 'a call needed approval and there was no terminal to ask at' },
  { code: EXIT_CODES.limit, meaning: 'a limit ended the run' },
  { code: EXIT_CODES.stuck, meaning: 'the model kept repeating itself' },
  { code: EXIT_CODES.aborted, meaning: 'stopped by Ctrl-C, a signal, or because nobody reads the output' },
];

const DISK_FULL = 'The disk is full. Make room on it, or write the output elsewhere, and start again.';

/** Says on standard error what ended ybs, and returns the exit code. Never rejects. */
export async function reportFailure(error: unknown, stderr: WriteText): Promise<number> {
  const message = isDiskFull(error) ? DISK_FULL : messageOf(error);
  // Where even this cannot be written the exit code has to say it.
  await stderr(`ybs: ${escapeForTerminal(message)}\n`).catch(() => false);
  return isUsersToRepair(error) ? USAGE_ERROR : EXIT_CODES.failed;
}

/** Scenario files are read by the mock server, which has an error of its own for them. */
function isUsersToRepair(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && error.name === 'ScenarioError');
}
