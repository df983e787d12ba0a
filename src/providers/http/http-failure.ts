/** An answer that is no event stream, thrown out of `fetch` with the start of its body. */
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

/** How much of a body is read to find out what it says, in bytes. */
const LONGEST_BODY = 64 * 1024;

/**
 * `fetch` for event streams: sends these headers and no others, follows no redirect, and throws `HttpFailure` for
 * every answer that is no event stream. An answer that states no content type is taken for one.
 */
export function fetchEventStream(send: Fetch, headers: Readonly<Record<string, string>>): Fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, headers, redirect: 'manual' });
    const contentType = response.headers.get('content-type') ?? 'text/event-stream';
    if (response.ok && contentType.includes('text/event-stream')) return response;
    throw new HttpFailure(response.status, response.headers, contentType, await startOf(response));
  };
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > LONGEST_BODY) break;
  }
  return text;
}
