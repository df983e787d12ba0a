import { expect, it } from 'vitest';
import { type Login, loginTokens } from '../../../../../src/tools/mcp/login/tokens.ts';

it('parallel requests refresh a token once, when the server refuses it and when most of its time is over', async () => {
  const issuer = 'https://login.example';
  const metadata = { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` };
  let login: Login = {
    ...{ version: 1, client: { client_id: 'c' } },
    tokens: { access_token: 'access-0', refresh_token: 'refresh-0', token_type: 'Bearer' },
    discovery: {
      authorizationServerUrl: issuer,
      authorizationServerMetadata: { ...metadata, response_types_supported: ['code'] },
    },
  };
  let time = 0;
  const forms: string[] = [];
  const fetch = async (_url: string | URL, init?: RequestInit): Promise<Response> => {
    // A server that does not answer must not keep the calls, nor the lock of the login.
    expect(init?.signal).toBeInstanceOf(AbortSignal);
    forms.push(String(new URLSearchParams(String(init?.body)).get('refresh_token')));
    const token = `access_token=access-${forms.length}&refresh_token=refresh-${forms.length}&expires_in=100`;
    return new Response(token);
  };
  const store = {
    read: async () => login,
    async write(next: Login) {
      login = next;
    },
    locked: <Result>(work: () => Promise<Result>) => work(),
    now: () => time,
  };
  const tokens = loginTokens('notes', store, fetch);
  const all = <Result>(work: () => Promise<Result> | undefined) => Promise.all([1, 2, 3].map(work));
  const refused = { response: new Response(null, { status: 401 }), serverUrl: new URL(issuer), fetchFn: fetch };
  expect(await tokens.token()).toBe('access-0');
  await all(() => tokens.onUnauthorized?.(refused));
  time = 89_000;
  expect(await all(() => tokens.token())).toEqual(['access-1', 'access-1', 'access-1']);
  time = 91_000;
  expect(await all(() => tokens.token())).toEqual(['access-2', 'access-2', 'access-2']);
  expect(forms).toEqual(['refresh-0', 'refresh-1']);
});
