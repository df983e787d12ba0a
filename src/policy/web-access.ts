/** A request to the server of the page, as far as it decides about the access. Header names are in lower case. */
export interface WebRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The port on which the request arrived. */
  readonly port: number;
}

/** Rules of the access besides the fixed ones. */
export interface WebAccess {
  /** The methods of the paths that exist, by path. */
  readonly routes: ReadonlyMap<string, 'GET' | 'POST'>;
  /** The paths whose answers are the same for everybody and have no secret: the files of the page. */
  readonly open: ReadonlySet<string>;
  /** Compares a token in constant time. Absent: no token is needed. */
  readonly isToken?: ((token: string) => boolean) | undefined;
}

/** The refusal of a request. The message says what to do. */
export interface WebRefusal {
  readonly status: 401 | 403 | 404 | 405 | 415 | 421;
  readonly code: string;
  readonly message: string;
}

/**
 * Decides whether a request to the page may be answered; `undefined` if so. A web page of another origin can send
 * requests to this machine, also under a name of its own that it lets point here, so a request must name this server,
 * come from its own page, and have the token.
 */
export function refusalOfRequest(request: WebRequest, access: WebAccess): WebRefusal | undefined {
  const { method, path, headers, port } = request;
  const hosts = namesOf(port);
  if (!hosts.includes(single(headers['host'])?.toLowerCase() ?? '')) {
    return refusal(421, 'host_not_allowed', `This server only answers to ${hosts[0]}. Open that address.`);
  }
  const origin = single(headers['origin'], '');
  if (origin !== '' && !hosts.some((host) => origin === `http://${host}`)) {
    return refusal(403, 'origin_not_allowed', 'Only the page of this server may send requests to it.');
  }
  if (!SAME_SITE.has(single(headers['sec-fetch-site'], '') ?? 'several')) {
    return refusal(403, 'site_not_allowed', 'Another site sent this request. Type the address of the page instead.');
  }
  const expected = access.routes.get(path);
  if (expected === undefined) return refusal(404, 'not_found', 'There is nothing at this address.');
  if (method !== expected && !(method === 'HEAD' && expected === 'GET')) {
    return refusal(405, 'method_not_allowed', `Send a ${expected} request to this address.`);
  }
  if (method === 'POST' && hasBody(headers) && !isJson(single(headers['content-type']))) {
    return refusal(415, 'not_json', 'Send the body with the header Content-Type: application/json.');
  }
  if (access.isToken === undefined || access.open.has(path)) return undefined;
  const token = /^Bearer ([\w-]{1,200})$/i.exec(single(headers['authorization']) ?? '')?.[1];
  if (token !== undefined && access.isToken(token)) return undefined;
  return refusal(401, 'token_missing', 'Open the address that ybs printed when it started: it ends with the token.');
}

/** Sites of a request that the page, the address bar or a program sent. Programs send no such header. */
const SAME_SITE: ReadonlySet<string> = new Set(['', 'same-origin', 'none']);

/** The names of this server in the header Host. A browser leaves the port of the protocol out. */
function namesOf(port: number): readonly string[] {
  const suffix = port === 80 ? '' : `:${port}`;
  return [`127.0.0.1${suffix}`, `localhost${suffix}`];
}

/** A header that must not be repeated; `absent` if it is not there, and `undefined` if it is repeated. */
function single(value: string | readonly string[] | undefined, absent?: string): string | undefined {
  if (value === undefined) return absent;
  return typeof value === 'string' ? value : undefined;
}

function hasBody(headers: WebRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || !/^0?$/.test(single(headers['content-length'], '') ?? 'several');
}

function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(type ?? '');
}

function refusal(status: WebRefusal['status'], code: string, message: string): WebRefusal {
  return { status, code, message };
}
