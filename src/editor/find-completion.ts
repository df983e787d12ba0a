import { raceAbort } from '../async/abort.ts';
import type { Clock } from '../ports/clock.ts';
import type { Buffer } from './buffer.ts';
import { type Completer, type Completion, NO_COMPLETION } from './completer.ts';

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
  signal.addEventListener('abort', end, { once: true });
  clock.sleep(COMPLETION_MS, deadline.signal).then(end, () => undefined);
  try {
    return await raceAbort(complete(text, cursor, deadline.signal), deadline.signal);
  } catch {
    signal.throwIfAborted();
    return NO_COMPLETION;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
