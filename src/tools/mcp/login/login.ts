import type {
  AuthProvider,
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { messageOf, ToolError } from '../../../agent/errors.ts';
import { isJsonObject, jsonObjectIn, jsonOr } from '../../../text/json/json.ts';
import type { McpEntry } from '../settings.ts';

/** The login to a server: what the authorisation server has given, and where that is. */
export interface Login {
  readonly version: 1;
  readonly tokens: OAuthTokens;
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  readonly resource?: string;
}

/** Keeps the login to one server, for all processes of the user. */
export interface LoginStore {
  read(): Promise<Login | undefined>;
  write(login: Login): Promise<void>;
  /** Does work that no other process does at the same time. */
  locked<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Sends a request to any origin. */
type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The tokens of a stored login for the requests to its server, which are refreshed when it refuses them. */
export function loginTokens(name: string, store: LoginStore): AuthProvider {
  let used: string | undefined;
  const advice = `The user can log in with: ybs mcp login ${name}`;
  const refresh = async (fetch: Fetch): Promise<void> => {
    await store.locked(async () => {
      // Another process may have refreshed it, and a refresh token works once.
      const login = await store.read();
      if (login === undefined) throw new ToolError('permission_denied', `it requires a login. ${advice}`);
      if (login.tokens.access_token !== used) return;
      const { refresh_token: refreshToken } = login.tokens;
      const again = `its login has ended. ${advice}`;
      if (refreshToken === undefined) throw new ToolError('permission_denied', again);
      const { refreshAuthorization } = await import('@modelcontextprotocol/client');
      const { authorizationServerUrl, authorizationServerMetadata: metadata } = login.discovery;
      const tokens = await refreshAuthorization(authorizationServerUrl, {
        ...{ refreshToken, clientInformation: login.client, fetchFn: fetch },
        ...(metadata && { metadata }),
        ...(login.resource !== undefined && { resource: login.resource }),
      }).catch((error: unknown) => {
        throw new ToolError('permission_denied', `${again} (${refusalOf(error)})`);
      });
      await store.write({ ...login, tokens });
    });
  };
  return {
    async token() {
      const login = await store.read();
      used = login?.tokens.access_token;
      return used;
    },
    onUnauthorized: ({ fetchFn }) => refresh(leniently((url, init) => fetchFn(url, init))),
  };
}

/**
 * Answers of authorization servers in a form that the library accepts. Some write `null` or "" where there is no value,
 * and leave out fields that have only one possible value.
 */
function leniently(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const answer = response.ok ? jsonOr(undefined, await response.clone().text()) : undefined;
    if (!isJsonObject(answer)) return response;
    const said = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null && value !== ''));
    const { redirect_uris } = jsonObjectIn(String(init?.body ?? ''));
    const whole = {
      ...('access_token' in said && { token_type: 'Bearer' }),
      ...('client_id' in said && { redirect_uris }),
      ...('token_endpoint' in said && { response_types_supported: ['code'] }),
      ...said,
    };
    return Response.json(whole, { status: response.status });
  };
}

/** The reason of a failure without the words of the library. */
function refusalOf(error: unknown): string {
  const text = messageOf(error);
  const [issue]: readonly unknown[] = [jsonOr(undefined, text)].flat();
  if (isJsonObject(issue))
    return `an answer of its authorization server cannot be read: ${issue['path']}: ${issue['message']}`;
  const advice = 'Register a client there, and name it in the entry: "oauth": {"client_id": "…"}';
  if (/issuer mismatch/i.test(text)) return `${text}. Only the operator of the server can correct this`;
  return /client registration/i.test(text) ? `${text}. ${advice}` : text;
}

/** Receives the answer of the authorisation server on this machine. */
export interface LoginCallback {
  readonly url: string;
  /** The parameters of the answer. Rejects when `signal` aborts. */
  received(signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** The keyring of the system. Each function resolves to `undefined` or false where there is none that can be used. */
export interface Keyring {
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<boolean>;
  remove(account: string): Promise<boolean>;
}

/** Login pages of authorisation servers. */
export interface LoginPages {
  /** Waits at a port of this machine, a free one by default. */
  openCallback(port?: number): Promise<LoginCallback>;
  /** Opens a page in the browser of the user, if there is one. */
  show(url: string): void;
}

/** The ports of a login. */
export interface LoginMachine {
  /** `undefined` on a system without one. */
  readonly keyring: Keyring | undefined;
  readonly pages: LoginPages;
}

/** Ports of `logIn`. */
export interface LoginPorts {
  readonly fetch: Fetch;
  readonly callback: LoginCallback;
  /** Shows the page to the user. */
  readonly showPage: (url: URL) => Promise<void>;
  readonly newId: () => string;
}

/** Requests of which a server may want a login for the first, or only for a later one. */
const PROBES = ['server/discover', 'initialize', 'tools/list'];

/** The words of a server about a login, from its refusal of a request without one. */
async function challengeOf(server: URL, fetch: Fetch, signal: AbortSignal) {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const clientInfo = { name: 'ybs', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  for (const method of PROBES) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
    const answer = await fetch(server, { method: 'POST', headers, body, signal });
    await answer.body?.cancel();
    if (answer.headers.has('www-authenticate')) return extractWWWAuthenticateParams(answer);
  }
  return {};
}

/**
 * Logs in to a server in the browser of the user. What was stored before stays until there is a new login. Throws `ToolError`.
 * `missing`: rights that a call needed.
 */
export async function logIn(
  server: URL,
  registered: NonNullable<McpEntry['oauth']>,
  store: LoginStore,
  ports: LoginPorts,
  signal: AbortSignal,
  missing?: string,
): Promise<void> {
  const { auth, computeScopeUnion } = await import('@modelcontextprotocol/client');
  const { resourceMetadataUrl, scope: named } = await challengeOf(server, ports.fetch, signal);
  const before = (await store.read())?.tokens.scope;
  const scope = missing === undefined ? (registered.scope ?? named) : computeScopeUnion(before, missing);
  const draft: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    discovery?: OAuthDiscoveryState;
    resource?: string;
  } = {};
  const state = ports.newId();
  let verifier = '';
  const { client_id: id, client_secret: secret } = registered;
  const provider: OAuthClientProvider = {
    redirectUrl: ports.callback.url,
    clientMetadata: {
      ...{ client_name: 'ybs', redirect_uris: [ports.callback.url], response_types: ['code'] },
      grant_types: ['authorization_code', 'refresh_token'],
      ...(secret === undefined && { token_endpoint_auth_method: 'none' }),
      ...(scope !== undefined && { scope }),
    },
    state: () => state,
    clientInformation: () =>
      draft.client ??
      (id === undefined ? undefined : { client_id: id, ...(secret !== undefined && { client_secret: secret }) }),
    saveClientInformation: (client) => void Object.assign(draft, { client }),
    tokens: () => draft.tokens,
    saveTokens: (tokens) => void Object.assign(draft, { tokens }),
    redirectToAuthorization: (page) => {
      if (!/^https?:$/.test(page.protocol))
        throw new Error(`its login page must begin with https: or http:, not ${page.protocol}`);
      return ports.showPage(page);
    },
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    discoveryState: () => draft.discovery,
    saveDiscoveryState: (discovery) => void Object.assign(draft, { discovery }),
    saveResourceUrl: (resource) => void Object.assign(draft, { resource: String(resource) }),
  };
  const options = {
    serverUrl: server,
    fetchFn: leniently(ports.fetch),
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  };
  try {
    if ((await auth(provider, options)) === 'REDIRECT') {
      const answer = await ports.callback.received(signal);
      if (answer.get('state') !== state) throw new Error('the answer of the login page is not for this login');
      const authorizationCode = answer.get('code');
      if (authorizationCode === null)
        throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'no code was given');
      const iss = answer.get('iss');
      await auth(provider, { ...options, authorizationCode, ...(iss !== null && { iss }) });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolError('permission_denied', refusalOf(error));
  }
  const { client, tokens, discovery, resource } = draft;
  if (client === undefined || tokens === undefined || discovery === undefined)
    throw new ToolError('permission_denied', 'the server needs no login, or offers none');
  const login = { version: 1, tokens, client, discovery, ...(resource !== undefined && { resource }) } as const;
  await store.locked(() => store.write(login));
}
