import type { AuthProvider, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createParser } from 'eventsource-parser';
import { raceAbort } from '../../../agent/async/abort.ts';
import { isJsonObject, type JsonObject, jsonObjectIn, jsonOr } from '../../../text/json/json.ts';
import { failedAnswer, type Id, NO_JSON, type Pending, readMessages, TOO_LARGE } from './read-messages.ts';
import type { Heard } from './stdio-transport.ts';

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
 * accepts them; a result that is too large becomes an error, of which not more than the limit is read.
 */
export function boundedFetch(url: URL, headers: Readonly<Record<string, string>>, send: SendHttp) {
  // A stream that is resumed does not name the request that it answers.
  const pending: Pending = new Map();
  return async (given: string | URL, { method = 'GET', body, signal, ...init }: RequestInit = {}) => {
    const target = new URL(given);
    const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined;
    const message = text === undefined ? undefined : jsonOr(undefined, text);
    const id = idOf(message, pending);
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
    const type = response.headers.get('content-type') ?? '';
    const read = READ_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const isStream = isListening || type.toLowerCase().startsWith(STREAM_TYPE);
    // With 202, the result may come on the stream that the client listens to.
    if (status >= 300 || (status === 202 && !isStream) || (id === undefined && !isListening)) {
      const said = await textOf(chunks, MAX_ERROR);
      if (status >= 400 && id !== undefined && pending.get(id) === 'tools/call' && isAnswer(said, status, id)) {
        const events = (readMessages(said, pending, id) ?? []).map(eventOf).join('');
        return new Response(events, { status: 200, headers: { 'content-type': STREAM_TYPE } });
      }
      if (status >= 300 && id !== undefined) pending.delete(id);
      return new Response([202, 204, 205].includes(status) ? null : said, { status, headers: read });
    }
    const events = isStream ? eventsOf(chunks, pending, id) : answerOf(chunks, type, pending, id);
    const whole = Object.fromEntries([...read, ['content-type', STREAM_TYPE]]);
    return new Response(streamOf(events), { status: 200, headers: whole });
  };
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

type BoundedFetch = ReturnType<typeof boundedFetch>;

/**
 * `fetch`, which tells the answer to the question for the revisions also if it arrives after the library has ceased to
 * wait for it.
 */
function hearingRevisions(fetch: BoundedFetch, { discovered, over }: Pick<Heard, 'discovered' | 'over'>): BoundedFetch {
  return async (url, init = {}) => {
    if (jsonObjectIn(String(init.body))['method'] !== 'server/discover') return fetch(url, init);
    const asked = fetch(url, { ...init, signal: over }).then((response) => {
      const [heard, used] = response.body?.tee() ?? [];
      if (heard !== undefined) tellResults(heard, discovered).catch(() => {});
      return new Response(used, response);
    });
    return raceAbort(asked, init.signal ?? over);
  };
}

/** Tells the results in a stream of the events of `boundedFetch`. */
async function tellResults(events: ReadableStream<Uint8Array>, tell: (result: JsonObject) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of events) {
    for (const line of decoder.decode(chunk).split('\n')) {
      const { result } = jsonObjectIn(line.replace(/^data: /, ''));
      if (isJsonObject(result)) tell(result);
    }
  }
}

/** The messages of a body that is not a stream, as events. */
async function* answerOf(chunks: Chunks, type: string, pending: Pending, id: Id | undefined): Events {
  const body = await textOf(chunks, MAX_MESSAGE + 1);
  const isJson = type.toLowerCase().startsWith(JSON_TYPE);
  const messages = Buffer.byteLength(body) > MAX_MESSAGE ? undefined : readMessages(body, pending, id);
  if (messages !== undefined) yield* messages.map(eventOf);
  else if (id !== undefined) yield eventOf(failedAnswer(id, reasonOf(body, isJson ? undefined : type), pending));
}

/** The reason why a body has no result. `type`: that of the body, if it is not JSON. */
function reasonOf(body: string, type: string | undefined): string {
  if (Buffer.byteLength(body) > MAX_MESSAGE) return TOO_LARGE;
  if (body.trim() === '') return 'its answer is empty';
  return type === undefined ? NO_JSON : `it answered with ${type}, a page for people perhaps, and not with JSON`;
}

type Events = AsyncGenerator<string, void, void>;

const eventOf = (message: JSONRPCMessage): string => `data: ${JSON.stringify(message)}\n\n`;

/** The id of the request in a message, which waits for an answer from now on. */
function idOf(message: unknown, pending: Pending): Id | undefined {
  const { id, method } = isJsonObject(message) ? message : {};
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  pending.set(id, method);
  return id;
}

/** The transport of the library over HTTP, with the tokens of a login. */
export async function openHttpTransport(
  url: URL,
  bounded: BoundedFetch,
  heard: Pick<Heard, 'discovered' | 'over'>,
  authProvider?: AuthProvider,
): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const fetch = hearingRevisions(bounded, heard);
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

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The text of a body, of which not more than a little over `limit` bytes are read. */
async function textOf(chunks: Chunks, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    texts.push(decoder.decode(chunk, { stream: true }));
    if (length >= limit) break;
  }
  return texts.join('') + decoder.decode();
}

/**
 * The events of a stream with the messages that the library accepts. A request whose answer is too large, or did not come
 * before the end of a stream that cannot be resumed, is answered with an error.
 */
async function* eventsOf(chunks: Chunks, pending: Pending, id: Id | undefined): Events {
  let events: string[] = [];
  let length = 0;
  let isResumable = false;
  // Some servers send JSON as a stream.
  let plain: string | undefined = '';
  const add = (messages: readonly JSONRPCMessage[]): void => void events.push(...messages.map(eventOf));
  const unanswered = (): Id | undefined => (id !== undefined && pending.has(id) ? id : undefined);
  const parser = createParser({
    onEvent({ id: eventId, data }) {
      length = 0;
      plain = undefined;
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
  const taken = (): string => {
    const text = events.join('');
    events = [];
    return text;
  };
  const decoder = new TextDecoder();
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      const text = decoder.decode(chunk, { stream: true });
      if (plain !== undefined) plain += text;
      parser.feed(text);
      yield taken();
      if (length <= MAX_MESSAGE) continue;
      const [first] = pending.keys();
      const large = unanswered() ?? first;
      if (large !== undefined) add([failedAnswer(large, TOO_LARGE, pending)]);
      return yield taken();
    }
  } catch (error) {
    if (isResumable || unanswered() === undefined) throw error;
  }
  parser.feed('\n\n');
  if (plain !== undefined) add(readMessages(plain, pending, id) ?? []);
  const open = isResumable ? undefined : unanswered();
  if (open !== undefined && pending.get(open) !== 'subscriptions/listen')
    add([failedAnswer(open, UNFINISHED, pending)]);
  yield taken();
}

/** A stream of texts, whose end never rejects: the one who has cancelled it does not wait for it. */
function streamOf(texts: Events): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      texts.return().catch(() => {});
    },
  });
}
