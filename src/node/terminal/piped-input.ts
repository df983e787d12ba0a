import { addAbortSignal, type Readable } from 'node:stream';
import { messageOf, UsageError } from '../../agent/errors.ts';

/** Maximum length of piped input. More than a million tokens; no model reads that much. */
const MAX_BYTES = 4_000_000;
const MAX_LENGTH = `${MAX_BYTES / 1_000_000} MB`;

/**
 * Reads standard input line by line as it arrives, as UTF-8, without the line ends; the end of the input ends the last
 * line. `onWait`: called when the lines that came together have been used. Rejects like `readPipedInput`; the limit is that
 * of one line.
 */
export async function* readPipedLines(
  input: Readable,
  signal: AbortSignal,
  onWait = () => {},
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let line = '';
  try {
    for await (const chunk of addAbortSignal(signal, input)) {
      const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
      line += first;
      if (line.length > MAX_BYTES) break;
      for (const next of more) {
        yield line;
        line = next;
      }
      onWait();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(error);
  }
  if (line.length > MAX_BYTES) throw new UsageError(`A line of standard input is longer than ${MAX_LENGTH}.`);
  line += decoder.decode();
  if (line !== '') yield line;
}

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
    throw unreadable(error);
  }
  if (length <= MAX_BYTES) return new TextDecoder().decode(Buffer.concat(chunks));
  throw new UsageError(
    `Standard input is longer than ${MAX_LENGTH}, more than a model can read. Give a part of it, such as the end: tail -n 1000`,
  );
}

/** Reads the bytes of standard input as they arrive. Rejects like `readPipedInput`. */
export async function* readPipedBytes(input: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* addAbortSignal(signal, input);
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(error);
  }
}

/** The bytes of standard input as they arrive. */
export function inputStream(input: Readable): ReadableStream<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const step = await chunks.next();
      if (step.done === true) controller.close();
      else controller.enqueue(step.value);
    },
    cancel() {
      input.destroy();
    },
  });
}

function unreadable(error: unknown): UsageError {
  return new UsageError(`Standard input cannot be read: ${messageOf(error)}. Close it with < /dev/null.`);
}
