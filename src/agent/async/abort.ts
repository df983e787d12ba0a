import type { Clock } from '../ports/clock.ts';

/** Thrown by the functions of this file when their signal aborts. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';

  constructor() {
    super('The run was stopped.');
  }
}

/** Throws `AbortedError` if `signal` has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError();
}

/**
 * Settles as `work` does, or rejects with `AbortedError` as soon as `signal`, if there is one, aborts, whichever is first.
 * A later result or error of `work` is ignored.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new AbortedError());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Yields the values of `source` and returns its result. Throws `AbortedError` as soon as `signal` aborts. Closes
 * `source` at the end, without waiting for it.
 */
export async function* untilAborted<Value, Result>(
  source: AsyncIterator<Value, Result, void>,
  signal: AbortSignal,
): AsyncGenerator<Value, Result, void> {
  try {
    for (;;) {
      const step = await raceAbort(source.next(), signal);
      if (step.done === true) return step.value;
      yield step.value;
    }
  } finally {
    closeQuietly(source);
  }
}

/**
 * Closes a source whose consumer has left. The close is not awaited, because a source that hangs answers only when its
 * own wait ends; errors are ignored, because no one is left to handle them.
 */
export function closeQuietly(source: AsyncIterator<unknown, unknown, void> | undefined): void {
  (async () => source?.return?.())().catch(() => {});
}

/**
 * A signal that aborts `graceMs` after `signal` does, so that stopped work may still report how it ended. Call
 * `dispose` when the work is over.
 */
export function abortAfterGrace(
  signal: AbortSignal,
  clock: Clock,
  graceMs: number,
): { readonly signal: AbortSignal; dispose(): void } {
  const delayed = new AbortController();
  const timer = new AbortController();
  const start = (): void => {
    clock.sleep(graceMs, timer.signal).then(
      () => delayed.abort(),
      () => {},
    );
  };
  if (signal.aborted) start();
  signal.addEventListener('abort', start);
  return {
    signal: delayed.signal,
    dispose() {
      signal.removeEventListener('abort', start);
      timer.abort();
    },
  };
}
