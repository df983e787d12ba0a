/** A response that is not the expected one, with the start of its body. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;
  readonly headers: Headers;
  readonly contentType: string;
  readonly body: string;

  constructor(status: number, headers: Headers, contentType: string, body: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.headers = headers;
    this.contentType = contentType;
    this.body = body;
  }
}

type Fetch = typeof globalThis.fetch;

/** The maximum length of a body that is read for its error message, in characters. */
const MAX_BODY_LENGTH = 64 * 1024;

/** The maximum length of a line of the stream, in bytes. A longer one would fill the memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** The format of a streamed answer. */
export interface StreamFormat {
  readonly contentType: 'text/event-stream' | 'application/x-ndjson';
  /** Headers that the wire adds to every request, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `fetch` for streams: sends the headers of the format and `headers`, which replace them, and no others; follows no
 * redirect; and throws `HttpFailure` for every response that is not a stream of this format. A response without a
 * content type is accepted as one. A line of the stream that is longer than 16 MB ends the stream with a `SyntaxError`,
 * and an abort ends it at once.
 */
export function fetchStream(send: Fetch, format: StreamFormat, headers: Readonly<Record<string, string>>): Fetch {
  const accept = format.contentType;
  const sent = { ...BASE_HEADERS, accept, ...format.headers, ...headers };
  return async (input, init) => {
    const response = await send(input, { ...init, headers: sent, redirect: 'manual' });
    const contentType = response.headers.get('content-type') ?? accept;
    if (response.ok && contentType.includes(accept)) {
      const aborts = init?.signal == null ? {} : { signal: init.signal };
      return new Response(response.body?.pipeThrough(limitLines(), aborts) ?? null, response);
    }
    throw await httpFailure(response);
  };
}

/** The failure that a response reports, with the start of its body. */
export async function httpFailure(response: Response): Promise<HttpFailure> {
  const contentType = response.headers.get('content-type') ?? 'an unknown type';
  return new HttpFailure(response.status, response.headers, contentType, await startOf(response));
}

/** The headers of every request to a provider. */
export const BASE_HEADERS = { 'content-type': 'application/json', 'user-agent': 'ybs' } as const;

const LINE_FEED = 0x0a;

function limitLines(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      const last = bytes.lastIndexOf(LINE_FEED);
      const first = last === -1 ? bytes.length : bytes.indexOf(LINE_FEED);
      if (length + first > MAX_LINE_BYTES) throw new SyntaxError('A line of the stream is too long.');
      length = last === -1 ? length + bytes.length : bytes.length - last - 1;
      controller.enqueue(bytes);
    },
  });
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_BODY_LENGTH) break;
  }
  return text;
}

/**
 * The wait that a response asks for, in milliseconds, from `retry-after-ms` or else `retry-after` (seconds or an HTTP
 * date), or else from a `retryDelay` in its body, as Google sends it. `undefined` when none is present and valid. A
 * date in the past is 0.
 */
export function readRetryAfter(
  { headers, body }: Pick<HttpFailure, 'headers' | 'body'>,
  now: number,
): number | undefined {
  const milliseconds = headers.get('retry-after-ms')?.trim() ?? '';
  if (NUMBER.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const after = headers.get('retry-after')?.trim() ?? '';
  if (NUMBER.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const [, delay] = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body) ?? [];
  return delay === undefined ? undefined : Math.ceil(Number(delay) * 1000);
}

const NUMBER = /^\d+(\.\d+)?$/;
