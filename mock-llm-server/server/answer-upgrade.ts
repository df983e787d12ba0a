import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { openaiResponses } from '../wire/openai/responses.ts';
import { DEFAULT_WIRE, WIRES } from '../wire/wires.ts';

/**
 * Options of a server whose upgrades are answered here: newer Node.js then leaves out what is no WebSocket by itself,
 * and must, as it keeps the body of such a request to itself.
 */
export const UPGRADE_OPTIONS: ServerOptions & { readonly shouldUpgradeCallback: typeof isWebSocket } = {
  shouldUpgradeCallback: isWebSocket,
};

/**
 * Answers requests to leave HTTP, which never reach the app. A WebSocket is refused at once, as clients wait for long
 * or try again when they get anything but a 426 where a provider has one; any other protocol is an offer that a server
 * may pass over, so the request is served as if it had none.
 */
export function answerUpgrades(server: EventEmitter): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isWebSocket(request)) return serveAsPlain(server, request, socket, head);
    // A client that goes away while it is refused is no failure of the server.
    socket.on('error', () => socket.destroy());
    socket.end(refusalOf(request), () => socket.destroy());
  });
}

function isWebSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** The whole answer to a WebSocket handshake, with its head. */
function refusalOf({ method = 'GET', url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?', 1);
  const isResponses = openaiResponses.paths.includes(path);
  const wire = WIRES.find(({ owns }) => owns(path)) ?? DEFAULT_WIRE;
  const error = isResponses
    ? { status: 426, code: 'websocket_not_supported', message: 'WebSockets are not served here. Send a POST request.' }
    : { status: 404, code: 'unknown_url', message: `Unknown request URL: ${method} ${path}.` };
  const body = JSON.stringify(wire.encodeError({ type: 'error', ...error }));
  const head = [
    isResponses ? 'HTTP/1.1 426 Upgrade Required' : 'HTTP/1.1 404 Not Found',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-should-retry: false',
    // A 426 must name a protocol to upgrade to; the only one there is, is the one in use.
    ...(isResponses ? ['upgrade: HTTP/1.1', 'connection: upgrade, close'] : ['connection: close']),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Gives the connection back to the server with the same request, less the offer. */
function serveAsPlain(server: EventEmitter, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    // Without the option in `Connection` the offer means nothing any more.
    const value = rawHeaders[at + 1]?.replace(name.toLowerCase() === 'connection' ? /\bupgrade\b,?/i : '', '');
    lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
