import { untilAborted } from '../../agent/async/abort.ts';
import { readStart } from '../../text/bytes/read-start.ts';
import { FailedRequest } from './failure.ts';

/**
 * Sends a request: the part of `fetch` that providers need. The classes of `fetch` themselves are not used, because
 * Node.js takes longer to load them than ybs to start.
 */
export type Fetch = (url: string, init: FetchRequest) => Promise<FetchResponse>;

/** A request with a text as its body. Header names are in lower case. */
export interface FetchRequest {
  /** `GET` when absent. */
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly redirect?: 'manual';
  /** Ends the request and the body of its response. */
  readonly signal?: AbortSignal;
}

/** A response whose body arrives as it is read. */
export interface FetchResponse {
  /** The status is from 200 to 299. */
  readonly ok: boolean;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Headers of a response; `name` is in lower case. */
export interface ResponseHeaders {
  get(name: string): string | null;
}

/** A response that is not the expected one, with the start of its body. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly contentType: string;
  readonly body: string;

  constructor(status: number, headers: ResponseHeaders, contentType: string, body: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.headers = headers;
    this.contentType = contentType;
    this.body = body;
  }
}

/** The maximum length of a body that is read for its error message, in characters. */
const MAX_BODY_LENGTH = 64 * 1024;

/** The maximum length of a line of the stream, in bytes. A longer one would fill the memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface StreamFormat {
  readonly contentType: 'text/event-stream' | 'application/x-ndjson';
  /** Headers that the wire adds to every request, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `fetch` for streams: sends the headers of the format and no others, and throws `HttpFailure` for every response with
 * another status than success. A line of the body that is longer than 16 MB ends the stream with a `FailedRequest`, and
 * an abort ends it at once.
 */
export function fetchStream(send: Fetch, format: StreamFormat): Fetch {
  const accept = format.contentType;
  const sent = { ...BASE_HEADERS, accept, ...format.headers };
  return async (url, init) => {
    const response = await send(url, { ...init, headers: sent });
    if (!response.ok) throw await httpFailure(response);
    const { ok, status, headers, body } = response;
    return { ok, status, headers, body: body === null ? null : limitLines(body, init.signal) };
  };
}

/** The failure that a response reports, with the start of its body. */
export async function httpFailure(response: FetchResponse): Promise<HttpFailure> {
  const contentType = response.headers.get('content-type') ?? 'an unknown type';
  return new HttpFailure(
    response.status,
    response.headers,
    contentType,
    await readStart(response.body ?? [], MAX_BODY_LENGTH),
  );
}

/** The escapes in JSON. One of a surrogate stands for half of a character, because `JSON.stringify` writes whole ones. */
const ESCAPE = /\\(?:u(?<surrogate>d[89a-f]..)|.)/g;

/** JSON with `\ufffd` for every half of a character, because servers refuse a body that contains one. */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\ud')) return json;
  return json.replace(ESCAPE, (found, surrogate: string | undefined) => (surrogate === undefined ? found : '\ufffd'));
}

/** The headers of every request to a provider. */
export const BASE_HEADERS = { 'content-type': 'application/json', 'user-agent': 'ybs' } as const;

/** The ends of lines of server-sent events: a line feed, a carriage return, or both. */
const ENDS = [0x0a, 0x0d] as const;

async function* limitLines(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  let length = 0;
  for await (const bytes of signal === undefined ? body : untilAborted(body[Symbol.asyncIterator](), signal)) {
    const last = Math.max(...ENDS.map((end) => bytes.lastIndexOf(end)));
    const firsts = ENDS.map((end) => bytes.indexOf(end)).filter((index) => index !== -1);
    const first = Math.min(bytes.length, ...firsts);
    if (length + first > MAX_LINE_BYTES) {
      throw new FailedRequest({ type: 'garbled', detail: 'a line of its answer has more than 16 MB' });
    }
    length = last === -1 ? length + bytes.length : bytes.length - last - 1;
    yield bytes;
  }
}
