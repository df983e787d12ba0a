import { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

/** The environment of the user. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy of the user's network that leads to a host: that of `HTTPS_PROXY`, or of `HTTP_PROXY` for port 80, unless
 * `NO_PROXY` names the host. `undefined` if the host is reached without one. Pure.
 */
export function upstreamProxy(host: string, port: number, environment: Environment): URL | undefined {
  const read = (name: string): string => (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  if (isDirect(host, port, read('NO_PROXY'))) return undefined;
  const address = (port === 80 ? read('HTTP_PROXY') : '') || read('HTTPS_PROXY');
  return /^https?:\/\/[^/]/.test(address) && URL.canParse(address) ? new URL(address) : undefined;
}

/** True if a list like `localhost,.corp.example,10.0.0.1:8080` names a host, or all hosts with `*`. */
function isDirect(host: string, port: number, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = '', only] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === '' || (only !== undefined && Number(only) !== port)) return false;
      return name === '*' || host === name || host.endsWith(`.${name}`);
    });
}

/** Connects to a host through a proxy. Rejects if the proxy refuses, or cannot be reached; the signal ends the attempt. */
export async function connectThrough(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<Duplex> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const authorization = user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
  const options: https.RequestOptions = {
    ...{ host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'), port: proxy.port, agent: false, signal },
    ...{ method: 'CONNECT', path: target, headers: { host: target, ...authorization } },
  };
  return new Promise((resolve, reject) => {
    const sent = proxy.protocol === 'https:' ? https.request(options) : http.request(options);
    sent.on('error', reject);
    sent.on('connect', (answer, socket, head) => {
      if (answer.statusCode === 200) {
        // The end of a connection is also reported by its closing.
        socket.on('error', () => {});
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
