import * as z from 'zod';
import { classifyInStream, readServerError } from '../http/classify-failure.ts';
import { FailedRequest } from '../http/open-request.ts';
import type { Connection } from '../http/stream-answer.ts';

/** The data with which a server ends a stream. */
const END = '[DONE]';

const frameSchema = z.object({ error: z.union([z.string(), z.looseObject({})]) });

/**
 * Sends a request to an API of OpenAI and yields the data of the events in its answer. Throws `FailedRequest` for an
 * error within the stream. Of the SDK only the decoder of event streams is loaded: its client loads all of its APIs,
 * which takes longer than the start of ybs.
 */
export async function* postEvents(
  url: string,
  body: object,
  { fetch, signal, redact }: Connection,
): AsyncGenerator<unknown, void, void> {
  const { _iterSSEMessages: readEvents } = await import('openai/core/streaming');
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal });
  for await (const { event, data } of readEvents(response, new AbortController())) {
    if (data === END) return;
    const value: unknown = JSON.parse(data);
    const error = frameSchema.safeParse(value).data?.error ?? (event === 'error' ? value : undefined);
    if (error !== undefined) throw failedInStream(error, redact);
    yield value;
  }
}

/** The failure that an error in the middle of an answer reports. */
export function failedInStream(error: unknown, redact: Connection['redact']): FailedRequest {
  return new FailedRequest(classifyInStream(readServerError(redact(JSON.stringify(error ?? '')))));
}
