import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { redact } from '../journal/redact.ts';
import { escapeControls } from '../text.ts';
import { refuseAs } from '../wire/wires.ts';
import { type AccessRequest, type AccessRules, checkAccess, isLoopback } from './access.ts';
import { createMockServer, type MockServerOptions, safeLog } from './app.ts';
import { type Fetch, serveHttp2 } from './http2.ts';
import { isResponsesSocket, openSocket, refuseUpgrade } from './web-sockets.ts';

export interface StartOptions extends MockServerOptions, ListenOptions {}

/** The address of a server, and who may use it. */
export interface ListenOptions {
  /** A free port by default, which 0 also picks. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** API key that requests must send. Required if other machines can reach `host`. */
  readonly token?: string;
  /** Further host names that requests may use: `mock-llm` in a cluster. */
  readonly allowHosts?: readonly string[];
  /** Lets the HTTP adapter replace the global `Request` and `Response` by faster ones. For a dedicated process only. */
  readonly overrideGlobals?: boolean;
  /** Receives one line for each refused request. */
  readonly log?: (line: string) => void;
}

export interface RunningServer {
  /** Without a trailing slash: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Also ends open connections. Resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Time that an idle connection stays open, about that of the providers. With Node's default of five seconds the server
 * could close a connection just when a client sends its next request.
 */
const KEEP_ALIVE_MS = 65_000;

/** Connections that wait for the server. With Node's default of 511, some of 10,000 at once were reset. */
const BACKLOG = 4096;

/**
 * Starts a server. Resolves when it listens; otherwise rejects with an `Error` that has the system's `code`
 * (`EADDRINUSE`) and says what to do.
 */
export async function startMockServer(options: StartOptions): Promise<RunningServer> {
  // A wrong address is reported before a wrong option of the server.
  accessRulesOf(options);
  return listen(createMockServer(options), options);
}

/** Starts a server for an app, as `startMockServer` does. */
export async function listen(app: Hono, options: ListenOptions): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', overrideGlobals = false } = options;
  const rules = accessRulesOf(options);
  const log = safeLog(options.log);
  const sockets = new Set<Duplex>();
  const opensSocket = (request: IncomingMessage) =>
    isResponsesSocket(request) && denyAccess(accessOf(request), rules, log) === undefined;
  // Where Node has this option, any other request for an upgrade is answered as if it had not asked for one.
  const upgrades = { shouldUpgradeCallback: opensSocket };
  const fetch: Fetch = (request, env) => denyAccess(accessOf(env.incoming), rules, log) ?? app.fetch(request, env);
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: overrideGlobals,
    serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS, ...upgrades },
  });
  const http2 = serveHttp2(server, fetch);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!opensSocket(request)) return refuseUpgrade(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    openSocket(app, request, socket, head).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    const onError = (error: Error) => reject(listenError(error, host, port));
    server.once('error', onError);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', onError);
      resolve();
    });
  });
  return {
    url: urlOf(host, server.address(), port),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
        http2.close();
      }),
  };
}

/** The parts of a request for the check of its access. HTTP/2 has another name for the host. */
function accessOf({
  method = '',
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): AccessRequest {
  const { ':authority': host } = headers;
  return { method, url, headers: typeof host === 'string' ? { host, ...headers } : headers };
}

/** The error for a server that cannot listen: its message says what to do, its code is that of the system. */
export function listenError(cause: Error, host: string, port: number): Error {
  const code = 'code' in cause ? cause.code : undefined;
  return Object.assign(new Error(explain(), { cause }), { code });

  function explain(): string {
    switch (code) {
      case 'EADDRINUSE':
        return `port ${port} on ${host} is in use; choose another port (0 picks a free one)`;
      case 'EACCES':
        return `this user may not open port ${port} on ${host}; choose a port above 1023`;
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        return `${host} is not an address of this machine; choose another host`;
      default:
        return `cannot listen on ${host}, port ${port}: ${cause.message}`;
    }
  }
}

function accessRulesOf({ host = '127.0.0.1', token, allowHosts = [] }: ListenOptions): AccessRules {
  // A header without a value would match it.
  if (token === '')
    throw new Error('The token is empty. Set one that clients must send as their API key, or leave it out.');
  const isLocal = isLoopback(host);
  if (!isLocal && token === undefined) {
    throw new Error(`Other machines can reach ${host}. Set a token that clients must send as their API key.`);
  }
  return { hosts: [host, ...allowHosts].map((name) => name.toLowerCase()), anyAddress: !isLocal, token };
}

function denyAccess(request: AccessRequest, rules: AccessRules, log: (line: string) => void): Response | undefined {
  const refusal = checkAccess(request, rules);
  if (refusal === undefined) return undefined;
  const [path = ''] = request.url.split('?', 1);
  log(escapeControls(redact(`${path} ${refusal.status} ${refusal.code}`)));
  return refuseAs({ path, headers: request.headers }, refusal);
}

function urlOf(host: string, address: AddressInfo | string | null, port: number): string {
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}
