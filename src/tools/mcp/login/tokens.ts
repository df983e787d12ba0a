import type {
  AuthProvider,
  OAuthClientInformationMixed,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { messageOf, ToolError } from '../../../agent/errors.ts';
import { isJsonObject, jsonObjectIn, jsonOr } from '../../../text/json/json.ts';
import { loginAdvice } from '../answers.ts';
import { cleanLine } from '../texts.ts';

/** The maximum length of the reason of a failure. */
const MAX_REASON = 500;

/** A token is refreshed after this part of its time, because not every server says that it has expired. */
const USED_UP = 0.9;

/** The time that a refresh may take, in milliseconds: the token of the calls that wait for it may still work. */
const REFRESH_MS = 10_000;

/** The errors of an authorization server after which the login may still be refreshed. */
const PASSING = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

/** The login to a server: what the authorisation server has given, and where that is. */
export interface Login {
  readonly version: 1;
  readonly tokens: OAuthTokens;
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  readonly resource?: string;
  /** The time after which the token is refreshed, in milliseconds since 1970. */
  readonly until?: number;
}

/** Keeps the login to one server, for all processes of the user. */
export interface LoginStore {
  read(): Promise<Login | undefined>;
  write(login: Login): Promise<void>;
  /** Does work that no other process does at the same time. */
  locked<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Sends a request to any origin. */
export type LoginFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export function withTokens({ until: _until, ...login }: Omit<Login, 'version'>, { now }: LoginStore): Login {
  const { expires_in: seconds = 0 } = login.tokens;
  return { ...login, version: 1, ...(seconds > 0 && { until: now() + seconds * 1_000 * USED_UP }) };
}

/**
 * The tokens of a stored login for the requests to its server, which are refreshed when the server refuses them, or when
 * most of their time is over.
 */
export function loginTokens(name: string, store: LoginStore, fetch: LoginFetch): AuthProvider {
  let used: string | undefined;
  let refreshing: Promise<void> | undefined;
  /** Refreshes the token once for all requests that wait for it. */
  const refresh = (): Promise<void> => {
    refreshing ??= store.locked(async () => {
      // Another process may have refreshed it, and a refresh token works once.
      const login = await store.read();
      if (login === undefined) throw new ToolError('permission_denied', `it requires a login. ${loginAdvice(name)}`);
      if (login.tokens.access_token !== used) return;
      const { refresh_token: refreshToken } = login.tokens;
      const over = `its login has ended. ${loginAdvice(name)}`;
      if (refreshToken === undefined) throw new ToolError('permission_denied', over);
      const { OAuthError, refreshAuthorization } = await import('@modelcontextprotocol/client');
      const { authorizationServerUrl, authorizationServerMetadata: metadata } = login.discovery;
      const tokens = await refreshAuthorization(authorizationServerUrl, {
        ...{ refreshToken, clientInformation: login.client },
        fetchFn: leniently((url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(REFRESH_MS) })),
        ...(metadata && { metadata }),
        ...(login.resource !== undefined && { resource: login.resource }),
      }).catch((error: unknown) => {
        const isOver = error instanceof OAuthError && !PASSING.has(error.code);
        const failure = isOver ? over : 'its login cannot be refreshed now; a later call tries again';
        throw new ToolError('permission_denied', `${failure} (${refusalOf(error)})`);
      });
      await store.write(withTokens({ ...login, tokens }, store));
    });
    return refreshing.finally(() => {
      refreshing = undefined;
    });
  };
  return {
    async token() {
      const login = await store.read();
      used = login?.tokens.access_token;
      if (login?.tokens.refresh_token === undefined || store.now() < (login.until ?? Number.POSITIVE_INFINITY))
        return used;
      // If the token still works, its refresh can wait.
      await refresh().catch(() => undefined);
      used = (await store.read())?.tokens.access_token;
      return used;
    },
    onUnauthorized: refresh,
  };
}

/**
 * Answers of authorization servers in a form that the library accepts. Some write `null` or "" where there is no value,
 * leave out fields that have only one possible value, answer with a form, or with a page at an address that has nothing.
 */
export function leniently(fetch: LoginFetch): LoginFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const text = response.ok ? await response.clone().text() : '';
    const isForm = /(?:^|&)access_token=/.test(text);
    const answer = isForm ? Object.fromEntries(new URLSearchParams(text)) : jsonOr(undefined, text);
    if (!isJsonObject(answer))
      return response.ok && init?.method !== 'POST' ? new Response(null, { status: 404 }) : response;
    const said = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null && value !== ''));
    const { redirect_uris, token_endpoint_auth_method: method = 'none' } = jsonObjectIn(String(init?.body ?? ''));
    const { authorization_servers: servers } = said;
    const whole = {
      ...('access_token' in said && { token_type: 'Bearer' }),
      ...('client_id' in said && { redirect_uris, ...(method !== 'none' && { token_endpoint_auth_method: method }) }),
      ...('token_endpoint' in said && { response_types_supported: ['code'] }),
      ...said,
      // The library accepts an issuer without the last slash of this address, but not one with a slash that it lacks.
      ...(Array.isArray(servers) && {
        authorization_servers: servers.map((each) => String(each).replace(/\/?$/, '/')),
      }),
    };
    return Response.json(whole, { status: response.status });
  };
}

/** The reason of a failure without the words of the library, or the page in which it lies. */
export function refusalOf(error: unknown): string {
  const said = messageOf(error);
  const [issue]: readonly unknown[] = [jsonOr(undefined, said)].flat();
  if (isJsonObject(issue))
    return `an answer of its authorization server cannot be read: ${issue['path']}: ${issue['message']}`;
  const text = cleanLine(said.replaceAll(/<[^>]*>/g, ' '), MAX_REASON);
  const isOther = /issuer mismatch in authorization server metadata/i.test(text);
  const issuer = isOther ? '; to accept this issuer nevertheless, name it in the entry: "oauth": {"issuer": "…"}' : '';
  if (/issuer mismatch|does not match expected/i.test(text))
    return `${text}. Only the operator of the server can correct this${issuer}`;
  const advice = 'Register a client there, and name it in the entry: "oauth": {"client_id": "…"}';
  return /client registration/i.test(text) ? `${text}. ${advice}` : text;
}
