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

/** Applies completions to a line. Those of an offer are only shown below it. */
type UseCompletion = (found: Completion, before: Buffer, isOffer: boolean) => void;

/** Ports of completions; `complete` is absent where there are none. */
interface CompletionPorts {
  readonly complete?: Completer | undefined;
  readonly clock: Clock;
}

/**
 * The completions of a message. One that the user asks for completes the line; the keys after it wait for it, as in a
 * shell. The commands are also offered while the name of one is typed, and no key waits for that.
 */
export class Completions {
  readonly #ports: CompletionPorts;
  readonly #onKey: (key: Key) => void;
  readonly #use: UseCompletion;
  #search: AbortController | undefined;
  #offer = new AbortController();
  #keys: readonly Key[] = [];

  /** `onKey` gets each key that has waited. */
  constructor(ports: CompletionPorts, onKey: (key: Key) => void, use: UseCompletion) {
    this.#ports = ports;
    this.#onKey = onKey;
    this.#use = use;
  }

  /** Completes a line, unless that is cancelled. */
  start(before: Buffer): void {
    const { complete, clock } = this.#ports;
    if (complete === undefined) return;
    this.#offer.abort();
    const search = new AbortController();
    this.#search = search;
    findCompletion(complete, before, clock, search.signal)
      .then((completion) => {
        this.#use(completion, before, false);
        this.#release();
      })
      .catch(() => undefined);
  }

  /** Offers the commands that a changed line may be the start of. */
  offer(before: Buffer): void {
    const { complete, clock } = this.#ports;
    this.#offer.abort();
    if (complete === undefined || !/^\/[^\s/]*$/u.test(before.text) || before.cursor < before.text.length) return;
    this.#offer = new AbortController();
    findCompletion(complete, before, clock, this.#offer.signal)
      .then((found) => this.#use(found, before, true))
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
