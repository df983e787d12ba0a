import { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** The time after which a proxy that is silent will not answer. */
const SILENCE_MS = 30_000;

/**
 * Connects to a host through a proxy. Rejects if the proxy refuses, is silent or cannot be reached; the signal ends the
 * attempt.
 */
export async function connectThrough(
  proxy: URL,
  { host, port }: { readonly host: string; readonly port: number },
  { signal, timeout = SILENCE_MS }: { readonly signal: AbortSignal; readonly timeout?: number },
): Promise<Duplex> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const authorization = user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
  const options: https.RequestOptions = {
    ...{ host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'), port: proxy.port, agent: false, signal, timeout },
    ...{ method: 'CONNECT', path: target, headers: { host: target, ...authorization } },
  };
  return new Promise((resolve, reject) => {
    const sent = proxy.protocol === 'https:' ? https.request(options) : http.request(options);
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error('The proxy does not answer.')));
    sent.on('connect', (answer, socket, head) => {
      if (answer.statusCode === 200) {
        // The end of a connection is also reported by its closing.
        socket.on('error', () => {});
        if (socket instanceof net.Socket) socket.setTimeout(0);
        socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`The proxy answered ${answer.statusCode}.`));
    });
    sent.end();
  });
}
