import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { WireError } from '../wire/wire.ts';

/** Access rules of a server: the host names it answers to, and the token that requests must send. */
export interface AccessRules {
  /** Host names and addresses that requests may use beside those of the loopback interface. Lower-case. */
  readonly hosts: readonly string[];
  /** Whether requests may use any IP address as host. Never any name: a page could let its own resolve to this machine. */
  readonly anyAddress: boolean;
  /** API key of every request but preflights and `/health`. */
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

/** Whether only processes of this machine can reach an address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Returns why a request must not be answered; undefined if it may be. */
export function checkAccess(request: AccessRequest, rules: AccessRules): WireError | undefined {
  const { host } = request.headers;
  // Browsers always send it.
  if (typeof host === 'string' && !answersTo(host, rules)) {
    const message =
      'The Host header is not allowed, so that no web page can reach this server under a name of its own. Use the ' +
      'address that the server printed, or start it with --allow-host NAME, in code the option allowHosts.';
    return { type: 'error', status: 403, code: 'host_not_allowed', message };
  }
  if (rules.token === undefined || isOpen(request) || hasToken(request, rules.token)) return undefined;
  const message =
    'This server needs its token as the API key: the one it was started with (--token, MOCK_LLM_SERVER_TOKEN, in code ' +
    'the option token), or the one it printed when it started.';
  return { type: 'error', status: 401, code: 'invalid_api_key', message };
}

function answersTo(header: string, { hosts, anyAddress }: AccessRules): boolean {
  const given = HOST.exec(header)?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
  const name = given.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(name) || name.endsWith('.localhost') || hosts.includes(name) || (anyAddress && isIP(name) !== 0);
}

/** Browsers send no key with a preflight, and the probes of a cluster have none. */
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

/** Whether an `Origin` header names a page of this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  return LOOPBACK_ORIGIN.test(origin);
}
