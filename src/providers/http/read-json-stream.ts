import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { conforms } from '../../schema/conforms.ts';
import { ERROR_FRAME } from '../schemas.data.ts';
import { failedInStream } from './classify-failure.ts';
import type { FetchResponse, StreamFormat } from './fetch-stream.ts';

/** The data with which a server ends a stream. */
const END = '[DONE]';

/** The maximum length of one event, in characters. A longer one would fill the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/**
 * The JSON values of a response, one per line or per server-sent event, in the order of arrival. Throws `FailedRequest`
 * for an error of the server, whose text passes through `redact`, and `SyntaxError` for an event that is not JSON or too
 * long. What the server did not finish at the end of the stream is left out, so that the caller finds the answer cut off.
 */
export async function* readJsonStream(
  { body }: Pick<FetchResponse, 'body'>,
  { contentType }: StreamFormat,
  redact: (text: string) => string,
): AsyncGenerator<unknown, void, void> {
  const frames = contentType === 'text/event-stream' ? readEvents(body) : readLines(body);
  for await (const { event, data, complete } of frames) {
    if (data === END) return;
    if (data.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch (error) {
      // Some servers send an error as plain text.
      if (event === 'error') value = data;
      else if (complete) throw error;
      else return;
    }
    const error = conforms(value, ERROR_FRAME) ? value.error : event === 'error' ? value : undefined;
    if (error !== undefined) throw failedInStream(error, redact);
    yield value;
  }
}

/** A line or an event of a stream. */
interface Frame {
  readonly event?: string | undefined;
  readonly data: string;
  /** False for the last one, if the server did not end it. */
  readonly complete: boolean;
}

async function* readEvents(body: FetchResponse['body']): AsyncGenerator<Frame, void, void> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: (event) => events.push(event),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw new SyntaxError('An event of the stream is too long.');
    },
  });
  for await (const bytes of body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const event of events.splice(0)) yield { ...event, complete: true };
  }
  parser.feed('\n\n');
  for (const event of events) yield { ...event, complete: false };
}

async function* readLines(body: FetchResponse['body']): AsyncGenerator<Frame, void, void> {
  const decoder = new TextDecoder();
  /** The pieces of the current line. */
  let pieces: string[] = [];
  for await (const bytes of body ?? []) {
    const [rest = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    pieces.push(rest);
    for (const next of others) {
      yield { data: pieces.join(''), complete: true };
      pieces = [next];
    }
  }
  yield { data: pieces.join(''), complete: false };
}
