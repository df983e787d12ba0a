import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** Who may ask: the names a server answers to, and the token that a request must bring. */
export interface AccessRules {
  /** Further names and addresses that a request may name as its host, beside those of the loopback. Lower-case. */
  readonly hosts: readonly string[];
  /** Whether any address does as a host. Names never do: a page could have one resolve to this machine. */
  readonly anyAddress: boolean;
  /** What every request must bring but a preflight and `/health`. */
  readonly token: string | undefined;
}

/** A request as it came. `url` is its path with the query. */
export interface AccessRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A no, in no protocol's shape yet. Says nothing of what the request brought as its key. */
export interface AccessRefusal {
  readonly type: 'error';
  readonly status: 401 | 403;
  readonly code: string;
  readonly message: string;
}

const HOST = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/;
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key', 'api-key'];

/** Whether only processes of this machine reach that address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Says why a request may not be answered; nothing when it may. */
export function checkAccess(request: AccessRequest, rules: AccessRules): AccessRefusal | undefined {
  const { host } = request.headers;
  // Only a client that is no browser can leave it out.
  if (typeof host === 'string' && !answersTo(host, rules)) {
    const message =
      'This server does not answer to the name in the Host header, so that no web page can reach it under a name of ' +
      'its own. Use the address that the server printed, or start it with --allow-host NAME, in code the option allowHosts.';
    return { type: 'error', status: 403, code: 'host_not_allowed', message };
  }
  if (rules.token === undefined || isOpen(request) || bringsToken(request, rules.token)) return undefined;
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

/** Browsers send no key with a preflight, and probes of a cluster have none. */
function isOpen({ method, url }: AccessRequest): boolean {
  return method === 'OPTIONS' || url === '/health';
}

/** Looks where the clients of each protocol put their key. */
function bringsToken({ url, headers }: AccessRequest, token: string): boolean {
  const bearer = /^Bearer +(.+)$/i.exec(String(headers['authorization'] ?? ''))?.[1];
  const start = url.indexOf('?');
  const query = start === -1 ? [] : new URLSearchParams(url.slice(start)).getAll('key');
  return [bearer, ...KEY_HEADERS.map((name) => headers[name]), ...query].some(
    (key) => typeof key === 'string' && isEqual(key, token),
  );
}

/** Takes the same time wherever the two differ. */
function isEqual(left: string, right: string): boolean {
  const [first, second] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

type Headers = Readonly<Record<string, string>>;

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Headers that let a page read an answer. Only pages of this machine may: otherwise every page could drive the
 * server of whoever visits it. `headers` are those of the request, with lower-case names.
 */
export function corsHeaders(headers: Headers): Headers {
  const { origin } = headers;
  if (origin === undefined) return {};
  if (!LOOPBACK.test(origin)) return { vary: 'origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*', vary: 'origin' };
}

/** Headers of the answer to a preflight request. */
export function preflightHeaders(headers: Headers): Headers {
  const allowed = corsHeaders(headers);
  if (allowed['access-control-allow-origin'] === undefined) return allowed;
  return {
    ...allowed,
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
    // A page of this machine may be another address space than the server.
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  };
}
