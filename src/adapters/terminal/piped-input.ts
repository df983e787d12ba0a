import { addAbortSignal, type Readable } from 'node:stream';
import { messageOf, UsageError } from '../../core/errors.ts';

/** Maximum length of piped input. More than a million tokens; no model reads that much. */
const MAX_BYTES = 4_000_000;

/**
 * Reads standard input to its end, as UTF-8; invalid bytes become U+FFFD. Rejects with `UsageError` when it is too long
 * or cannot be read, and with an `AbortError` when `signal` aborts.
 */
export async function readPipedInput(input: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of addAbortSignal(signal, input)) {
      const bytes: Uint8Array = chunk;
      length += bytes.length;
      if (length > MAX_BYTES) break;
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`Standard input cannot be read: ${messageOf(error)}. Close it with < /dev/null.`);
  }
  if (length <= MAX_BYTES) return new TextDecoder().decode(Buffer.concat(chunks));
  throw new UsageError(
    `Standard input is longer than ${MAX_BYTES / 1_000_000} MB, more than a model can read. Give a part of it, such as the end: tail -n 1000`,
  );
}
