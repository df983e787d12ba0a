import tls from 'node:tls';
import { fetch, ProxyAgent } from 'undici';
import { messageOf } from '../../agent/errors.ts';
import type { Fetch } from '../../providers/http/fetch-stream.ts';
import { decompressed } from './decompress.ts';

/**
 * Creates a function that returns a `fetch` through a proxy, that of the undici package. It follows no redirect and has
 * no timeout. `certificates`, in PEM format, are trusted besides those of Node.js.
 */
export function createProxyFetch(certificates?: string): (proxy: URL) => Fetch {
  const connect = certificates === undefined ? {} : { ca: [...tls.rootCertificates, certificates] };
  const options = { headersTimeout: 0, bodyTimeout: 0, connect, requestTls: connect, proxyTls: connect };
  const agents = new Map<string, ProxyAgent>();
  return ({ href, host }) => {
    const dispatcher = agents.get(href) ?? new ProxyAgent({ ...options, uri: href });
    agents.set(href, dispatcher);
    return async (url, init) => {
      const sent = fetch(url, { ...init, redirect: 'manual', dispatcher });
      const { ok, status, headers, body } = await sent.catch((error: unknown) => {
        if (init.signal?.aborted === true) throw error;
        // Without its cause, which would look as if the model's own server were not running.
        throw new TypeError(`${messageOf(innermost(error))} (through the proxy at ${host})`);
      });
      // The package decompresses what its header names.
      return { ok, status, headers, body: body === null ? null : decompressed(body, null) };
    };
  };
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
