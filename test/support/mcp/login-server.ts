import { createHash } from 'node:crypto';
import { answerNotes, startHttp } from './http-servers.ts';

/**
 * A server of tools that requires a login, and its authorisation server on another port. A refresh token works once:
 * used again, it ends every token, as RFC 9700 asks for. `odd` replaces parts of all answers of the authorisation server.
 */
export async function startLoginServer({ scope = 'notes', odd = {} }: { scope?: string; odd?: object } = {}) {
  const answerTools = answerNotes();
  const valid = new Set<string>();
  const refreshTokens = new Set<string>();
  const spent = new Set<string>();
  const codes = new Map<string, string>();
  let count = 0;
  let isBroken = false;
  const authorisation = await startHttp(async ({ path: given, method, message: body }, response) => {
    const origin = new URL(authorisation.url).origin;
    const url = new URL(given, origin);
    const answer = (value: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...value, ...odd }));
    };
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return answer({
          ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
          ...{ registration_endpoint: `${origin}/register`, response_types_supported: ['code'] },
          ...{ code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'] },
          authorization_response_iss_parameter_supported: true,
        });
      case '/register':
        return answer({ ...body, client_id: 'client-1' }, 201);
      case '/authorize': {
        const { searchParams: query } = url;
        const code = `code-${codes.size}`;
        codes.set(code, query.get('code_challenge') ?? '');
        const back = new URL(query.get('redirect_uri') ?? '');
        back.search = String(new URLSearchParams({ code, state: query.get('state') ?? '', iss: origin }));
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const form = new URLSearchParams(Object(body).text);
        const refreshToken = form.get('refresh_token');
        if (isBroken || method !== 'POST') return answer({ error: 'server_error' }, 500);
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
        return answer({
          access_token: `access-${count}`,
          refresh_token: `refresh-${count}`,
          token_type: 'Bearer',
          scope,
        });
      }
      default:
        return void response.writeHead(404).end();
    }
  });
  const server = await startHttp(async (seen, response) => {
    const { origin } = new URL(server.url);
    if (seen.path.startsWith('/.well-known/oauth-protected-resource')) {
      const metadata = { resource: server.url, authorization_servers: [new URL(authorisation.url).origin] };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    }
    const token = String(seen.headers.authorization ?? '').replace('Bearer ', '');
    if (!valid.has(token)) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const challenge = `Bearer resource_metadata="${metadata}", scope="${scope}"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    return answerTools(seen, response);
  });
  return {
    url: server.url,
    seen: server.seen,
    authorisation: authorisation.seen,
    /** Ends the access tokens; their refresh tokens still work. */
    expire: () => valid.clear(),
    breakTokens: (isDown: boolean) => {
      isBroken = isDown;
    },
    refreshes: () => spent.size,
  };
}
