import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answerNotes, startHttp } from './http-servers.ts';

/** Behaviour of a server that requires a login, and of its authorisation server; by default that of the specification. */
export interface LoginServerOptions {
  readonly scope?: string;
  /** Replaces parts of all answers of the authorisation server. */
  readonly odd?: object;
  /** Answers at these paths, of both servers, in place of theirs; with the origins of the authorisation and of the own one. */
  readonly pages?: Readonly<Record<string, (response: ServerResponse, authorisation: string, own: string) => unknown>>;
  /** The `WWW-Authenticate` of a refusal; `undefined` is none. */
  readonly challenge?: ((metadata: string) => string | undefined) | undefined;
  /** The issuer in the metadata and in the answer of the login page, and the one that the server names. */
  readonly issuer?: (origin: string) => string;
  readonly named?: (origin: string) => string;
  /** The address that the server has by its own metadata. */
  readonly resource?: (url: string) => string;
  /** The ways to authenticate in the metadata, and the only one that works; its default is none. */
  readonly methods?: readonly string[];
  readonly accepts?: string;
  /** The status for a token that has expired. */
  readonly expired?: number;
  /** Tokens arrive as a form. */
  readonly isForm?: boolean;
  /** The answer of the login page, in place of a code. */
  readonly refusal?: Readonly<Record<string, string>>;
}

/**
 * A server of tools that requires a login, and its authorisation server on another port. A refresh token works once:
 * used again, it ends every token, as RFC 9700 asks for.
 */
export async function startLoginServer({
  scope = 'notes',
  odd = {},
  pages = {},
  challenge = (metadata) => `Bearer resource_metadata="${metadata}", scope="${scope}"`,
  issuer = (origin) => origin,
  named = (origin) => origin,
  resource = (url) => url,
  methods = ['none'],
  accepts = 'none',
  expired = 401,
  isForm = false,
  refusal,
}: LoginServerOptions = {}) {
  const answerTools = answerNotes();
  const valid = new Set<string>();
  const refreshTokens = new Set<string>();
  const spent = new Set<string>();
  const codes = new Map<string, string>();
  let count = 0;
  let broken: { readonly status: number; readonly error: string } | undefined;
  const authorisation = await startHttp(async ({ path: given, method, message: body, headers }, response) => {
    const origin = new URL(authorisation.url).origin;
    const url = new URL(given, origin);
    const answer = (value: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...value, ...odd }));
    };
    const page = pages[url.pathname];
    if (page !== undefined) return void page(response, origin, origin);
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return answer({
          ...{
            issuer: issuer(origin),
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
          },
          ...{ registration_endpoint: `${origin}/register`, response_types_supported: ['code'] },
          ...{ code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: methods },
          authorization_response_iss_parameter_supported: true,
        });
      case '/register': {
        const { token_endpoint_auth_method: asked }: { token_endpoint_auth_method?: string } = Object(body);
        if (asked !== accepts)
          return answer({ error: 'invalid_client_metadata', error_description: `not ${asked}` }, 400);
        const secret = accepts === 'none' ? {} : { client_secret: 'secret-1', token_endpoint_auth_method: undefined };
        return answer({ ...body, client_id: 'client-1', ...secret }, 201);
      }
      case '/authorize': {
        const { searchParams: query } = url;
        const code = `code-${codes.size}`;
        codes.set(code, query.get('code_challenge') ?? '');
        const back = new URL(query.get('redirect_uri') ?? '');
        const iss = issuer(origin);
        const said = refusal ?? { code, state: query.get('state') ?? '', ...(iss !== '' && { iss }) };
        back.search = String(new URLSearchParams(said));
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const form = new URLSearchParams(Object(body).text);
        const refreshToken = form.get('refresh_token');
        if (broken !== undefined || method !== 'POST') return answer({ error: broken?.error }, broken?.status ?? 405);
        const basic = `Basic ${btoa('client-1:secret-1')}`;
        const secret = { none: null, client_secret_post: 'secret-1', client_secret_basic: null }[accepts] ?? null;
        const isKnown = accepts !== 'client_secret_basic' || headers.authorization === basic;
        if (!isKnown || form.get('client_secret') !== secret) return answer({ error: 'invalid_client' }, 401);
        if (refreshToken !== null) {
          if (spent.has(refreshToken)) for (const tokens of [valid, refreshTokens]) tokens.clear();
          if (!refreshTokens.delete(refreshToken)) return answer({ error: 'invalid_grant' }, 400);
          spent.add(refreshToken);
        } else {
          const challenge = createHash('sha256')
            .update(form.get('code_verifier') ?? '')
            .digest('base64url');
          if (codes.get(form.get('code') ?? '') !== challenge) return answer({ error: 'invalid_grant' }, 400);
        }
        count += 1;
        valid.add(`access-${count}`);
        refreshTokens.add(`refresh-${count}`);
        const tokens = {
          access_token: `access-${count}`,
          refresh_token: `refresh-${count}`,
          token_type: 'Bearer',
          scope,
        };
        if (!isForm) return answer(tokens);
        return void response.writeHead(200, { 'content-type': 'text/plain' }).end(String(new URLSearchParams(tokens)));
      }
      default:
        return void response.writeHead(404).end();
    }
  });
  const server = await startHttp(async (seen, response) => {
    const { origin } = new URL(server.url);
    const page = pages[seen.path];
    if (page !== undefined) return void page(response, new URL(authorisation.url).origin, origin);
    if (seen.path.startsWith('/.well-known/oauth-protected-resource')) {
      const servers = [named(new URL(authorisation.url).origin)];
      const metadata = { resource: resource(server.url), authorization_servers: servers };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    }
    if (seen.path !== '/mcp') return void response.writeHead(404).end();
    const token = String(seen.headers.authorization ?? '').replace('Bearer ', '');
    if (valid.has(token)) return answerTools(seen, response);
    const said = challenge(`${origin}/.well-known/oauth-protected-resource/mcp`);
    const status = token === '' ? 401 : expired;
    response.writeHead(status, said !== undefined && status === 401 ? { 'www-authenticate': said } : {}).end();
  });
  return {
    url: server.url,
    seen: server.seen,
    authorisation: authorisation.seen,
    /** Ends the access tokens; their refresh tokens still work. */
    expire: () => valid.clear(),
    /** Lets each request for a token fail. */
    breakTokens: (failure: typeof broken) => {
      broken = failure;
    },
    refreshes: () => spent.size,
  };
}
