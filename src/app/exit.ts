import { messageOf, UsageError } from '../agent/errors.ts';
import type { RunOutcome } from '../agent/ports/events.ts';
import { errorCode, isDiskFull } from '../text/error-code.ts';
import { escapeForTerminal } from '../text/escape.ts';
import type { WriteText } from './terminal.ts';

/** Exit code of the process by the outcome of its last run. */
export const EXIT_CODES: Readonly<Record<RunOutcome, number>> = {
  done: 0,
  failed: 1,
  denied: 3,
  limit: 4,
  stuck: 5,
  aborted: 130,
};

/** Exit code when the command line, the configuration or a story is invalid; nothing was run. */
const USAGE_ERROR = 2;

/** Every exit code with its meaning, in the order of the codes. */
export const EXIT_CODE_ROWS: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: EXIT_CODES.done, meaning: 'done' },
  { code: EXIT_CODES.failed, meaning: 'failed: the model, ybs itself, or a story' },
  { code: USAGE_ERROR, meaning: 'the command line, the configuration or a story file is invalid' },
  { code: EXIT_CODES.denied, meaning: 'a call needed approval and nobody answered, or the same call was denied twice' },
  { code: EXIT_CODES.limit, meaning: 'a limit ended the run' },
  { code: EXIT_CODES.stuck, meaning: 'the model kept repeating itself' },
  { code: EXIT_CODES.aborted, meaning: 'stopped by Ctrl-C, a signal or a closed output' },
];

const DISK_FULL = 'The disk is full. Free some space or write the output elsewhere, then start again.';

/** A program that was updated while it ran, or removed, cannot load the rest of its files. */
const REPLACED = 'The files of ybs were replaced or removed while it ran, such as by an update. Start ybs again.';

function isReplaced(error: unknown): boolean {
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(errorCode(error) ?? '') && /\bchunk-/.test(messageOf(error));
}

/** Reports on standard error why ybs ended, and returns the exit code. Never rejects. */
export async function reportFailure(error: unknown, stderr: WriteText): Promise<number> {
  const message = isDiskFull(error) ? DISK_FULL : isReplaced(error) ? REPLACED : messageOf(error);
  // When standard error cannot be written either, only the exit code reports the failure.
  await stderr(`ybs: ${escapeForTerminal(message)}\n`).catch(() => false);
  return isUsageError(error) ? USAGE_ERROR : EXIT_CODES.failed;
}

/** The mock server reads the scenarios and the recordings of other tools, and has its own errors for invalid ones. */
function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && ['ScenarioError', 'ForeignFileError'].includes(error.name);
}
