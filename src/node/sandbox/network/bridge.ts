import type fs from 'node:fs';
import type http2 from 'node:http2';
import type net from 'node:net';
import type process from 'node:process';
import { PROXY_PORT } from '../../../policy/sandbox/hosts.ts';

/** The memory for all connections of a command at each end, in megabytes. The end rejects connections beyond it. */
export const MAX_SESSION_MEGABYTES = 300;

interface BridgeModules {
  readonly fs: typeof fs;
  readonly http2: typeof http2;
  readonly net: typeof net;
  readonly process: typeof process;
}

/**
 * Passes each connection to a port of the loopback interface on to the other end of a descriptor, as a stream of HTTP/2.
 * It judges nothing, so that a command that takes it over gains nothing. It closes its standard output when it listens.
 */
function runBridge(
  { fs, http2, net, process }: BridgeModules,
  descriptor: number,
  port: number,
  maxSessionMemory: number,
): void {
  const channel = new net.Socket({ fd: descriptor, readable: true, writable: true });
  const session = http2.connect('http://proxy', { createConnection: () => channel, maxSessionMemory });
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'proxy' });
    client.on('error', () => stream.destroy());
    stream.on('error', () => client.destroy());
    stream.on('close', () => client.destroy());
    client.pipe(stream).pipe(client);
  });
  session.on('error', () => process.exit());
  session.on('close', () => process.exit());
  server.listen({ port, host: '127.0.0.1', backlog: 4096 }, () => {
    fs.closeSync(1);
    // Node.js would take another file with the number of its standard output for it.
    fs.openSync('/dev/null', 'w');
  });
}

/**
 * The program text of the bridge, for `node -e`: it needs no file, which the sandbox might hide. `descriptor` is that of
 * its connection.
 */
export function bridgeProgram(descriptor: number): string {
  const modules = "{ fs: require('fs'), http2: require('http2'), net: require('net'), process }";
  return `(${runBridge.toString()})(${modules}, ${descriptor}, ${PROXY_PORT}, ${MAX_SESSION_MEGABYTES})`;
}
