import { conforms } from '../../schema/conforms.ts';
import { ERROR_FRAME } from '../schemas.data.ts';
import { classifyInStream, readServerError } from './classify-failure.ts';
import { type FetchResponse, wellFormedJson } from './fetch-stream.ts';
import { FailedRequest } from './open-request.ts';
import type { Connection } from './stream-answer.ts';

/** The data with which a server ends a stream. */
const END = '[DONE]';

/** The part of an SDK that is used: its decoder of event streams, which reads nothing of a response but the body. */
export interface EventDecoder {
  _iterSSEMessages(
    response: Pick<FetchResponse, 'body'>,
    controller: AbortController,
  ): AsyncIterable<{ readonly event: string | null; readonly data: string }>;
}

/**
 * Sends a request and yields the data of the events in its answer. Throws `FailedRequest` for an error within the
 * stream. The clients of the SDKs are not used: to load them, and the classes of `fetch` that they need, takes longer
 * than the start of ybs.
 */
export async function* postEvents(
  url: string,
  body: object,
  { fetch, signal, redact }: Connection,
  { _iterSSEMessages: readEvents }: EventDecoder,
): AsyncGenerator<unknown, void, void> {
  const response = await fetch(url, { method: 'POST', body: wellFormedJson(body), signal });
  for await (const { event, data } of readEvents(response, new AbortController())) {
    if (data === END) return;
    const value: unknown = event === 'error' ? parseError(data) : JSON.parse(data);
    const error = conforms(value, ERROR_FRAME) ? value.error : event === 'error' ? value : undefined;
    if (error !== undefined) throw failedInStream(error, redact);
    yield value;
  }
}

/** The data of an error, which some servers send as a plain text. */
function parseError(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** The failure that an error in the middle of an answer reports. */
export function failedInStream(error: unknown, redact: Connection['redact']): FailedRequest {
  return new FailedRequest(classifyInStream(readServerError(redact(JSON.stringify(error ?? '')))));
}
