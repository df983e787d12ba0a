import type { Clock } from '../agent/ports/clock.ts';

/**
 * Sleeps, and lets Node.js read its inputs once more before it resolves, so that input that arrived while the process
 * was busy is handled first. Rejects like `sleep`.
 */
export async function sleepAndRead(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms - 1, signal);
  await clock.sleep(1, signal);
}
