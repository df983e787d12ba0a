import type { RunObserver } from './observe-events.ts';
import type { SessionRecord } from './session-record.ts';
import { observeReceipt } from './writes/run-receipt.ts';

/** The observers of the next run of a session: they keep what it writes, and report what it has done. */
export function observeRun(
  { writes, messageCount }: SessionRecord,
  isTestCommand: (command: string) => boolean,
): readonly RunObserver[] {
  return [writes.observe(messageCount), observeReceipt(writes, messageCount, isTestCommand)];
}
