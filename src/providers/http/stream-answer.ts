import type { ModelEvent } from '../../agent/ports/language-model.ts';
import type { WireOptions } from '../wire-options.ts';
import { type Fetch, fetchStream, type StreamFormat } from './fetch-stream.ts';
import { FailedRequest, openRequest } from './open-request.ts';

/** The connection of one request, for a wire or its SDK. */
export interface Connection {
  /**
   * Sends the headers of the model and no others, follows no redirect, and throws `HttpFailure` for a response that is
   * not a stream of the format.
   */
  readonly fetch: Fetch;
  /** Aborts when the caller aborts, when the server is silent for too long, and at the end. */
  readonly signal: AbortSignal;
  /** Replaces the key in a text of the server, which must happen before the text is shortened. */
  readonly redact: (text: string) => string;
}

/**
 * Sends one request and yields the events of its answer, by the contract of `LanguageModel.stream`. `answer` sends the
 * request over the connection and yields the events as they arrive; it may throw `FailedRequest` and anything that
 * `fetch` or an SDK throws. Each event restarts the watch for silence. An answer that ends without a `finish` is cut
 * off; nothing is read after it. Error messages never contain the key, even if the server repeats it.
 */
export async function* streamAnswer(
  options: WireOptions,
  format: StreamFormat,
  signal: AbortSignal,
  answer: (connection: Connection) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void, void> {
  const request = openRequest(options, signal);
  try {
    const fetch = fetchStream(request.send, format);
    for await (const event of answer({ fetch, signal: request.signal, redact: request.redact })) {
      // An SDK sometimes ends the iteration of an aborted request as if the answer were complete.
      request.signal.throwIfAborted();
      request.restart();
      yield event;
      if (event.type === 'finish') return;
    }
    request.signal.throwIfAborted();
    throw new FailedRequest({ type: 'cut_off' });
  } catch (error) {
    throw request.errorFor(error);
  } finally {
    request.close();
  }
}
