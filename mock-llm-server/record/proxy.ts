import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { Connection } from '../delivery/deliver.ts';
import { isLoopbackOrigin } from '../server/access.ts';
import { connectionOf, decodeBody, describeHttp, readBytes } from '../server/read-request.ts';
import { errorText } from '../text.ts';
import type { Wire, WireError, WireRequest } from '../wire/wire.ts';
import { ownerOf, refuseAs } from '../wire/wires.ts';
import type { PendingRequest, Recorder } from './recorder.ts';
import type { Replay } from './replay.ts';
import {
  isReset,
  returnedHeaders,
  sendUpstream,
  type Upstream,
  upstreamHeaders,
  upstreamPath,
  wireOf,
} from './upstream.ts';

/** Ports of a recording proxy. */
export interface ProxyOptions {
  readonly upstream: Upstream;
  readonly recorder: Recorder;
  /** Answers a request in place of the upstream; undefined to forward it. */
  /** The story that answers the first requests, which are recorded like the others. */
  readonly replay?: Pick<Replay, 'answer'> | undefined;
  readonly answerLocally?: (wire: Wire, request: WireRequest, context: Context) => Promise<Response> | undefined;
}

/**
 * Creates a server that forwards every request to the upstream and records it. The body of a response passes through
 * byte for byte and piece by piece: a slow client slows the upstream down, and one that leaves ends its request.
 */
export function createRecordingProxy(options: ProxyOptions): Hono {
  const app = new Hono();
  app.all('*', (context) => forward(context, wireOf(describeHttp(context)), options));
  return app;
}

async function forward(context: Context, wire: Wire | undefined, options: ProxyOptions): Promise<Response> {
  const head = describeHttp(context);
  const refusal = refusalOf(head);
  if (refusal !== undefined) return refuse(head, refusal);
  const bytes = await readBytes(context.req.raw);
  // The rest of the body is not read, so the connection cannot serve another request.
  if (bytes === undefined)
    return refuse(head, { status: 413, message: 'The request is too large.', headers: { connection: 'close' } });
  const body = await decodeBody(bytes, head.headers['content-encoding']?.trim().toLowerCase() ?? '');
  const request = { ...head, body: typeof body === 'string' ? body : '' };
  const local = wire === undefined ? undefined : options.answerLocally?.(wire, request, context);
  return local ?? passOn({ request, bytes, wire, url: new URL(context.req.url), ...connectionOf(context) }, options);
}

/** Only programs may use the proxy, because it may add a key, and no page of another site. */
function refusalOf({ headers }: WireRequest): Refusal | undefined {
  const { origin, upgrade } = headers;
  if (upgrade?.toLowerCase() === 'websocket') {
    return {
      status: 426,
      message: 'WebSockets are not recorded. Send a POST request.',
      headers: { upgrade: 'HTTP/1.1' },
    };
  }
  if (origin === undefined || isLoopbackOrigin(origin)) return undefined;
  return { status: 403, message: 'Pages of other sites may not use this server.' };
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refuse(request: WireRequest, { status, message, headers = {} }: Refusal): Response {
  const error: WireError = { type: 'error', status, code: null, message };
  const response = refuseAs(request, error);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

interface ForwardedRequest extends Connection {
  readonly request: WireRequest;
  readonly bytes: Uint8Array;
  readonly wire: Wire | undefined;
  readonly url: URL;
}

async function passOn(forwarded: ForwardedRequest, { upstream, recorder, replay }: ProxyOptions): Promise<Response> {
  const { request, bytes, wire, url, signal, reset } = forwarded;
  const pending = recorder.begin(wire, request);
  if (wire !== undefined && replay !== undefined) {
    const { number } = pending;
    const { headers, body } = request;
    const replayed = await replay.answer({ number, url: url.href, headers, body, signal });
    if (replayed !== undefined) return recordReplayed(replayed, pending, forwarded);
  }
  const protocol = (wire ?? ownerOf(request)).protocol;
  const headers = upstreamHeaders(request.headers, upstream, protocol);
  const query = upstream.key === undefined ? url.search : withoutKey(url.search);
  const path = upstreamPath(upstream.url.pathname, url.pathname) + query;
  let response: IncomingMessage;
  try {
    response = await sendUpstream(upstream, { method: request.method, path, headers, body: bytes }, signal);
  } catch (error) {
    if (signal.aborted) {
      pending.end('client_left');
      return new Response(null);
    }
    if (isReset(error) && reset !== undefined) {
      pending.end('reset');
      reset();
      await untilGone(signal);
      return new Response(null);
    }
    pending.end('unreachable');
    const message = `The upstream ${upstream.url.host} cannot be reached: ${errorText(error)}.`;
    return refuse(request, { status: 502, message });
  }
  const status = response.statusCode ?? 502;
  const pairs = returnedHeaders(response);
  pending.respond(status, Object.fromEntries(pairs));
  const hasBody = request.method !== 'HEAD' && status !== 204 && status !== 304 && status >= 200;
  if (!hasBody) {
    response.resume();
    pending.end('complete');
    return new Response(null, { status, headers: pairs });
  }
  const stop = () => void response.destroy();
  const body = streamOf(response[Symbol.asyncIterator](), stop, pending, { reset, signal });
  return new Response(body, { status, headers: pairs });
}

/** The answer of a story, recorded as if it came from the upstream. */
function recordReplayed(response: Response, pending: PendingRequest, connection: Connection): Response {
  const { status, headers } = response;
  pending.respond(status, Object.fromEntries(headers));
  if (response.body === null) {
    pending.end('complete');
    return response;
  }
  const chunks = response.body.values();
  const stop = () => void chunks.return?.().catch(() => {});
  return new Response(streamOf(chunks, stop, pending, connection), { status, headers });
}

function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** The query without the key of the client, in whose place the proxy sends its own. */
function withoutKey(search: string): string {
  const rest = search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('key='));
  return search === '' || rest.length === 0 ? '' : `?${rest.join('&')}`;
}

/** The body of a response, which the recording receives as it passes. */
function streamOf(
  chunks: AsyncIterator<Uint8Array>,
  stop: () => void,
  pending: PendingRequest,
  { reset }: Connection,
): ReadableStream<Uint8Array> {
  let isLeft = false;
  // What is recorded is read after the client has its last byte.
  const end = (how: Parameters<PendingRequest['end']>[0]) => void setImmediate(() => pending.end(how));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (isLeft) return;
          if (done === true) {
            controller.close();
            end('complete');
            return;
          }
          pending.receive(value);
          controller.enqueue(value);
        } catch (error) {
          if (isLeft) return;
          end('reset');
          if (reset === undefined) controller.error(error);
          else reset();
        }
      },
      cancel() {
        isLeft = true;
        stop();
        end('client_left');
      },
    },
    { highWaterMark: 0 },
  );
}
