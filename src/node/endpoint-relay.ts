import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../agent/errors.ts';

export interface Relay {
  /** The socket file, or the address, that takes connections. */
  readonly address: string;
  close(): Promise<void>;
}

/** Passes connections to a socket file on to the server of an address. Socket files cross network namespaces. */
export async function relayToServer(endpoint: string): Promise<Relay> {
  const { host, port } = serverOf(endpoint);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ybs-relay-'));
  const address = path.join(directory, 'server.sock');
  const relay = await listen(address, () => net.connect({ host, port }));
  const close = async (): Promise<void> => {
    await relay.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { address, close };
}

/** Passes connections to the port of an address, on this machine, on to a socket file. `address` is the one to use. */
export async function relayToSocket(socket: string, endpoint: string): Promise<Relay> {
  const { port, pathname } = serverOf(endpoint);
  const relay = await listen({ host: '127.0.0.1', port }, () => net.connect(socket));
  return { address: `http://127.0.0.1:${port}${pathname}`, close: relay.close };
}

function serverOf(endpoint: string): { readonly host: string; readonly port: number; readonly pathname: string } {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || url.protocol !== 'http:') {
    throw new UsageError(`--endpoint ${endpoint}: with --agent, the address must begin with http://.`);
  }
  // An address of IPv6 is in brackets in a URL.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(url.port || 80), pathname: url.pathname === '/' ? '' : url.pathname };
}

function listen(
  address: string | { readonly host: string; readonly port: number },
  connect: () => net.Socket,
): Promise<{ close(): Promise<void> }> {
  const open = new Set<net.Socket>();
  const track = (socket: net.Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  };
  const server = net.createServer((client) => {
    const upstream = connect();
    track(client);
    track(upstream);
    // A failure of one side ends the other in the same way: a refused connection is a reset.
    client.on('error', () => upstream.destroy());
    // A socket file has no address and no reset.
    upstream.on('error', () => (client.remoteAddress === undefined ? client.destroy() : client.resetAndDestroy()));
    client.pipe(upstream).pipe(client);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          for (const socket of open) socket.destroy();
        });
      resolve({ close });
    });
  });
}
