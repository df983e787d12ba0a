import { raceAbort } from '../../agent/async/abort.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import { type Completer, type Completion, NO_COMPLETION } from '../../app/commands/completion.ts';
import { isCancel, isControl, type Key } from '../keys/key.ts';
import type { Buffer } from './buffer.ts';

/** The time that a completer has. */
export const COMPLETION_MS = 2_000;

/** Completions at the cursor; none if the completer fails or takes too long. Rejects as soon as `signal` aborts. */
export async function findCompletion(
  complete: Completer,
  { text, cursor }: Buffer,
  clock: Clock,
  signal: AbortSignal,
): Promise<Completion> {
  const deadline = new AbortController();
  const end = (): void => deadline.abort();
  const either = AbortSignal.any([signal, deadline.signal]);
  clock.sleep(COMPLETION_MS, either).then(end, () => undefined);
  try {
    return await raceAbort(complete(text, cursor, either), either);
  } catch {
    signal.throwIfAborted();
    return NO_COMPLETION;
  } finally {
    end();
  }
}

/** A completion that is being found. The keys after it wait for it, as in a shell. */
export class PendingCompletion {
  readonly #onKey: (key: Key) => void;
  #search: AbortController | undefined;
  #keys: readonly Key[] = [];

  /** `onKey` gets each key that has waited. */
  constructor(onKey: (key: Key) => void) {
    this.#onKey = onKey;
  }

  /** Passes what `find` finds to `use`, unless it is cancelled. */
  start(find: (signal: AbortSignal) => Promise<Completion>, use: (completion: Completion) => void): void {
    const search = new AbortController();
    this.#search = search;
    find(search.signal)
      .then((completion) => {
        use(completion);
        this.#release();
      })
      .catch(() => undefined);
  }

  /**
   * Takes a key while a search runs: it waits, or cancels the search. False for a key that must have its own effect, too;
   * while the chat `isBusy`, one that cancels also stops the run.
   */
  take(key: Key, isBusy: () => boolean): boolean {
    if (this.#search === undefined) return false;
    if (isCancel(key)) this.cancel();
    else if (isControl(key)) return false;
    else this.#keys = [...this.#keys, key];
    return !isCancel(key) || !isBusy();
  }

  /** Ends the search, if one is running, and those that a key after it begins. */
  cancel(): void {
    while (this.#search !== undefined) {
      this.#search.abort();
      this.#release();
    }
  }

  #release(): void {
    const keys = this.#keys;
    this.#search = undefined;
    this.#keys = [];
    for (const key of keys) this.#onKey(key);
  }
}
