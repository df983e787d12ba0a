import { once } from 'node:events';
import http from 'node:http';
import type { Address } from '../../tooling/real/real-server.ts';

/** A request to the server and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request: string;
  /** The status of the answer; 0 until it begins. */
  status: number;
  response: string;
}

/** A proxy between ybs and a server, which keeps what both say. */
export interface Tap {
  /** The address of the server through the tap. */
  readonly address: Address;
  readonly exchanges: readonly Exchange[];
  /** The exchanges that ask for an answer, in order. */
  answers(): readonly Exchange[];
  /** Passes the next answer up to the end of the event that completes this text; the rest never arrives. */
  holdAfter(text: string): void;
  /** Refuses connections, as a port does on which nothing listens, and ends those that are open. */
  close(): Promise<void>;
  /** Listens again, on the same port, in front of this address. */
  open(next: Address): Promise<void>;
}

/** Starts a tap in front of an address. It listens on this machine only. */
export async function startTap(address: Address): Promise<Tap> {
  let target = new URL(address.endpoint);
  const exchanges: Exchange[] = [];
  let hold: string | undefined;
  let server: http.Server;
  let port = 0;
  const handle: http.RequestListener = (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    incoming.on('end', () => {
      const exchange: Exchange = { method, path: url, request: body, status: 0, response: '' };
      exchanges.push(exchange);
      const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers;
      const options = {
        host: target.hostname,
        port: target.port,
        path: url,
        method,
        headers: { ...kept, 'content-length': Buffer.byteLength(body), 'accept-encoding': 'identity' },
        agent: false,
      };
      let held = false;
      const upstream = http.request(options, (answer) => {
        exchange.status = answer.statusCode ?? 502;
        outgoing.writeHead(exchange.status, answer.headers);
        const separator = answer.headers['content-type']?.startsWith('text/event-stream') ? /\r?\n\r?\n/g : /\n/g;
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          const before = exchange.response.length;
          exchange.response += text;
          if (held) return;
          const end = hold === undefined ? undefined : endOfEvent(exchange.response, hold, separator);
          // A whole answer may arrive in one piece.
          outgoing.write(end === undefined ? text : exchange.response.slice(before, end));
          if (end === undefined) return;
          hold = undefined;
          held = true;
        });
        answer.on('end', () => (held ? undefined : outgoing.end()));
        answer.on('error', () => outgoing.destroy());
      });
      upstream.on('error', () => outgoing.destroy());
      outgoing.on('close', () => upstream.destroy());
      upstream.end(body);
    });
  };
  const open = async (next: Address): Promise<void> => {
    target = new URL(next.endpoint);
    server = http.createServer(handle);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const listening = server.address();
    if (listening !== null && typeof listening !== 'string') port = listening.port;
  };
  await open(address);
  const endpoint = new URL(address.endpoint);
  endpoint.port = String(port);
  return {
    address: { ...address, endpoint: endpoint.href.replace(/\/$/, '') },
    exchanges,
    answers: () =>
      exchanges.filter(
        ({ method, path }) => method === 'POST' && /\/(completions|responses|messages|chat)$/.test(path),
      ),
    holdAfter: (text) => {
      hold = text;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    open,
  };
}

/** The end of the event that contains a text; undefined until all of it is there. */
function endOfEvent(response: string, text: string, separator: RegExp): number | undefined {
  const found = response.indexOf(text);
  separator.lastIndex = Math.max(found, 0);
  return found !== -1 && separator.test(response) ? separator.lastIndex : undefined;
}
