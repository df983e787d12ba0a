import type { AuthProvider, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createParser } from 'eventsource-parser';
import { raceAbort } from '../../../agent/async/abort.ts';
import { readStart } from '../../../text/bytes/read-start.ts';
import { isJsonObject, jsonObjectIn, jsonOr } from '../../../text/json/json.ts';
import { failedAnswer, type Id, NO_JSON, Pending, readMessages, SSE_TRANSPORT, TOO_LARGE } from './read-messages.ts';
import type { Heard } from './server-log.ts';

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

/** The time that the end of a session, and a notification, may take, in milliseconds. */
const GRACE_MS = 2_000;

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const UNFINISHED = 'the connection ended before its result';

/**
 * A `fetch` that sends `headers` to the origin of the server only. The messages of the server arrive as the library
 * accepts them; a result that is too large becomes an error, of which not more than the limit is read. The answer to
 * the question for the revisions is also read after the library has ceased to wait for it.
 */
export function boundedFetch(
  url: URL,
  headers: Readonly<Record<string, string>>,
  send: SendHttp,
  { discovered, over }: Partial<Pick<Heard, 'discovered' | 'over'>> = {},
) {
  // A stream that is resumed does not name the request that it answers.
  const pending = Object.assign(new Pending(), { discovered });
  const request = async (given: string | URL, { method = 'GET', body, signal, ...init }: RequestInit) => {
    const target = new URL(given);
    const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined;
    const message = text === undefined ? undefined : jsonOr(undefined, text);
    const id = pending.note(message);
    const sent = headersOf(init, body);
    const isNotification = id === undefined && isJsonObject(message) && typeof message['method'] === 'string';
    const unread = new AbortController();
    const limits = isNotification ? [unread.signal, AbortSignal.timeout(GRACE_MS)] : [];
    const asked = send(target.href, {
      ...{ method, headers: { ...sent, ...(target.origin === url.origin && headers) } },
      ...(text !== undefined && { body: text }),
      signal: AbortSignal.any([...limits, ...(signal instanceof AbortSignal ? [signal] : [])]),
    });
    const response = isNotification ? await asked.catch(() => undefined) : await asked;
    // Nothing answers a notification, whatever some servers do. Only for a login, the user has to do something.
    if (response === undefined || (isNotification && ![401, 403].includes(response.status))) {
      unread.abort();
      return new Response(null, { status: 202 });
    }
    const isListening = method === 'GET' && sent['accept'] === STREAM_TYPE;
    // A server need not offer a stream for what nobody has asked for, and says so in many ways.
    const isRefused = isListening && response.status >= 400 && sent['last-event-id'] === undefined;
    const status = isRefused ? 405 : response.status;
    const chunks = response.body ?? [];
    const type = (response.headers.get('content-type') ?? '').toLowerCase();
    const read = Object.fromEntries(
      READ_HEADERS.map((name) => [name, response.headers.get(name) ?? []]).filter(
        ([, value]) => typeof value === 'string',
      ),
    );
    const whole = { status: 200, headers: { ...read, 'content-type': STREAM_TYPE } };
    const isStream = isListening || type.startsWith(STREAM_TYPE);
    // With 202, the result may come on the stream that the client listens to.
    if (status >= 300 || (status === 202 && !isStream) || (id === undefined && !isListening)) {
      const said = await readStart(chunks, MAX_ERROR);
      if (status >= 400 && id !== undefined && pending.get(id) === 'tools/call' && isAnswer(said, status, id))
        return new Response((readMessages(said, pending, id) ?? []).map(eventOf).join(''), whole);
      if (status >= 300 && id !== undefined) pending.delete(id);
      return new Response([202, 204, 205].includes(status) ? null : said, { status, headers: read });
    }
    const events = eventsOf(chunks, isStream ? undefined : type, pending, id, sent['last-event-id']);
    return new Response(ReadableStream.from(events).pipeThrough(new TextEncoderStream()), whole);
  };
  return (given: string | URL, init: RequestInit = {}): Promise<Response> =>
    over !== undefined && jsonObjectIn(String(init.body))['method'] === 'server/discover'
      ? raceAbort(request(given, { ...init, signal: over }), init.signal ?? over)
      : request(given, init);
}

/** The codes of JSON-RPC for a method and for arguments that a server does not accept. */
const CALL_CODES: readonly unknown[] = [-32_601, -32_602];

/** True for the body of an error that answers the request with this id: some servers give it a status, too. */
function isAnswer(said: string, status: number, id: Id): boolean {
  const { id: answered, error } = jsonObjectIn(said);
  if (answered !== id || !isJsonObject(error)) return false;
  // With 404, the session is lost, and with the others, the user is refused or has to wait.
  return status === 404 ? CALL_CODES.includes(error['code']) : ![401, 403, 429].includes(status);
}

/** The reason why a body of this type, which is no stream, has no result. */
function reasonOf(body: string, type: string): string {
  if (body.trim() === '') return 'its answer is empty';
  return type.startsWith(JSON_TYPE) ? NO_JSON : `it answered with ${type}, perhaps a web page, instead of JSON`;
}

type Events = AsyncGenerator<string, void, void>;

const eventOf = (message: JSONRPCMessage): string => `data: ${JSON.stringify(message)}\n\n`;

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
    await raceAbort(transport.terminateSession(), AbortSignal.timeout(GRACE_MS)).catch(() => {});
    await close();
  };
  return transport;
}

function headersOf({ headers }: RequestInit, body: unknown): Record<string, string> {
  const form = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return { ...form, ...Object.fromEntries(new Headers(headers)) };
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The messages of a body as events that the library accepts; `type`: that of a body that is no stream. A request whose
 * answer is too large, or did not come before the end of a body that cannot be resumed, is answered with an error.
 * `after`: the event after which a stream goes on. The library forgets it if that stream ends before another event.
 */
async function* eventsOf(chunks: Chunks, type: string | undefined, pending: Pending, id?: Id, after?: string): Events {
  let events: string[] = after === undefined ? [] : [`id: ${after}\ndata:\n\n`];
  let length = 0;
  let isResumable = false;
  let isBroken = false;
  // Some servers send JSON as a stream.
  let plain: string | undefined = '';
  const add = (messages: readonly JSONRPCMessage[]): void => void events.push(...messages.map(eventOf));
  const unanswered = (): Id | undefined => (id !== undefined && pending.has(id) ? id : undefined);
  const parser = createParser({
    onEvent({ id: eventId, event, data }) {
      length = 0;
      plain = undefined;
      if (event === 'endpoint' && id !== undefined) add([failedAnswer(id, `it uses ${SSE_TRANSPORT}`, pending)]);
      if (eventId !== undefined) {
        isResumable = true;
        events.push(`id: ${eventId}\ndata:\n\n`);
      }
      add(readMessages(data, pending, unanswered()) ?? []);
    },
    onRetry: (milliseconds) => void events.push(`retry: ${milliseconds}\n\n`),
    onComment: () => {
      length = 0;
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      const text = decoder.decode(chunk, { stream: true });
      if (plain !== undefined) plain += text;
      if (type === undefined) parser.feed(text);
      const [first] = pending.keys();
      const large = length > MAX_MESSAGE ? (unanswered() ?? first) : undefined;
      if (large !== undefined) add([failedAnswer(large, TOO_LARGE, pending)]);
      if (events.length > 0) yield events.join('');
      if (length > MAX_MESSAGE) return;
      events = [];
    }
  } catch (error) {
    if (isResumable || unanswered() === undefined) throw error;
    isBroken = true;
  }
  if (type === undefined) parser.feed('\n\n');
  if (plain !== undefined) add(readMessages(plain, pending, id) ?? []);
  const open = isResumable ? undefined : unanswered();
  if (open !== undefined && pending.get(open) !== 'subscriptions/listen') {
    const reason = type === undefined || isBroken ? UNFINISHED : reasonOf(plain ?? '', type);
    add([failedAnswer(open, reason, pending)]);
  }
  yield events.join('');
}
