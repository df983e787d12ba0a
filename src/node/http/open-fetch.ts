import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:http';
import path from 'node:path';
import { messageOf, UsageError } from '../../agent/errors.ts';
import type { Machine } from '../../app/settings.ts';
import type { Fetch } from '../../providers/http/fetch-stream.ts';
import type { FetchSettings } from '../../providers/target/choose-model.ts';
import { decompressed } from './decompress.ts';
import { upstreamProxy } from './upstream-proxy.ts';

/** The environment and the absolute home directory that `fetch` runs in. */
type FetchMachine = Pick<Machine, 'environment' | 'home'>;

/**
 * The `fetch` for a connection. The proxies are those of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`; a server
 * on this machine is never reached through one. Throws `UsageError` for an unusable proxy or file of certificates.
 */
export async function openFetch({ local, caFile }: FetchSettings, { environment, home }: FetchMachine): Promise<Fetch> {
  const certificates = caFile === undefined ? undefined : await readCertificates(caFile, home);
  const direct = createHttpFetch(certificates);
  const proxies = local ? [] : SCHEMES.map((protocol) => proxyTo({ hostname: '', port: '', protocol }, environment));
  if (proxies.every((proxy) => proxy === undefined)) return direct;
  // Loaded only for a proxy, because the package takes longer to load than ybs.
  const through = (await import('./proxy-fetch.ts')).createProxyFetch(certificates);
  return (url, init) => {
    const proxy = proxyTo(new URL(url), environment);
    return (proxy === undefined ? direct : through(proxy))(url, init);
  };
}

const SCHEMES = ['http:', 'https:'] as const;

function proxyTo(
  { hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>,
  environment: FetchMachine['environment'],
) {
  const [usual, names] =
    protocol === 'http:' ? [80, ['HTTP_PROXY', 'ALL_PROXY']] : [443, ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']];
  const proxy = upstreamProxy(hostname, Number(port || usual), environment, names);
  if (proxy === undefined || proxy instanceof URL) return proxy;
  // Many networks set `ALL_PROXY` to a SOCKS proxy, for the programs that support it.
  if (proxy.unknownIn === 'ALL_PROXY') return undefined;
  // The message does not repeat the value, which may contain a password.
  throw new UsageError(
    `The proxy in ${proxy.unknownIn} is not the address of an HTTP proxy. Write it like http://localhost:3128`,
  );
}

async function readCertificates(caFile: string, home: string): Promise<string> {
  const file = caFile.startsWith('~/') ? path.join(home, caFile.slice(2)) : caFile;
  if (!path.isAbsolute(file)) throw new UsageError(`llm.ca_file must be an absolute path or start with ~/: ${caFile}`);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The certificates in llm.ca_file cannot be read: ${messageOf(error)}. Check the path.`);
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new UsageError(`The file ${file} (llm.ca_file) contains no certificate in PEM format.`);
}

/**
 * Options for heads that break the rules of HTTP, as those of some proxies do. Each answer has a connection of its own,
 * so that none can be taken for another.
 */
const LENIENT = { insecureHTTPParser: true, maxHeaderSize: 256 * 1024 } as const;

/** The addresses of `localhost`. A server may listen on either, and the name may resolve to the other one alone. */
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const AT_LOOPBACK: Pick<RequestOptions, 'lookup'> & { readonly autoSelectFamily: boolean } = {
  autoSelectFamily: true,
  lookup: (_host, _options, callback) => callback(null, LOOPBACK),
};

/**
 * A `fetch` with the clients of Node.js for HTTP and HTTPS, which load in a fraction of the time of its `fetch`. It
 * follows no redirect and has no timeout. `certificates`, in PEM format, are trusted besides those of Node.js. Each
 * request has a connection of its own, which an abort closes whatever the server still sends or has sent: Node.js 26
 * keeps the connection of a body that nobody reads to its end, and with it the process.
 */
function createHttpFetch(certificates?: string): Fetch {
  return (url, { method = 'GET', headers = {}, body, signal }) =>
    new Promise((resolve, reject) => {
      const target = new URL(url);
      // An import would read every export of the module, also those that load the whole of `fetch`.
      const client = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
      const trust = certificates === undefined ? {} : { ca: trusted(certificates) };
      const place = target.hostname === 'localhost' ? AT_LOOPBACK : {};
      const sent = client.request(target, { method, headers, ...trust, ...place, ...LENIENT, agent: false });
      const close = (): void => {
        sent.destroy(new Error('The request was aborted.'));
        sent.socket?.destroy();
      };
      if (signal?.aborted === true) close();
      signal?.addEventListener('abort', close, { once: true });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        // Errors reach the reader of the body. Without a listener, one that comes after the reader has left ends ybs.
        answer.on('error', () => {});
        const status = answer.statusCode ?? 0;
        const read = (name: string): string | null => {
          const value = answer.headers[name];
          return Array.isArray(value) ? value.join(', ') : (value ?? null);
        };
        resolve({
          ok: status >= 200 && status < 300,
          status,
          headers: { get: read },
          body: decompressed(answer, read('content-encoding')),
        });
      });
      sent.end(body);
    });
}

function trusted(certificates: string): string[] {
  return [...process.getBuiltinModule('node:tls').rootCertificates, certificates];
}
