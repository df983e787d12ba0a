import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { WireError } from '../wire/wire.ts';

/** Access rules of a server: the host names that requests may use, and the token that they must send. */
export interface AccessRules {
  /** Lower-case host names and addresses that requests may use besides those of the loopback interface. */
  readonly hosts: readonly string[];
  /** Allows any IP address as host. A name must be listed: a web page can make its own resolve to this machine. */
  readonly anyAddress: boolean;
  /** API key that every request except preflights and `/health` must send. */
  readonly token: string | undefined;
}

/** A request as received. `url` is its path with the query. */
export interface AccessRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const HOST = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/;
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key', 'api-key'];

/** True if only processes of this machine can reach a host name or an address, which may be in brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** The refusal of a request that the rules forbid; undefined if they allow it. It does not quote the key. */
export function checkAccess(request: AccessRequest, rules: AccessRules): WireError | undefined {
  const { host } = request.headers;
  // Browsers always send this header.
  if (typeof host === 'string' && !answersTo(host, rules)) {
    const message =
      'The name in the Host header is not allowed, which protects this server from web pages. Use the address that ' +
      'the server printed, or allow the name with --allow-host NAME (in code: allowHosts).';
    return { type: 'error', status: 403, code: 'host_not_allowed', message };
  }
  if (isCrossSite(request)) {
    const message =
      'Pages of other sites may not use this server, because each request counts: it could consume a fault or fail ' +
      'verify. Send it from a page of this machine or of this server, or from a program.';
    return { type: 'error', status: 403, code: 'origin_not_allowed', message };
  }
  if (rules.token === undefined || isOpen(request) || hasToken(request, rules.token)) return undefined;
  const message =
    'Send the token of this server as the API key: the value of --token or MOCK_LLM_SERVER_TOKEN (in code: token), ' +
    'or the token that the server printed when it started.';
  return { type: 'error', status: 401, code: 'invalid_api_key', message };
}

/**
 * True for a request of a page that is neither of this machine nor of this server. Browsers send the `Origin` with each
 * request that can change something, and the site of the page with each request to this machine. A preflight changes
 * nothing; its answer allows nothing to such a page.
 */
function isCrossSite({ method, headers }: AccessRequest): boolean {
  const { origin, host } = headers;
  if (method === 'OPTIONS') return false;
  if (typeof origin !== 'string') return headers['sec-fetch-site'] === 'cross-site';
  return !isLoopbackOrigin(origin) && origin !== `http://${host}` && origin !== `https://${host}`;
}

function answersTo(header: string, { hosts, anyAddress }: AccessRules): boolean {
  const host = HOST.exec(header)?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  const name = host.replace(/^\[(.*)\]$/, '$1');
  // The first test is the cheapest, and most requests pass it.
  return hosts.includes(name) || isLoopback(name) || name.endsWith('.localhost') || (anyAddress && isIP(name) !== 0);
}

/** Browsers send no key with a preflight, and the probes of a cluster have no key. */
function isOpen({ method, url }: AccessRequest): boolean {
  return method === 'OPTIONS' || url === '/health';
}

/** Checks the headers and the query parameter in which clients of the protocols send their key. */
function hasToken({ url, headers }: AccessRequest, token: string): boolean {
  const bearer = /^Bearer +(.+)$/i.exec(String(headers['authorization'] ?? ''))?.[1];
  const start = url.indexOf('?');
  const query = start === -1 ? [] : new URLSearchParams(url.slice(start)).getAll('key');
  return [bearer, ...KEY_HEADERS.map((name) => headers[name]), ...query].some(
    (key) => typeof key === 'string' && isEqual(key, token),
  );
}

/** Compares in constant time. */
function isEqual(left: string, right: string): boolean {
  const [first, second] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** True if an `Origin` header names a page of this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  return LOOPBACK_ORIGIN.test(origin);
}
