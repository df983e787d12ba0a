import { setTimeout as wait } from 'node:timers/promises';
import { MAX_WAIT_MS } from '../scenario/timing-format.ts';

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

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /** Durations of the sleeps that are still waiting, in milliseconds from now, shortest first. */
  readonly pending: readonly number[];
  /** Moves time, waking sleepers one by one in the order in which they are due; what they start then counts too. */
  advance(ms: number): Promise<void>;
  /** Resolves as soon as `count` sleeps are waiting, one when it is left out. */
  untilSleeping(count?: number): Promise<void>;
  /** Throws when a sleep is still waiting: a timer that nobody disposed of. */
  assertIdle(): void;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock at `start`, in milliseconds. `sleep` refuses durations that are no number of milliseconds. */
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
    sleep(ms, signal) {
      if (!Number.isFinite(ms) || ms < 0) {
        return Promise.reject(new Error(`sleep was called with ${ms}, expected milliseconds of 0 or more`));
      }
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
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
      if (!Number.isFinite(ms) || ms < 0) throw new Error(`advance was called with ${ms}; time does not run backwards`);
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
      throw new Error(`the clock has sleeps nobody ended: ${waits.join(', ')}`);
    },
  };
}

/** Lets everything that is ready run, without the passing of time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
