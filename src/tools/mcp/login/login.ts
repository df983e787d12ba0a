import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';
import { ToolError } from '../../../agent/errors.ts';
import type { McpEntry } from '../settings.ts';
import { type LoginFetch, type LoginStore, leniently, refusalOf, withTokens } from './tokens.ts';

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
  /** Waits at an address of this machine, by default at any free port. Rejects with a `ToolError`. */
  openCallback(address?: string): Promise<LoginCallback>;
  /** Opens a page in the browser of the user, if there is one. */
  show(url: string): void;
}

export interface LoginMachine {
  /** `undefined` on a system without one. */
  readonly keyring: Keyring | undefined;
  readonly pages: LoginPages;
}

export interface LoginPorts {
  readonly fetch: LoginFetch;
  readonly callback: LoginCallback;
  readonly showPage: (url: URL) => Promise<void>;
  readonly newId: () => string;
}

/** Requests that are sent in this order until the server demands a login for one. */
const PROBES = ['server/discover', 'initialize', 'tools/list'];

/** The parameters of `www-authenticate` with which a server demands a login; empty if it demands none. */
async function challengeOf(server: URL, fetch: LoginFetch, signal: AbortSignal) {
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
  const { resource: chosen, client_id: id, client_secret: secret } = registered;
  const { auth, computeScopeUnion, discoverOAuthServerInfo } = await import('@modelcontextprotocol/client');
  const { resourceMetadataUrl: named, scope: wanted } = await challengeOf(server, ports.fetch, signal);
  const before = (await store.read())?.tokens.scope;
  const scope = missing === undefined ? (registered.scope ?? wanted) : computeScopeUnion(before, missing);
  const fetchFn = leniently((url, init) => ports.fetch(protectedUrl(url, server), init));
  const discover = (resourceMetadataUrl?: URL) =>
    discoverOAuthServerInfo(server, {
      ...{ fetchFn, skipIssuerMetadataValidation: registered.issuer !== undefined },
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    });
  try {
    // Behind a proxy, some servers name an address that only they can reach.
    const first = named && (await discover(named).catch(() => undefined));
    const found = first?.resourceMetadata === undefined ? await discover() : first;
    const { authorizationServerMetadata: metadata } = found;
    if (registered.issuer !== undefined && registered.issuer !== metadata?.issuer)
      throw new Error(
        `its authorization server names the issuer ${metadata?.issuer}, and its entry ${registered.issuer}`,
      );
    const state = ports.newId();
    const method = authMethodOf(registered, metadata?.token_endpoint_auth_methods_supported);
    const issuer = metadata?.issuer ?? found.authorizationServerUrl;
    const mine = { ...method, issuer, ...(secret !== undefined && { client_secret: secret }) };
    const draft: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; resource?: string } = {
      ...(id !== undefined && { client: { client_id: id, ...mine } }),
    };
    let verifier = '';
    const provider: OAuthClientProvider = {
      redirectUrl: ports.callback.url,
      clientMetadata: {
        ...{ client_name: 'ybs', redirect_uris: [ports.callback.url], response_types: ['code'] },
        ...{ grant_types: ['authorization_code', 'refresh_token'], ...method },
        ...(scope !== undefined && { scope }),
      },
      state: () => state,
      clientInformation: () => draft.client,
      saveClientInformation: (client) => void Object.assign(draft, { client }),
      tokens: () => draft.tokens,
      saveTokens: (tokens) => void Object.assign(draft, { tokens }),
      redirectToAuthorization: (page) => ports.showPage(protectedUrl(page, server)),
      saveCodeVerifier: (text) => {
        verifier = text;
      },
      codeVerifier: () => verifier,
      discoveryState: () => found,
      saveResourceUrl: (resource) => void Object.assign(draft, { resource: String(resource) }),
      ...(chosen !== undefined && { validateResourceURL: async () => (chosen === '' ? undefined : new URL(chosen)) }),
    };
    const options = { serverUrl: server, fetchFn, ...(scope !== undefined && { scope }) };
    if ((await auth(provider, options)) === 'REDIRECT') {
      const answer = await ports.callback.received(signal);
      const refusal = answer.get('error_description') ?? answer.get('error');
      const isOurs = answer.get('state') === state;
      // Not every server repeats the state in a refusal.
      if (!isOurs && (refusal === null || answer.has('state')))
        throw new Error('the answer of the login page is not for this login');
      const authorizationCode = isOurs ? answer.get('code') : null;
      if (authorizationCode === null) throw new Error(refusal ?? 'no code was given');
      const iss = answer.get('iss');
      await auth(provider, { ...options, authorizationCode, ...(iss !== null && { iss }) });
    }
    const { client, tokens, resource } = draft;
    if (client === undefined || tokens === undefined) throw new Error('the server needs no login, or offers none');
    const login = withTokens({ tokens, client, discovery: found, ...(resource !== undefined && { resource }) }, store);
    await store.locked(() => store.write(login));
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolError('permission_denied', refusalOf(error));
  }
}

/** An address of a login, which uses plain HTTP only if the server itself does. Throws for any other. */
function protectedUrl(address: string | URL, server: URL): URL {
  const url = new URL(address);
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || server.protocol !== 'http:'))
    throw new Error(
      `its login uses ${url.protocol}//${url.host}; it must use https:, or http: if the url of the server does`,
    );
  return url;
}

/**
 * The way in which the token endpoint knows the client: none without a secret, and in the body before a header, which
 * some servers only claim to read.
 */
function authMethodOf(
  { client_id: id, client_secret: secret }: NonNullable<McpEntry['oauth']>,
  accepted: readonly string[] = [],
): { readonly token_endpoint_auth_method?: string } {
  const withSecret = ['client_secret_post', 'client_secret_basic'];
  const ways = id === undefined ? ['none', ...withSecret] : secret === undefined ? [] : withSecret;
  const method = ways.find((way) => accepted.includes(way)) ?? (secret === undefined ? 'none' : undefined);
  return method === undefined ? {} : { token_endpoint_auth_method: method };
}
