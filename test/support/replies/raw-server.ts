import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A request. Names of headers are in lower case. */
export interface RawRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The bytes of a response, head included. */
export interface RawReply {
  /** Each piece is sent in a separate turn of the event loop. */
  readonly pieces: Iterable<string | Uint8Array>;
  /** The state of the connection afterwards: `open` for ever, so that further requests may follow, or ended. */
  readonly afterwards: 'open' | 'close' | 'reset';
}

/** A server of bytes. */
export interface RawServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The requests for an answer, which are those with POST, in their order. */
  readonly requests: readonly RawRequest[];
  /** Number of connections that the client has not closed. */
  openConnections(): number;
}

/**
 * Starts a server that writes the bytes of replies to a socket, without a library for HTTP between. `replyTo` gets a
 * POST request and its number, from 1. Requests with GET, and those of Ollama for a model, are not found unless
 * `replyToOther` has an answer. It is also a proxy, for which it is the server itself. The server is closed after the test.
 */
export async function startRawServer(
  replyTo: (request: RawRequest, number: number) => RawReply | Promise<RawReply>,
  replyToOther: (request: RawRequest) => RawReply | undefined = () => undefined,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    void answerAll(socket, (request) => {
      if (request.method === 'CONNECT') return TUNNEL;
      const isOther = request.method === 'GET' || /\/api\/(?:show|ps)$/.test(request.path);
      if (isOther) return replyToOther(request) ?? NOT_FOUND;
      requests.push(request);
      return replyTo(request, requests.length);
    }).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`the server listens on ${address}`);
  return { url: `http://127.0.0.1:${address.port}`, requests, openConnections: () => sockets.size };
}

async function answerAll(socket: Socket, reply: (request: RawRequest) => RawReply | Promise<RawReply>): Promise<void> {
  let received = Buffer.alloc(0);
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes]);
    for (let read = readRequest(received); read !== undefined; read = readRequest(received)) {
      received = received.subarray(read.length);
      const { pieces, afterwards } = await reply(read.request);
      for (const piece of pieces) {
        if (socket.destroyed) return;
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
        await nextTurn();
      }
      if (afterwards === 'close') socket.end();
      if (afterwards === 'reset') socket.resetAndDestroy();
    }
  }
}

function readRequest(bytes: Buffer): { readonly request: RawRequest; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const start = end + 4;
  const length = start + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return undefined;
  return { request: { method, path, headers, body: bytes.subarray(start, length).toString() }, length };
}

/** The reply of a proxy, after which the requests follow on the same connection. */
const TUNNEL: RawReply = { pieces: ['HTTP/1.1 200 OK\r\n\r\n'], afterwards: 'open' };

const NOT_FOUND = jsonReply({ detail: 'Not Found' }, { status: 404 });

/** Properties of a response. */
interface ReplyOptions {
  readonly status?: number;
  /** The media type; that of the helper when absent. An empty text sends no `content-type`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: the connection ends the body, as in HTTP/1.0, instead of chunks. */
  readonly keepAlive?: boolean;
  /** The state of the connection afterwards; with chunks, `open`, without, `close`. */
  readonly afterwards?: RawReply['afterwards'];
  /** True: the server ends neither the body nor the connection. */
  readonly unended?: boolean;
}

/** A response whose body is sent piece by piece. */
export function pieceReply(pieces: Iterable<string | Uint8Array>, options: ReplyOptions = {}): RawReply {
  const { status = 200, type = 'text/event-stream', headers = {}, keepAlive = true, unended = false } = options;
  const head = [
    `HTTP/1.1 ${status} Reply`,
    ...(type === '' ? [] : [`content-type: ${type}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    keepAlive ? 'connection: keep-alive\r\ntransfer-encoding: chunked' : 'connection: close',
  ];
  function* bytes(): Generator<string | Uint8Array> {
    yield `${head.join('\r\n')}\r\n\r\n`;
    for (const piece of pieces) {
      const content = Buffer.from(piece);
      if (content.length === 0) continue;
      yield keepAlive ? Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, CRLF]) : content;
    }
    if (keepAlive && !unended) yield '0\r\n\r\n';
  }
  return {
    pieces: { [Symbol.iterator]: bytes },
    afterwards: options.afterwards ?? (keepAlive || unended ? 'open' : 'close'),
  };
}

const CRLF = Buffer.from('\r\n');

/** A response with one JSON value. */
export function jsonReply(value: unknown, options: ReplyOptions = {}): RawReply {
  return pieceReply([JSON.stringify(value)], { type: 'application/json', ...options });
}
