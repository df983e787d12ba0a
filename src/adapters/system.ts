import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import type { ComputeDigest } from '../ports/digest.ts';

/** The clock of this machine. A pending `sleep` keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** SHA-256 from the platform's own crypto. */
export const computeDigest: ComputeDigest = (bytes) => createHash('sha256').update(bytes).digest('hex');
