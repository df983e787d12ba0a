import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import type { ComputeDigest } from '../ports/digest.ts';

/** The system's clock. A pending `sleep` keeps the process alive. */
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

/** SHA-256 in hexadecimal, computed by Node.js. */
export const computeDigest: ComputeDigest = (bytes) => createHash('sha256').update(bytes).digest('hex');
