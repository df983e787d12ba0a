import type { Clock } from '../../ports/clock.ts';

/** Notices when nothing is heard for too long. */
export interface SilenceWatch {
  /** Starts the wait anew. */
  heard(): void;
  readonly expired: boolean;
  /** Ends the watch. */
  dispose(): void;
}

/** Calls `onSilence` once, as soon as nothing was heard for `ms`. One timer, however much is heard. */
export function watchSilence(clock: Clock, ms: number, onSilence: () => void): SilenceWatch {
  const timer = new AbortController();
  let last = clock.now();
  let expired = false;

  const watch = async (): Promise<void> => {
    for (let left = ms; left > 0; left = last + ms - clock.now()) await clock.sleep(left, timer.signal);
    expired = true;
    onSilence();
  };
  // Rejects only when it is disposed of.
  watch().catch(() => {});

  return {
    heard() {
      last = clock.now();
    },
    get expired() {
      return expired;
    },
    dispose: () => timer.abort(),
  };
}
