import tls from 'node:tls';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { messageOf } from '../../agent/errors.ts';
import type { Fetch } from '../../providers/http/fetch-stream.ts';
import { decompressed } from './decompress.ts';
import { isDirect } from './no-proxy.ts';

/** The proxies of the environment; `no` lists hosts that are reached without one. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly no: string;
}

/**
 * A `fetch` of the undici package that uses proxies, and `direct` for the hosts that need none. It follows no redirect
 * and has no timeout. `certificates`, in PEM format, are trusted besides those of Node.js.
 */
export function createProxyFetch(proxies: Proxies, direct: Fetch, certificates?: string): Fetch {
  const connect = certificates === undefined ? {} : { ca: [...tls.rootCertificates, certificates] };
  const dispatcher = new EnvHttpProxyAgent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
    requestTls: connect,
    proxyTls: connect,
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: '',
  });
  return async (url, init) => {
    const { hostname, port, protocol } = new URL(url);
    if (isDirect(hostname, Number(port || (protocol === 'http:' ? 80 : 443)), proxies.no)) return direct(url, init);
    const sent = fetch(url, { ...init, redirect: 'manual', dispatcher });
    const { ok, status, headers, body } = await sent.catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      // Without its cause, which would look as if the model's own server were not running.
      throw new TypeError(`${messageOf(innermost(error))} (through the proxy of HTTPS_PROXY or HTTP_PROXY)`);
    });
    // The package decompresses what its header names.
    return { ok, status, headers, body: body === null ? null : decompressed(body, null) };
  };
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
