import { setTimeout as wait } from 'node:timers/promises';

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
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
};
