import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import process from 'node:process';
import { type Duplex, duplexPair, type Writable } from 'node:stream';
import type { AskedHost } from '../../../agent/ports/shell.ts';
import { foldHost, HOST_REFUSALS, matchHost, unknownProxy } from '../../../policy/sandbox/hosts.ts';
import { type UpstreamProxy, upstreamProxy } from '../../http/upstream-proxy.ts';
import { MAX_SESSION_MEGABYTES } from './bridge.ts';
import { connectThrough } from './connect-through.ts';
import { createTurns, lookUp } from './look-up.ts';
import { isPublicAddress } from './public-address.ts';
import { readExactly, readSocksRequest } from './socks.ts';

/** The hosts that a command may reach. */
export interface GrantedHosts {
  /** Those of the user's configuration. One that is named exactly may be a machine nearby. */
  readonly configured: readonly string[];
  /** Those that the user has granted at questions. */
  readonly granted: readonly string[];
}

/** Ports of the proxy that tests replace. */
export interface HostProxyPorts {
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Connects to the first of the addresses of the host that answers. */
  readonly connect: (host: string, addresses: readonly string[], port: number) => net.Socket;
  /** The proxy of the user's network that leads to the host. */
  readonly upstream: (host: string, port: number) => UpstreamProxy | undefined;
}

const MACHINE: HostProxyPorts = {
  resolve: lookUp,
  connect: (host, addresses, port) =>
    net.connect({
      ...{ host, port, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS },
      lookup: (_host, _options, found) => {
        found(
          null,
          addresses.map((address) => ({ address, family: net.isIP(address) })),
        );
      },
    }),
  upstream: (host, port) => upstreamProxy(host, port, process.env),
};

/** The time after which the next address of a name is tried. */
const NEXT_ADDRESS_MS = 2000;

export interface HostProxy {
  /** Serves the connections that arrive on the descriptor of the bridge, and closes all of them when it closes. */
  serve(channel: Duplex): void;
  /** The servers that the command asked for so far, each with the same answer once. */
  connections(): readonly AskedHost[];
}

/** The form of a name or an address that can be looked up: no other reaches the resolver. */
const NAME = /^[\w-]+(?:\.[\w-]+)*$|^[\da-f:.]*:[\da-f:.]*$/;

/** At most this many servers to which a command was connected are reported, and as many refused ones. */
const MAX_REPORTED = 200;

/** The number of names that are looked up at once for a command. */
const MAX_LOOKUPS = 8;

/**
 * Creates the proxy of one command, which speaks HTTP and SOCKS 5. It checks each name itself, whatever the bridge
 * does, and each address after it has resolved the name, and connects to the address that it has checked.
 */
export function createHostProxy(hosts: GrantedHosts, replaced: Partial<HostProxyPorts> = {}): HostProxy {
  const ports = { ...MACHINE, ...replaced };
  const seen = { connected: new Map<string, AskedHost>(), refused: new Map<string, AskedHost>() };
  // Many refused servers must not hide one to which the command was connected.
  const record = (connection: AskedHost): void => {
    const list = connection.refused === undefined ? seen.connected : seen.refused;
    if (list.size < MAX_REPORTED) list.set(JSON.stringify(connection), connection);
  };
  const ended = new AbortController();
  const inTurn = createTurns(MAX_LOOKUPS);
  const lookups = new Map<string, Promise<readonly string[]>>();
  const resolve = (host: string): Promise<readonly string[]> => {
    const running =
      lookups.get(host) ??
      inTurn(async () => (ended.signal.aborted ? [] : ports.resolve(host, ended.signal)))
        .catch(() => [])
        .finally(() => lookups.delete(host));
    lookups.set(host, running);
    return running;
  };

  /** Connects a client to a server; the reason if that is not allowed, or fails. The end of the client ends it. */
  const open: OpenServer = async (client, written, port) => {
    const host = foldHost(written);
    const refuse = (refused: string): string => {
      // The model and the user read it: text of the command must not look like text of ybs.
      record({ host: host.replace(/[^\w.:-]/g, '?') || 'an unreadable address', port, refused });
      return refused;
    };
    const match = matchHost(host, [...hosts.configured, ...hosts.granted]);
    if (match === 'none' || !NAME.test(host)) return refuse(HOST_REFUSALS.notGranted);
    const addresses = await resolve(host);
    const isNearby = matchHost(host, hosts.configured) === 'exact';
    const isPublic = addresses.every((each) => isPublicAddress(each));
    // A network with a proxy often resolves only its own names, and the proxy the others.
    const upstream = isPublic ? ports.upstream(host, port) : undefined;
    if (addresses.length === 0 && upstream === undefined) return refuse(HOST_REFUSALS.unresolved);
    if (!isNearby && !isPublic) return refuse(HOST_REFUSALS.notPublic);
    if (upstream !== undefined && 'unknownIn' in upstream) return refuse(unknownProxy(upstream.unknownIn));
    const connecting: Promise<Duplex> =
      upstream === undefined
        ? connectTo(client, () => ports.connect(host, addresses, port))
        : unlessLeft(client, (signal) => connectThrough(upstream, { host, port }, { signal }));
    const socket = await connecting.catch(() => undefined);
    if (socket === undefined) return refuse(upstream === undefined ? HOST_REFUSALS.failed : HOST_REFUSALS.byProxy);
    record({ host, port });
    return socket;
  };

  const server = http.createServer((request, response) => {
    forward(request, response, open).catch(() => response.destroy());
  });
  server.on('connect', (request: http.IncomingMessage, client: Duplex, head: Uint8Array) => {
    const [, host = '', port = 0] = /^(\[[^\]]+\]|[^:@/]+):(\d{1,5})$/.exec(request.url ?? '') ?? [];
    void open(client, host, Number(port)).then((socket) => {
      if (typeof socket === 'string') {
        client.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nx-proxy-error: ${host} ${socket}\r\n\r\n`);
        return;
      }
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.write(head);
      join(client, socket);
    });
  });
  server.on('clientError', (_error, client) => client.destroy());

  const serveClient = async (client: Duplex): Promise<void> => {
    const first = await readExactly(client, 1);
    client.unshift(first);
    if (first[0] !== 5) {
      // A stream of HTTP/2 mixes up the texts that the server of HTTP writes together; a pair passes on bytes alone.
      const [inner, outer] = duplexPair();
      join(client, outer);
      // The server destroys a connection that it cannot read or answer completely, without telling the other side.
      inner.on('close', () => {
        if (!inner.writableFinished) outer.destroy();
      });
      outer.on('close', () => inner.destroy());
      server.emit('connection', inner);
      return;
    }
    const request = await readSocksRequest(client);
    if (request === undefined) return;
    const socket = await open(client, request.host, request.port);
    request.reply(typeof socket === 'string' ? 'refused' : 'connected');
    if (typeof socket === 'string') client.end();
    else join(client, socket);
  };

  return {
    serve(channel) {
      const sessions = http2.createServer({
        settings: { maxConcurrentStreams: 4000, enableConnectProtocol: true },
        ...MANY_STREAMS,
      });
      sessions.on('sessionError', () => {});
      sessions.on('stream', (stream) => {
        stream.on('error', () => {});
        // A client may have left before its stream is reported, and an answer to nobody would end ybs.
        if (stream.destroyed || stream.closed) return;
        stream.respond({ ':status': 200 });
        serveClient(stream).catch(() => stream.destroy());
      });
      channel.on('error', () => {});
      channel.on('close', () => {
        ended.abort();
        server.close(() => {});
      });
      sessions.emit('connection', channel);
    },
    connections: () => [...seen.connected.values(), ...seen.refused.values()],
  };
}

/**
 * The defaults of Node.js end all connections after a hundred that one burst has refused, or a thousand that clients
 * have cancelled. A package manager may do both.
 */
const MANY_STREAMS: http2.ServerOptions = {
  maxSessionMemory: MAX_SESSION_MEGABYTES,
  maxSessionRejectedStreams: 2 ** 31 - 1,
  streamResetBurst: 2 ** 31 - 1,
  streamResetRate: 2 ** 31 - 1,
};

type OpenServer = (client: Writable, host: string, port: number) => Promise<Duplex | string>;

/**
 * Connects, and rejects if that fails, such as for a port that does not exist. A client that leaves ends the
 * connection, also before it exists: ybs would otherwise wait for it when it exits.
 */
async function connectTo(client: Writable, connect: () => net.Socket): Promise<net.Socket> {
  if (client.destroyed) throw new Error(CLIENT_LEFT);
  const socket = connect();
  socket.on('error', () => {});
  const leave = (): void => void socket.destroy(new Error(CLIENT_LEFT));
  client.once('close', leave);
  await once(socket, 'connect');
  client.off('close', leave);
  return socket;
}

/** Ends an attempt to connect when the client leaves. */
async function unlessLeft(client: Writable, attempt: (signal: AbortSignal) => Promise<Duplex>): Promise<Duplex> {
  if (client.destroyed) throw new Error(CLIENT_LEFT);
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  client.once('close', leave);
  try {
    return await attempt(controller.signal);
  } finally {
    client.off('close', leave);
  }
}

const CLIENT_LEFT = 'The client left.';

/** Sends a request for an address with `http:` to its server, and its answer back. */
async function forward(request: http.IncomingMessage, response: http.ServerResponse, open: OpenServer): Promise<void> {
  const url = request.url?.startsWith('http://') === true ? request.url : undefined;
  const { host, port } = targetOf(url);
  const socket = await open(response, host, port);
  if (typeof socket === 'string') {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`The sandbox refused ${host}: ${socket}.\n`);
    return;
  }
  const { pathname, search, host: authority } = new URL(url ?? '');
  const {
    'proxy-connection': _connection,
    'proxy-authorization': _authorization,
    upgrade: _upgrade,
    ...headers
  } = request.headers;
  const upstream = http.request(
    {
      createConnection: () => socket,
      method: request.method,
      path: `${pathname}${search}`,
      headers: { ...headers, host: authority, connection: 'close' },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('close', () => {
        if (!answer.complete) response.destroy();
      });
    },
  );
  response.on('close', () => upstream.destroy());
  upstream.on('error', () => response.destroy());
  upstream.on('close', () => {
    if (!response.headersSent) response.destroy();
  });
  request.pipe(upstream);
}

/** The host and the port of an address. An address that cannot be read has no host, which no list contains. */
function targetOf(address: string | undefined): { readonly host: string; readonly port: number } {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  return { host: url?.hostname ?? '', port: Number(url?.port || 80) };
}

/** Passes bytes between two streams. The end or the failure of one ends the other. */
function join(client: Duplex, socket: Duplex): void {
  client.on('error', () => socket.destroy());
  client.on('close', () => socket.destroy());
  socket.on('error', () => client.destroy());
  socket.on('close', () => {
    if (!socket.readableEnded) client.destroy();
  });
  client.pipe(socket).pipe(client);
}
