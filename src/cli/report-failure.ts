import { messageOf } from '../core/errors.ts';
import type { WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { EXIT_CODES, USAGE_ERROR } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

const DISK_FULL = 'The disk is full. Make room on it, or write the output elsewhere, and start again.';

/** Says on standard error what ended ybs, and returns the exit code. Never rejects. */
export async function reportFailure(error: unknown, stderr: WriteText): Promise<number> {
  const message = isDiskFull(error) ? DISK_FULL : messageOf(error);
  // Where even this cannot be written the exit code has to say it.
  await stderr(`ybs: ${escapeForTerminal(message)}\n`).catch(() => false);
  return isUsersToRepair(error) ? USAGE_ERROR : EXIT_CODES.failed;
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** Scenario files are read by the mock server, which has an error of its own for them. */
function isUsersToRepair(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && error.name === 'ScenarioError');
}
