import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { redact } from '../journal/redact.ts';
import { escapeControls } from '../text.ts';
import { refuseAs } from '../wire/wires.ts';
import { type AccessRequest, type AccessRules, checkAccess, isLoopback } from './access.ts';
import { answerUpgrades, UPGRADE_OPTIONS } from './answer-upgrade.ts';
import { createMockServer, harmlessLog, type MockServerOptions } from './app.ts';

/** A server, and where it listens. */
export interface StartOptions extends MockServerOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** `127.0.0.1` when left out. */
  readonly host?: string;
  /** What requests must bring as their API key. Must be there where `host` can be reached from other machines. */
  readonly token?: string;
  /** Further names that clients reach the server by: `mock-llm` in a cluster. */
  readonly allowHosts?: readonly string[];
  /** Lets the HTTP adapter replace the global `Request` and `Response` by faster ones; for a process of its own. */
  readonly overrideGlobals?: boolean;
}

/** A server that listens. */
export interface RunningServer {
  /** Without a slash at its end: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Ends open connections too; resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open, about as long as with providers. After Node's own five seconds a client that was
 * busy for that long would find it closed under its next request.
 */
const KEEP_ALIVE_MS = 65_000;

/** Starts the server and resolves when it listens. Rejects with the system's error when the port cannot be had. */
export async function startMockServer(options: StartOptions): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', overrideGlobals = false } = options;
  const rules = accessRulesOf(host, options);
  const app = createMockServer(options);
  const log = harmlessLog(options.log);
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const { method = '', url = '', headers } = env.incoming;
      return denyAccess({ method, url, headers }, rules, log) ?? app.fetch(request, env);
    },
    overrideGlobalObjects: overrideGlobals,
    serverOptions: { ...UPGRADE_OPTIONS, keepAliveTimeout: KEEP_ALIVE_MS },
  });
  answerUpgrades(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    url: urlOf(host, server.address(), port),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function accessRulesOf(host: string, { token, allowHosts = [] }: StartOptions): AccessRules {
  // A header without a value would bring it.
  if (token === '') throw new Error('The token is empty: give one that clients must send as their API key, or none.');
  const isLocal = isLoopback(host);
  if (!isLocal && token === undefined) {
    throw new Error(
      `${host} can be reached from other machines: give a token that clients must send as their API key.`,
    );
  }
  return { hosts: [host, ...allowHosts].map((name) => name.toLowerCase()), anyAddress: !isLocal, token };
}

function denyAccess(request: AccessRequest, rules: AccessRules, log: (line: string) => void): Response | undefined {
  const refusal = checkAccess(request, rules);
  if (refusal === undefined) return undefined;
  const [path = ''] = request.url.split('?', 1);
  log(escapeControls(redact(`${path} ${refusal.status} ${refusal.code}`)));
  return refuseAs(path, refusal);
}

function urlOf(host: string, address: AddressInfo | string | null, port: number): string {
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}
