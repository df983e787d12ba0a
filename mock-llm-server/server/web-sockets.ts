import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Hono } from 'hono';
import type { SendRequest } from './responses-socket.ts';

/**
 * Limits of a connection: a message about as large as a body, which may come in many small parts, and the time that a
 * client has to answer the end of the connection, before it is cut.
 */
const LIMITS = {
  maxPayload: 32 * 1024 * 1024,
  maxFragments: 256 * 1024,
  maxPendingAutoPongs: 16 * 1024,
  closeTimeout: 1000,
};

/** Headers of a connection and its handshake, which the requests of its messages do not have. */
const OF_CONNECTION = /^(?:connection|upgrade|host|content-.*|transfer-encoding|accept-encoding|sec-websocket-.*)$/;

/** Reports whether a request asks for a WebSocket of the Responses API. */
export function isResponsesSocket({ method, url = '', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1);
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && path.endsWith('/responses');
}

/** Opens the WebSocket of a request. The first one loads the library. */
export async function openSocket(app: Hono, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  socket.on('error', () => socket.destroy());
  const [{ WebSocketServer }, { serveResponses }] = await Promise.all([import('ws'), import('./responses-socket.ts')]);
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, ...LIMITS });
  server.handleUpgrade(request, socket, head, (client) => serveResponses(client, sender(app, request)));
}

/** Ends a request for a protocol that the server does not have, on versions of Node that cannot ignore it. */
export function refuseUpgrade(socket: Duplex): void {
  const status = 426;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nupgrade: HTTP/1.1\r\nconnection: upgrade, close\r\n\r\n`);
}

function sender(app: Hono, { url = '', headers }: IncomingMessage): SendRequest {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value !== 'string' || OF_CONNECTION.test(name) ? [] : [[name, value] as const],
  );
  const sent = { ...Object.fromEntries(kept), 'content-type': 'application/json' };
  return async (body, binding) => {
    const request = new Request(new URL(url, 'http://127.0.0.1'), {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(body),
    });
    return app.fetch(request, binding);
  };
}
