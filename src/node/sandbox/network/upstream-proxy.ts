import { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { isDirect } from '../../http/no-proxy.ts';

/** The environment of the user. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy of the user's network, or the variable with an address that ybs does not know. */
export type UpstreamProxy = URL | { readonly unknownIn: string };

/**
 * The proxy of the user's network that leads to a host: that of `HTTPS_PROXY`, or of `HTTP_PROXY` for port 80, else that
 * of `ALL_PROXY`, unless `NO_PROXY` names the host. `undefined` if the host is reached without one. Pure.
 */
export function upstreamProxy(host: string, port: number, environment: Environment): UpstreamProxy | undefined {
  const read = (name: string): string => (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  if (isDirect(host, port, read('NO_PROXY'))) return undefined;
  const names = [...(port === 80 ? ['HTTP_PROXY'] : []), 'HTTPS_PROXY', 'ALL_PROXY'];
  const variable = names.find((name) => read(name) !== '');
  if (variable === undefined) return undefined;
  const written = read(variable);
  const address = written.includes('://') ? written : `http://${written}`;
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? new URL(address) : { unknownIn: variable };
}

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
