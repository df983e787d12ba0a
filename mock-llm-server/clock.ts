import { setTimeout as wait } from 'node:timers/promises';
import { MAX_WAIT_MS } from './max-wait.ts';

/** The only source of time. */
export interface Clock {
  /** Milliseconds since some moment in the past. */
  now(): number;
  /** Resolves after `ms`; rejects as soon as `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    // A slow speed makes a wait of any length; Node's timers would be over at once.
    let left = ms;
    do {
      await wait(Math.min(left, MAX_WAIT_MS), undefined, { signal });
      left -= MAX_WAIT_MS;
    } while (left > 0);
  },
};
