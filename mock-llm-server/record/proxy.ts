import { type Context, Hono } from 'hono';
import { parseJson } from '../conversation/json.ts';
import { untilGone } from '../delivery/deliver.ts';
import { isLoopbackOrigin } from '../server/access.ts';
import { connectionOf, decodeBody, describeHttp, readBytes } from '../server/read-request.ts';
import type { SocketBinding } from '../server/responses-socket.ts';
import { errorText } from '../text.ts';
import type { Wire, WireRequest } from '../wire/wire.ts';
import { ownerOf, refuseAs } from '../wire/wires.ts';
import { wireOf } from './answer-path.ts';
import type { Recorder } from './recorder.ts';
import { isReset, returnedHeaders, sendUpstream, type Upstream, upstreamHeaders, upstreamPath } from './upstream.ts';
import { createUpstreamSockets, type UpstreamSockets } from './upstream-socket.ts';

/** Ports of a recording proxy. */
export interface ProxyOptions {
  readonly upstream: Upstream;
  readonly recorder: Recorder;
  /** Answers a request in place of the upstream; undefined to forward it. */
  readonly answerLocally?:
    | ((wire: Wire, request: WireRequest, context: Context) => Promise<Response> | undefined)
    | undefined;
}

/**
 * Creates a server that forwards every request to the upstream and records it. The body of a response passes through
 * byte for byte and piece by piece: a slow client slows the upstream down, and one that leaves ends its request.
 */
export function createRecordingProxy(options: ProxyOptions): Hono {
  const app = new Hono();
  const sockets = createUpstreamSockets(options.upstream);
  app.all('*', (context) => forward(context, options, sockets));
  return app;
}

async function forward(
  context: Context,
  { upstream, recorder, answerLocally }: ProxyOptions,
  sockets: UpstreamSockets,
): Promise<Response> {
  const head = describeHttp(context);
  const wire = wireOf(head);
  const { origin, upgrade } = head.headers;
  if (upgrade?.toLowerCase() === 'websocket') {
    return refuse(head, 426, 'WebSockets of this path are not recorded. Send a POST request.', { upgrade: 'HTTP/1.1' });
  }
  // Only programs may use the proxy, because it may add a key, and no page of another site.
  if (origin !== undefined && !isLoopbackOrigin(origin)) {
    return refuse(head, 403, 'Pages of other sites may not use this server.');
  }
  const bytes = await readBytes(context.req.raw);
  // The rest of the body is not read, so the connection cannot serve another request.
  if (bytes === undefined) return refuse(head, 413, 'The request is too large.', { connection: 'close' });
  const body = await decodeBody(bytes, head.headers['content-encoding']?.trim().toLowerCase() ?? '');
  const request = { ...head, body: typeof body === 'string' ? body : '' };
  const local = wire && answerLocally?.(wire, request, context);
  if (local !== undefined) return local;
  const connection = connectionOf(context);
  const { signal, reset } = connection;
  const send = async () => {
    const { method } = request;
    const url = new URL(context.req.url);
    const headers = upstreamHeaders(request.headers, upstream, (wire ?? ownerOf(request)).protocol);
    const query = upstream.key === undefined ? url.search : withoutKey(url.search);
    const path = upstreamPath(upstream.url.pathname, url.pathname) + query;
    const socket = socketOf(context);
    if (socket !== undefined) {
      const { client, lane } = socket;
      const json = Object(parseJson(request.body));
      const answer = await sockets.send(client, { path, headers, body: json, lane }, signal);
      // An upstream without WebSockets gets a request over HTTP.
      if (answer !== undefined) return answer;
    }
    const response = await sendUpstream(upstream, { method, path, headers, body: bytes }, signal);
    const { statusCode: status = 502 } = response;
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304 && status >= 200;
    if (!hasBody) response.resume();
    return { status, headers: returnedHeaders(response), body: hasBody ? response : null };
  };
  try {
    const { status, headers, body } = await recorder.exchange({ wire, request, connection }, send);
    return new Response(body && ReadableStream.from(body), { status, headers });
  } catch (error) {
    if (signal.aborted) return new Response(null);
    if (!isReset(error) || reset === undefined) {
      return refuse(request, 502, `The upstream ${upstream.url.host} cannot be reached: ${errorText(error)}.`);
    }
    reset();
    await untilGone(signal);
    return new Response(null);
  }
}

/** The WebSocket of a client whose message a request is; undefined for a request over HTTP. */
function socketOf({ env }: Context): Pick<SocketBinding, 'client' | 'lane'> | undefined {
  const { client, lane }: Partial<SocketBinding> = env ?? {};
  return client === undefined || lane === undefined ? undefined : { client, lane };
}

/** The query without the key of the client, in whose place the proxy sends its own. */
function withoutKey(search: string): string {
  const rest = search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('key='));
  return search === '' || rest.length === 0 ? '' : `?${rest.join('&')}`;
}

function refuse(
  request: WireRequest,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const response = refuseAs(request, { type: 'error', status, code: null, message });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
