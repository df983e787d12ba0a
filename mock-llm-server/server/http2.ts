import { createServer, type Http2Server } from 'node:http2';
import { Duplex } from 'node:stream';
import { getRequestListener, type ServerType } from '@hono/node-server';

/** Answers a request that came over a connection. */
export type Fetch = Parameters<typeof getRequestListener>[0];

/** The first bytes of a connection for HTTP/2. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** The failure of Node's parser of HTTP/1 at the end of the preface. */
interface PrefaceError extends Error {
  /** Bytes of `rawPacket` that belong to the preface. */
  readonly bytesParsed: number;
  readonly rawPacket: Buffer;
}

function isPrefaceError(error: Error): error is PrefaceError {
  return 'code' in error && error.code === 'HPE_PAUSED_H2_UPGRADE';
}

/** Serves HTTP/2 without TLS. */
export interface Http2Door {
  /** Ends every connection. */
  close(): void;
}

/**
 * Also serves connections of `server` that begin with the preface of HTTP/2, as the client of Amazon for Node.js opens
 * them. The parser of HTTP/1 finds the preface, so that other connections cost nothing more.
 */
export function serveHttp2(server: ServerType, fetch: Fetch): Http2Door {
  let http2: Http2Server | undefined;
  const connections = new Set<Duplex>();
  server.on('clientError', (error: Error, socket: Duplex) => {
    if (!isPrefaceError(error)) return refuse(error, socket);
    http2 ??= createServer({}, getRequestListener(withoutConnection(fetch), { overrideGlobalObjects: false }));
    const connection = takeOver(socket, Buffer.concat([PREFACE, error.rawPacket.subarray(error.bytesParsed)]));
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    http2.emit('connection', connection);
  });
  return {
    close() {
      for (const connection of connections) connection.destroy();
    },
  };
}

/** Headers of a response that describe a connection of HTTP/1, which HTTP/2 forbids. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];

function withoutConnection(fetch: Fetch): Fetch {
  return async (request, env) => {
    const response = await fetch(request, env);
    if (response instanceof Response) for (const name of OF_CONNECTION) response.headers.delete(name);
    return response;
  };
}

/** Answers bytes that are not HTTP, as Node does without a listener. */
function refuse(error: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) return void socket.destroy();
  const isLarge = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
  const status = isLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

/**
 * The connection of a socket whose first bytes were read. HTTP/2 on the socket itself would share its handle with the
 * parser of HTTP/1, which has it already.
 */
function takeOver(socket: Duplex, first: Buffer): Duplex {
  // The server lets go of the connection, which it would end after the time it allows for headers.
  socket.emit('close');
  for (const name of ['data', 'end', 'close', 'error', 'drain', 'timeout']) socket.removeAllListeners(name);
  const connection = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (!connection.push(chunk)) socket.pause();
  });
  socket.on('end', () => connection.push(null));
  socket.on('error', (error) => connection.destroy(error));
  socket.on('close', () => connection.destroy());
  connection.push(first);
  return connection;
}
