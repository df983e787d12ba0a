import tls from 'node:tls';
import { Agent, EnvHttpProxyAgent, fetch } from 'undici';
import { messageOf } from '../../core/errors.ts';
import { type Proxies, requestParts } from './request-parts.ts';

/** What the connections of a `fetch` need. */
export interface UndiciOptions {
  readonly proxy: Proxies | undefined;
  /** Certificates to trust besides those of Node.js, in PEM format. */
  readonly certificates: string | undefined;
}

/** `fetch` of the undici package, without a timeout of its own. Follows no redirect. */
export function createUndiciFetch({ proxy, certificates }: UndiciOptions): typeof globalThis.fetch {
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  const connect = certificates === undefined ? {} : { ca: [...tls.rootCertificates, certificates] };
  const dispatcher =
    proxy === undefined
      ? new Agent({ ...limits, connect })
      : new EnvHttpProxyAgent({
          ...limits,
          connect,
          requestTls: connect,
          proxyTls: connect,
          httpProxy: proxy.http,
          httpsProxy: proxy.https,
          noProxy: proxy.no,
        });
  return async (input, init) => {
    const { url, ...parts } = requestParts(input, init);
    const answer = await fetch(url, { ...parts, redirect: 'manual', dispatcher }).catch((error: unknown) => {
      if (proxy === undefined || parts.signal?.aborted === true) throw error;
      // Without its cause, which would look as if the model's own server were not running.
      throw new TypeError(`${messageOf(innermost(error))} (through the proxy of HTTPS_PROXY or HTTP_PROXY)`);
    });
    const { status } = answer;
    const hasBody = ![101, 204, 205, 304].includes(status);
    return new Response(hasBody ? answer.body : null, { status, headers: [...answer.headers] });
  };
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
