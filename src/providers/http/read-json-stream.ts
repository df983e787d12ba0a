import type { FetchResponse, StreamFormat } from './fetch-stream.ts';

/** The maximum length of one event, in characters. A longer one would fill the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/**
 * The JSON values of a response, one per line or per server-sent event, in the order of arrival. Throws `SyntaxError`
 * for an event that is not JSON or too long. What the server did not finish at the end of the stream is left out, so
 * that the caller finds the answer cut off.
 */
export async function* readJsonStream(
  { body }: Pick<FetchResponse, 'body'>,
  { contentType }: StreamFormat,
): AsyncGenerator<unknown, void, void> {
  let data = '';
  for await (const { text, complete } of readLines(body)) {
    if (contentType === 'application/x-ndjson') data = text;
    else if (text.startsWith('data:')) data += text.slice('data:'.length);
    else if (text !== '') continue;
    if (data.length > MAX_EVENT_LENGTH) throw new SyntaxError('An event of the stream is too long.');
    const ends = contentType === 'application/x-ndjson' || text === '' || !complete;
    if (!ends || data.trim() === '') continue;
    const value = parseEvent(data, complete);
    data = '';
    if (value !== undefined) yield value;
  }
}

/** The value of an event; `undefined` for one that the server did not finish. */
function parseEvent(data: string, complete: boolean): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    if (complete) throw error;
    return undefined;
  }
}

interface Line {
  readonly text: string;
  /** False for the rest after the last line break. */
  readonly complete: boolean;
}

async function* readLines(body: FetchResponse['body']): AsyncGenerator<Line, void, void> {
  const decoder = new TextDecoder();
  /** The pieces of the current line. */
  let pieces: string[] = [];
  for await (const bytes of body ?? []) {
    const [rest = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    pieces.push(rest);
    for (const next of others) {
      yield { text: pieces.join('').replace(/\r$/, ''), complete: true };
      pieces = [next];
    }
  }
  yield { text: pieces.join(''), complete: false };
}
