import type { Clock } from '../ports/clock.ts';

/**
 * Sleeps, and lets Node.js read its inputs once more before it resolves: after a time in which the process was busy, what
 * has arrived meanwhile comes first. Rejects like `sleep`.
 */
export async function sleepAndRead(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms - 1, signal);
  await clock.sleep(1, signal);
}
