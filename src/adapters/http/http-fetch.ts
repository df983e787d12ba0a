import { request } from 'node:http';
import { Readable } from 'node:stream';
import { requestParts } from './request-parts.ts';

/**
 * `fetch` over plain HTTP, without a timeout of its own. Follows no redirect. For requests with a text as their body.
 */
export const httpFetch: typeof globalThis.fetch = (input, init) =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body, signal } = requestParts(input, init);
    signal?.throwIfAborted();
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length }, ...(signal !== null && { signal }) });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const status = answer.statusCode ?? 500;
      const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      // A response of these statuses has no body, and the constructor refuses one.
      const hasBody = ![101, 204, 205, 304].includes(status);
      if (!hasBody) answer.resume();
      // The text of the answer arrives as it is read, so its errors reach the reader and not `sent`.
      resolve(new Response(hasBody ? toWeb(answer) : null, { status, headers: fields }));
    });
    sent.end(body ?? undefined);
  });

/** The stream of an answer, with the type that `Response` takes. */
function toWeb(answer: Readable): ReadableStream<Uint8Array> {
  const reader = Readable.toWeb(answer).getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
