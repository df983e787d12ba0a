import { setTimeout as wait } from 'node:timers/promises';
import { MAX_WAIT_MS } from '../scenario/format/values.ts';

/** Source of time for all delays. */
export interface Clock {
  /** Milliseconds since some moment in the past. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects as soon as `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    // Node's timers fire at once for waits longer than this.
    let left = ms;
    do {
      await wait(Math.min(left, MAX_WAIT_MS), undefined, { signal });
      left -= MAX_WAIT_MS;
    } while (left > 0);
  },
};

/** A clock that only a test advances. */
export interface VirtualClock extends Clock {
  /** Remaining times of the pending sleeps in milliseconds, shortest first. */
  readonly pending: readonly number[];
  /** Advances time and resolves the sleeps that are due, in order, including those that start meanwhile. */
  advance(ms: number): Promise<void>;
  /** Resolves as soon as `count` sleeps are pending, one by default. */
  untilSleeping(count?: number): Promise<void>;
  /** Throws if a sleep is still pending: a timer that was not cleared. */
  assertIdle(): void;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Creates a clock at `start`, in milliseconds. `sleep` rejects durations that are negative or not finite. */
export function createVirtualClock(start = 0): VirtualClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();
  const inOrder = (): Sleeper[] => [...sleepers].sort((left, right) => left.due - right.due);

  return {
    now: () => now,
    get pending() {
      return inOrder().map(({ due }) => due - now);
    },
    async sleep(ms, signal) {
      checkDuration('sleep', ms);
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const leave = (settle: () => void) => () => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', stop);
          settle();
        };
        const stop = leave(() => reject(signal.reason));
        const sleeper: Sleeper = { due: now + ms, wake: leave(resolve) };
        sleepers.add(sleeper);
        signal.addEventListener('abort', stop, { once: true });
        for (const watch of [...watchers]) watch();
      });
    },
    async advance(ms) {
      checkDuration('advance', ms);
      const end = now + ms;
      await settle();
      for (let next = inOrder()[0]; next !== undefined && next.due <= end; next = inOrder()[0]) {
        now = next.due;
        next.wake();
        await settle();
      }
      now = end;
    },
    untilSleeping(count = 1) {
      return new Promise((resolve) => {
        const watch = (): void => {
          if (sleepers.size < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      });
    },
    assertIdle() {
      if (sleepers.size === 0) return;
      const waits = inOrder().map(({ due }) => `${due - now} ms`);
      throw new Error(`the clock has pending sleeps: ${waits.join(', ')}`);
    },
  };
}

function checkDuration(method: string, ms: number): void {
  if (Number.isFinite(ms) && ms >= 0) return;
  throw new Error(`${method} was called with ${ms}, expected milliseconds of 0 or more`);
}

/** Runs everything that is ready without advancing time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
