import type { Clock } from '../../agent/ports/clock.ts';

/** A timeout that every `restart` postpones. */
export interface SilenceWatch {
  /** Restarts the wait. */
  restart(): void;
  readonly expired: boolean;
  /** Ends the watch. */
  dispose(): void;
}

/** Calls `onSilence` once, when `restart` has not been called for `ms`. Uses a single timer for all restarts. */
export function watchSilence(clock: Clock, ms: number, onSilence: () => void): SilenceWatch {
  const timer = new AbortController();
  let last = clock.now();
  let expired = false;

  const watch = async (): Promise<void> => {
    for (let left = ms; left > 0; left = last + ms - clock.now()) await clock.sleep(left, timer.signal);
    expired = true;
    onSilence();
  };
  // It rejects only after `dispose`.
  watch().catch(() => {});

  return {
    restart() {
      last = clock.now();
    },
    get expired() {
      return expired;
    },
    dispose: () => timer.abort(),
  };
}
