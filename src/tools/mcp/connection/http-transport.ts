import type { AuthProvider, Transport } from '@modelcontextprotocol/client';
import { isJsonObject, jsonOr } from '../../../text/json/json.ts';

/** Sends a request, and follows no redirect. The body arrives as it is read. */
export type SendHttp = (
  url: string,
  request: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly signal?: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}>;

/** The headers of responses that the library reads. */
const READ_HEADERS = ['content-type', 'location', 'mcp-session-id', 'retry-after', 'www-authenticate'] as const;

/** The maximum size of a result, in bytes, and of the text of an error. */
const MAX_MESSAGE = 10 * 1024 * 1024;
const MAX_ERROR = 64 * 1024;

/** The time that the end of a session may take, in milliseconds. */
const GRACE_MS = 2_000;

const TOO_LARGE = 'its result is too large (the limit is 10 MB). Ask it for less';

/**
 * A `fetch` that sends `headers` to the origin of the server only. A result that is too large becomes an error, of which not
 * more than the limit is read.
 */
export function boundedFetch(url: URL, headers: Readonly<Record<string, string>>, send: SendHttp) {
  // A stream that is resumed does not name the request that it answers.
  let asked: string | number | undefined;
  return async (given: string | URL, { method = 'GET', body, signal, ...init }: RequestInit = {}) => {
    const target = new URL(given);
    const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined;
    const message = text === undefined ? undefined : jsonOr(undefined, text);
    const { id } = isJsonObject(message) ? message : {};
    if (typeof id === 'string' || typeof id === 'number') asked = id;
    const response = await send(target.href, {
      ...{ method, headers: { ...headersOf(init, body), ...(target.origin === url.origin && headers) } },
      ...(text !== undefined && { body: text }),
      ...(signal instanceof AbortSignal && { signal }),
    });
    const { status } = response;
    const read = READ_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    const refusal = JSON.stringify({ jsonrpc: '2.0', id: id ?? asked, error: { code: -32_000, message: TOO_LARGE } });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const isEmpty = response.body === null || [204, 205, 304].includes(status);
    const bounded = isEmpty ? null : ReadableStream.from(boundedBody(response.body, { status, isStream, refusal }));
    return new Response(bounded, { status, headers: read });
  };
}

/** The transport of the library over HTTP, with the tokens of a login. */
export async function openHttpTransport(
  url: URL,
  fetch: ReturnType<typeof boundedFetch>,
  authProvider?: AuthProvider,
): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(url, { fetch, ...(authProvider && { authProvider }) });
  const close = transport.close.bind(transport);
  transport.close = async () => {
    const ended = transport.terminateSession().catch(() => {});
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, GRACE_MS)))]);
    clearTimeout(timer);
    await close();
  };
  return transport;
}

function headersOf({ headers }: RequestInit, body: unknown): Record<string, string> {
  const form = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return { ...form, ...Object.fromEntries(new Headers(headers)) };
}

/** A body of which no message is longer than the limit: `refusal` takes its place, and the rest is not read. */
async function* boundedBody(
  body: AsyncIterable<Uint8Array> | null,
  { status, isStream, refusal }: { readonly status: number; readonly isStream: boolean; readonly refusal: string },
): AsyncGenerator<Uint8Array, void, void> {
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const whole: Uint8Array[] = [];
  const isError = status >= 300;
  let length = 0;
  let end = '';
  for await (const chunk of body ?? []) {
    const text = `${end}${Buffer.from(chunk).toString('latin1')}`;
    const start = isStream ? Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n')) : -1;
    length = start < 0 ? length + chunk.length : text.length - start;
    end = text.slice(-2);
    if (isError && length > MAX_ERROR) break;
    if (length > MAX_MESSAGE) {
      // The event that has begun gets a type that nobody reads.
      yield bytesOf(isStream ? `\nevent: cut\n\ndata: ${refusal}\n\n` : refusal);
      return;
    }
    if (isStream) yield chunk;
    else whole.push(chunk);
  }
  yield* whole;
}
