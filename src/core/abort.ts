import type { Clock } from '../ports/clock.ts';

/** Thrown by the waits of this file when their signal aborts. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';

  constructor() {
    super('The run was stopped.');
  }
}

/**
 * Settles as `work` does, or rejects with `AbortedError` as soon as `signal` aborts, whichever is first. What `work`
 * does after that is ignored.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new AbortedError());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * A signal that aborts `graceMs` after `signal` does, so that work told to stop may still say how it ended.
 * Call `dispose` when the work is over.
 */
export function abortAfterGrace(
  signal: AbortSignal,
  clock: Clock,
  graceMs: number,
): { readonly signal: AbortSignal; dispose(): void } {
  const late = new AbortController();
  const timer = new AbortController();
  const start = (): void => {
    clock.sleep(graceMs, timer.signal).then(
      () => late.abort(),
      () => {},
    );
  };
  if (signal.aborted) start();
  signal.addEventListener('abort', start, { once: true });
  return {
    signal: late.signal,
    dispose() {
      signal.removeEventListener('abort', start);
      timer.abort();
    },
  };
}
