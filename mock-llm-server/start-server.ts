import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createMockServer, type MockServerOptions } from './server.ts';

export interface StartOptions extends MockServerOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** `127.0.0.1` when left out. */
  readonly host?: string;
  /** Lets the HTTP adapter replace the global `Request` and `Response` by faster ones; for a process of its own. */
  readonly overrideGlobals?: boolean;
}

export interface RunningServer {
  /** Without a slash at its end: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Ends open connections too; resolves when the port is free. */
  close(): Promise<void>;
}

/** Starts the server and resolves when it listens. Rejects with the system's error when the port cannot be had. */
export async function startMockServer(options: StartOptions): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', overrideGlobals = false } = options;
  const app = createMockServer(options);
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: overrideGlobals });
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

function urlOf(host: string, address: AddressInfo | string | null, port: number): string {
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}
