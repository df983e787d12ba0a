import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { Protocol } from '../conversation/conversation.ts';
import { isLoopback } from '../server/access.ts';

/** The provider behind a recording. */
export interface Upstream {
  readonly url: URL;
  /** API key for the upstream; absent to pass on that of the client. */
  readonly key?: string | undefined;
}

/** Reads the address of an upstream. Throws an error for the user if it is not https and not on this machine. */
export function parseUpstream(text: string): URL {
  if (!URL.canParse(text)) throw new Error(`--upstream must be a URL such as https://api.openai.com, not "${text}"`);
  const url = new URL(text);
  if (!isAllowedUpstream(url)) {
    throw new Error(
      `--upstream must be https, or http on this machine, because requests carry a key: not ${url.protocol}//${url.host}`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('--upstream must have no password, query or fragment; name a key with --upstream-key-env');
  }
  return url;
}

/** True for an address that a key may be sent to: https, or http on this machine. */
export function isAllowedUpstream({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/**
 * The path of a request at the upstream. The parts that the end of the base and the start of the path have in common
 * occur once, because clients and services differ in which of the two has the version: `/api/v1` and `/v1/models`.
 */
export function upstreamPath(base: string, path: string): string {
  const own = base.split('/').filter(Boolean);
  const rest = path.split('/').slice(1);
  let shared = Math.min(own.length, rest.length);
  while (shared > 0 && own.slice(-shared).some((part, index) => part !== rest[index])) shared--;
  return `/${[...own, ...rest.slice(shared)].join('/')}`;
}

/** Headers of one connection, those of the proxy, and the length, which Node sets. */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|expect|x-test-id|x-mock-.*)$/;

/** The header in which clients of a protocol send a key. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];

/** The headers of a request at the upstream, which must not compress what it sends. */
export function upstreamHeaders(
  headers: Readonly<Record<string, string>>,
  { key }: Upstream,
  protocol: Protocol,
): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.test(name));
  const forwarded = { ...Object.fromEntries(kept), 'accept-encoding': 'identity' };
  if (key === undefined) return forwarded;
  const others = Object.entries(forwarded).filter(([name]) => !KEY_HEADERS.includes(name) && name !== 'cookie');
  const sent = KEY_HEADERS.find((name) => name !== 'authorization' && headers[name] !== undefined);
  const name = sent ?? KEY_HEADER_OF[protocol] ?? 'authorization';
  return { ...Object.fromEntries(others), [name]: name === 'authorization' ? `Bearer ${key}` : key };
}

const KEY_HEADER_OF: Readonly<Partial<Record<Protocol, string>>> = {
  'anthropic-messages': 'x-api-key',
  gemini: 'x-goog-api-key',
  'gemini-interactions': 'x-goog-api-key',
};

/** Hop-by-hop headers of a response. `transfer-encoding` stays: with it the HTTP adapter sends the headers at once. */
const NOT_RETURNED = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'te', 'trailer', 'upgrade']);

/** The headers of a response for the client, in order, with every value of a repeated one. */
export function returnedHeaders({ rawHeaders, headers: read }: IncomingMessage): Headers {
  const headers = new Headers();
  const isChunked = read['transfer-encoding'] !== undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    // Beside chunks, a length is wrong.
    const isLength = name === 'content-length' && isChunked;
    if (!NOT_RETURNED.has(name) && !isLength) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** Options for heads that break the rules of HTTP, as those of some proxies do. */
const LENIENT = { insecureHTTPParser: true, maxHeaderSize: 256 * 1024 } as const;

export interface UpstreamRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * Sends a request. Resolves with the head of the response; rejects if none arrives. A kept connection that the upstream
 * had closed is replaced once, because that says nothing about the request.
 */
export async function sendUpstream(
  { url }: Upstream,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request: start } = url.protocol === 'https:' ? https : http;
  const attempt = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, path, headers, body } = request;
      const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
      const options = { hostname, port: url.port, method, path, signal, ...LENIENT };
      const length = body.byteLength > 0 || method === 'POST' ? { 'content-length': body.byteLength } : {};
      const sent = start({ ...options, headers: { ...headers, ...length } }, resolve);
      sent.once('error', (error) => reject(Object.assign(error, { wasKept: sent.reusedSocket })));
      sent.end(body);
    });
  try {
    return await attempt();
  } catch (error) {
    if (!signal.aborted && isReset(error) && error instanceof Error && 'wasKept' in error && error.wasKept === true) {
      return attempt();
    }
    throw error;
  }
}

/** True if the upstream reset a connection. */
export function isReset(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
