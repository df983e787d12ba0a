import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKeyring } from '../../../src/node/mcp/keyring.ts';
import { loginPages } from '../../../src/node/mcp/login-pages.ts';
import { startHttp } from '../../support/mcp/http-servers.ts';
import { type LoginServerOptions, startLoginServer } from '../../support/mcp/login-server.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { startBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

/** A keyring as `secret-tool` uses it: a directory with a file for each account. */
const SECRET_TOOL = `#!/bin/sh
verb=$1; for last in "$@"; do :; done
file="$KEYRING/$(printf %s "$last" | tr ' ' _)"
case $verb in
  store) cat > "$file" ;;
  lookup) cat "$file" ;;
  clear) rm "$file" ;;
esac
`;

function newPlace(url: string, withKeyring: boolean, oauth?: object) {
  const home = temporaryDirectory();
  const config = { mcp: { servers: { notes: { url, headers: { 'X-Mine': 'secret-header' }, oauth } } } };
  writeFiles(home, {
    '.config/ybs/config.json': JSON.stringify(config),
    'bin/secret-tool': SECRET_TOOL,
    'keys/.keep': '',
  });
  const program = path.join(home, 'bin/secret-tool');
  if (withKeyring) chmodSync(program, 0o755);
  const searchPath = withKeyring ? `${path.dirname(program)}:/usr/bin:/bin` : path.join(home, 'empty');
  return {
    home,
    keys: path.join(home, 'keys'),
    environment: {
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      KEYRING: path.join(home, 'keys'),
      PATH: searchPath,
    },
  };
}

type Place = ReturnType<typeof newPlace>;

/** Logs in as a user whose browser agrees at once. Resolves to the end, and the parameters of the page. */
async function logIn({ environment }: Place) {
  const login = startBin(['mcp', 'login', 'notes'], { environment });
  await login.waitFor('/authorize?');
  const [page = ''] = /http:\S+\/authorize\S+/.exec(login.stdout()) ?? [];
  const { headers } = await fetch(page, { redirect: 'manual' });
  const back = headers.get('location') ?? '';
  expect(new URL(back).hostname).toMatch(/^(?:127\.0\.0\.1|localhost)$/);
  await fetch(back);
  return { ...(await login.ended), query: new URL(page).searchParams };
}

const check = ({ environment }: Place) => startBin(['mcp', 'check', 'notes'], { environment }).ended;

const html = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><div id="app"></div>');

/** The metadata of OpenID Connect at an address where the other kind is a page. */
const openId = (authorization: string, issuer = authorization) => ({
  ...{ issuer, authorization_endpoint: `${authorization}/authorize`, token_endpoint: `${authorization}/token` },
  ...{ registration_endpoint: `${authorization}/register`, jwks_uri: `${authorization}/jwks` },
  ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
  id_token_signing_alg_values_supported: ['RS256'],
});

/** A server that knows clients by a secret only, in one way. */
const withSecret = (accepts: string): LoginServerOptions => ({ accepts, methods: [accepts] });

/** The registered client of a user. */
const MINE = { client_id: 'client-1', client_secret: 'secret-1' };

describe.runIf(process.platform === 'linux')('a server that requires a login', () => {
  it('is forgotten on macOS, too, if the user refuses to show its token', async () => {
    const place = temporaryDirectory();
    writeFiles(place, { security: '#!/bin/sh\n[ "$1" = delete-generic-password ]\n' });
    chmodSync(path.join(place, 'security'), 0o755);
    vi.stubEnv('PATH', place);
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { value: platform });
      vi.unstubAllEnvs();
    });
    const keyring = openKeyring(new Set());
    expect([await keyring?.read('notes 1'), await keyring?.remove('notes 1')]).toEqual([undefined, true]);
  });

  it('is used after a login, with the token in a file that is named once', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    expect((await check(place)).stdout).toContain('The user can log in with: ybs mcp login notes');
    // A server that a busy machine delays is asked in the older way, too.
    expect(server.seen.map(({ rpc }) => rpc).filter((rpc) => rpc !== 'initialize')).toEqual(['server/discover']);
    const { code, stdout } = await logIn(place);
    expect(code).toBe(0);
    const [file = ''] = /\/\S+\.json/.exec(stdout) ?? [];
    expect(stdout).toContain('Logged in to notes. There is no keyring that can be used, so the token is in a file');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await check(place)).stdout).toMatch(/notes: running, revision 202\d-\d\d-\d\d, 3 tools/);
    // Neither the token nor the configured header was sent to the other origin.
    const sent = JSON.stringify(server.authorisation.map(({ headers }) => headers));
    expect(sent).not.toContain('access-1');
    expect(sent).not.toContain('secret-header');
    expect(server.seen.every(({ headers }) => headers['x-mine'] === 'secret-header')).toBe(true);
    const out = await startBin(['mcp', 'logout', 'notes'], { environment: place.environment }).ended;
    expect(out.stdout).toBe('Logged out of notes.\n');
    expect(existsSync(file)).toBe(false);
    expect((await startBin(['mcp', 'logout', 'notes'], { environment: place.environment }).ended).stdout).toBe(
      'There was no login to notes.\n',
    );
  });

  it.each([false, true])(
    'sends its token to no other host that a variable names (keyring: %s)',
    async (withKeyring) => {
      const [server, other] = [await startLoginServer(), await startLoginServer()];
      const place = newPlace(`\${NOTES_URL}`, withKeyring);
      const at = ({ url }: typeof server) => ({ ...place, environment: { ...place.environment, NOTES_URL: url } });
      expect((await logIn(at(server))).stdout).toContain('Logged in to notes.');
      expect((await check(at(server))).stdout).toContain('notes: running');
      expect((await check(at(other))).stdout).toContain('it requires a login');
      expect(other.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
      const logOut = (to: typeof server) => startBin(['mcp', 'logout', 'notes'], at(to)).ended;
      expect((await logOut(other)).stdout).toBe('There was no login to notes.\n');
      expect((await logOut(server)).stdout).toBe('Logged out of notes.\n');
    },
  );

  it('is used with a token in the keyring, which is in no file', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, true);
    expect((await logIn(place)).stdout).toContain('The token is in the keyring of the system.');
    const [account = ''] = readdirSync(place.keys).filter((name) => name.startsWith('notes'));
    expect(readFileSync(path.join(place.keys, account), 'utf8')).toContain('"access_token":"access-1"');
    expect(existsSync(path.join(place.home, '.config/ybs/mcp/logins'))).toBe(true);
    expect(readdirSync(path.join(place.home, '.config/ybs/mcp/logins'))).toEqual([]);
    const { stdout } = await check(place);
    expect(stdout).toContain('notes: running');
    expect((await startBin(['mcp', 'logout', 'notes'], { environment: place.environment }).ended).stdout).toBe(
      'Logged out of notes.\n',
    );
    expect(readdirSync(place.keys)).toEqual(['.keep']);
  });

  it('has its token refreshed once for all processes, and keeps it after a failure', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    await logIn(place);
    server.expire();
    const checks = await Promise.all([check(place), check(place), check(place), check(place)]);
    for (const { stdout } of checks) expect(stdout).toContain('notes: running');
    expect(server.refreshes()).toBe(1);
    server.expire();
    for (const failure of [
      { status: 500, error: 'server_error' },
      { status: 503, error: 'temporarily_unavailable' },
    ]) {
      server.breakTokens(failure);
      expect((await check(place)).stdout).toContain('its login cannot be refreshed now; a later call tries again');
    }
    server.breakTokens(undefined);
    expect((await check(place)).stdout).toContain('notes: running');
  });

  it('is used with an authorization server that writes null for no value, and leaves out others (pi#10266)', async () => {
    const nothing = { scope: '', client_uri: '', logo_uri: null, scopes_supported: null, service_documentation: '' };
    const missing = { token_type: undefined, redirect_uris: undefined, response_types_supported: undefined };
    const server = await startLoginServer({ odd: { ...nothing, ...missing } });
    const place = newPlace(server.url, false);
    expect((await logIn(place)).stdout).toContain('Logged in to notes.');
    server.expire();
    const { stdout } = await check(place);
    expect(stdout).toContain('notes: running');
  });

  it.each<readonly [string, LoginServerOptions & { readonly oauth?: object }]>([
    ['names no metadata (n8n-mcp#604)', { challenge: () => undefined }],
    ['names another way, too', { challenge: (metadata) => `Basic realm="x", Bearer resource_metadata="${metadata}"` }],
    [
      'names metadata that only it can reach (mcp-handler#110)',
      { challenge: () => 'Bearer resource_metadata="http://127.0.0.1:9/x"' },
    ],
    [
      'shows pages in place of metadata (outline#11572, typescript-sdk#2126, rust-sdk#544)',
      {
        pages: {
          '/.well-known/oauth-authorization-server': html,
          '/.well-known/openid-configuration': (response, authorization) =>
            response.writeHead(200).end(JSON.stringify(openId(authorization))),
        },
      },
    ],
    [
      'is only named by the metadata at the server, among pages',
      {
        issuer: () => '',
        pages: {
          '/.well-known/oauth-protected-resource/mcp': html,
          '/.well-known/oauth-protected-resource': html,
          '/.well-known/oauth-authorization-server': (response, authorization, own) =>
            response.writeHead(200).end(JSON.stringify(openId(authorization, own))),
        },
      },
    ],
    ['has an issuer with a slash at its end (hermes-agent#107801)', { issuer: (origin) => `${origin}/` }],
    ['is named with a slash at its end (copilot-cli#4606)', { named: (origin) => `${origin}/` }],
    [
      'has an issuer that its entry names (atlassian-mcp-server#205, smartbear-mcp#682)',
      { issuer: () => 'https://issuer.example', oauth: { issuer: 'https://issuer.example' } },
    ],
    ['covers its whole origin (mcp-auth-proxy#177)', { resource: (url) => new URL(url).origin }],
    ['registers public clients only (claude-ai-mcp#1043)', { methods: ['client_secret_post', 'none'] }],
    ['registers clients with a secret only (mcp-remote#184)', withSecret('client_secret_post')],
    [
      'does not read the header that it names (archestra#7977)',
      { ...withSecret('client_secret_post'), methods: ['client_secret_basic', 'client_secret_post'] },
    ],
    ['reads a secret in the header only', withSecret('client_secret_basic')],
    [
      'reads a secret in the header only, of a client of the user (claude-ai-mcp#667)',
      { ...withSecret('client_secret_basic'), oauth: MINE },
    ],
    [
      'does not read the header that it names, of a client of the user (context7#2970)',
      { ...withSecret('client_secret_post'), methods: ['client_secret_basic', 'client_secret_post'], oauth: MINE },
    ],
    ['sends tokens as a form (qwen-code#5355)', { isForm: true }],
    ['sends times as texts (typescript-sdk#1120)', { odd: { expires_in: '3600' } }],
    // Doist/todoist-mcp#366, byadsco/meta-ads-mcp#61, exa-mcp-server#336
    ['answers an old token with 403', { expired: 403, odd: { expires_in: 0.001 } }],
    ['answers an old token with 500', { expired: 500, odd: { expires_in: 0.001 } }],
  ])('is used that %s', async (_name, { oauth, ...options }) => {
    const server = await startLoginServer(options);
    const place = newPlace(server.url, false, oauth);
    expect((await logIn(place)).stderr).toBe('');
    server.expire();
    expect((await check(place)).stdout).toContain('notes: running');
    expect(server.refreshes()).toBeGreaterThan(0);
  });

  it.each([
    ['invalid_grant', 400],
    // obot#7501, metabase#80389
    ['invalid_request', 400],
    ['invalid_client', 401],
  ])('has to be logged in to again after %s, and a later login is used', async (error, status) => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    await logIn(place);
    server.expire();
    server.breakTokens({ status, error });
    const ended = 'its login has ended. The user can log in with: ybs mcp login notes';
    expect((await check(place)).stdout).toContain(ended);
    server.breakTokens(undefined);
    expect((await logIn(place)).stdout).toContain('Logged in to notes.');
    expect((await check(place)).stdout).toContain('notes: running');
  });

  it('has to be logged in to again if the file of its token is broken (gemini-cli#27663)', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    const { stdout } = await logIn(place);
    const [file = ''] = /\/\S+\.json/.exec(stdout) ?? [];
    writeFileSync(file, '{"version":1,"tokens":{"acc');
    expect((await check(place)).stdout).toContain('it requires a login');
    await logIn(place);
    expect((await check(place)).stdout).toContain('notes: running');
  });

  // mcpc#269, claude-code#86233, nsflow#233, pi-mcp-adapter#53
  it('gets the address of its answer from its entry', async () => {
    const server = await startLoginServer();
    const { port, close } = await startHttp(() => {});
    await close();
    const redirect = `http://localhost:${port}/oauth/callback`;
    const { stdout, query } = await logIn(newPlace(server.url, false, { redirect_uri: redirect }));
    expect(query.get('redirect_uri')).toBe(redirect);
    expect(stdout).toContain('Logged in to notes.');
    const anyPort = await logIn(newPlace(server.url, false, { redirect_uri: 'http://localhost/callback' }));
    expect(anyPort.query.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+\/callback$/);
    // A URL drops the default port 80, on which an ordinary user may not listen.
    const usual = await loginPages(new Set())
      .openCallback('http://localhost:80/x')
      .catch(({ message }) => ({ url: message }));
    expect(usual.url).toContain('http://localhost:80/x');
    if ('close' in usual) await usual.close();
    // opencode#30888
    const busy = await startHttp(() => {});
    const { environment } = newPlace(server.url, false, { redirect_uri: `http://127.0.0.1:${busy.port}/callback` });
    const { code, stderr } = await startBin(['mcp', 'login', 'notes'], { environment }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`127.0.0.1:${busy.port}/callback ("redirect_uri"): the port is in use`);
  });

  // Amazon-Q-Developer/language-servers#2879, vercel/ai#19500, andrewyng/openworker#527
  it.each(['', 'authorization_servers', 'registration_endpoint', 'token_endpoint', 'authorization_endpoint'])(
    'to a server over HTTPS sends nothing over plain HTTP, to which it names as "%s"',
    async (named) => {
      const plain = await startHttp((_request, response) => void response.end('{}'));
      const place = newPlace('https://127.0.0.1', false);
      const [key, certificate] = ['key.pem', 'ca.pem'].map((name) => path.join(place.home, name));
      const openssl = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=x -days 2';
      const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', `${key}`, '-out', `${certificate}`];
      execFileSync('openssl', [...openssl.split(' '), ...names], { stdio: 'ignore' });
      const tls = { key: readFileSync(`${key}`), cert: readFileSync(`${certificate}`) };
      const server = createServer(tls, ({ url = '' }, response) => {
        const at = (name: string) => `${name === named ? new URL(plain.url).origin : origin}/${name}`;
        const answers: Record<string, object> = {
          '/.well-known/oauth-protected-resource': {
            ...{ resource: `${origin}/mcp`, authorization_servers: [new URL(at('authorization_servers')).origin] },
          },
          '/.well-known/oauth-authorization-server': {
            ...{ issuer: origin, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
            ...{ registration_endpoint: at('registration_endpoint'), token_endpoint: at('token_endpoint') },
            authorization_endpoint: at('authorization_endpoint'),
          },
          '/registration_endpoint': { client_id: 'client-1' },
          '/token_endpoint': { access_token: 'token-1', token_type: 'bearer' },
        };
        const metadata = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
        response.setHeader('www-authenticate', metadata);
        response.writeHead(url in answers ? 200 : 401).end(JSON.stringify(answers[url] ?? {}));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
      const origin = `https://127.0.0.1:${port}`;
      const config = { llm: { ca_file: certificate }, mcp: { servers: { notes: { url: `${origin}/mcp` } } } };
      writeFiles(place.home, { '.config/ybs/config.json': JSON.stringify(config) });
      const login = startBin(['mcp', 'login', 'notes'], { environment: place.environment });
      if (named === '' || named === 'token_endpoint') {
        await login.waitFor('/authorization_endpoint?');
        const page = new URL(/https:\S+/.exec(login.stdout())?.[0] ?? '').searchParams;
        await fetch(`${page.get('redirect_uri')}?code=1&state=${page.get('state')}`);
      }
      const { stderr, code } = await login.ended;
      expect({ code, isRefused: stderr.includes('its login uses http://127.0.0.1:') }).toEqual(
        named === '' ? { code: 0, isRefused: false } : { code: 1, isRefused: true },
      );
      expect(plain.seen).toEqual([]);
    },
  );

  // claude-code#73460: Entra accepts no resource but that of its application.
  it.each(['api://app-1', ''])('gets the resource %j that its entry names', async (resource) => {
    const server = await startLoginServer();
    const { query } = await logIn(newPlace(server.url, false, { resource }));
    expect(query.get('resource') ?? '').toBe(resource);
    const forms = server.authorisation.map(({ text }) => new URLSearchParams(text)).filter((form) => form.has('code'));
    expect(forms.map((form) => form.get('resource') ?? '')).toEqual([resource]);
  });

  it.each<readonly [LoginServerOptions, string]>([
    [{ odd: { authorization_endpoint: 'file:///etc/passwd' } }, 'its login uses file://'],
    [{ odd: { registration_endpoint: undefined } }, 'name it in the entry: "oauth": {"client_id": "…"}'],
    // openai/codex#38944, upstash/context7#2723, PagerDuty/pagerduty-mcp-server#169, Skyvern-AI/skyvern#8263
    [
      { odd: { issuer: 'https://clerk.example' } },
      '"https://clerk.example". Only the operator of the server can correct this',
    ],
    [{ odd: { token_endpoint: undefined } }, 'an answer of its authorization server cannot be read: token_endpoint: '],
    // mesh-mcp#19
    [
      { resource: () => 'https://other.example/mcp' },
      'Protected resource https://other.example/mcp does not match expected',
    ],
    // claude-code#72673
    [
      {
        pages: {
          '/register': (response) =>
            response.writeHead(403).end(`<!doctype html><title>Just a moment...</title>${'<p>x</p>'.repeat(5_000)}`),
        },
      },
      '(HTTP 403): Just a moment...',
    ],
    // contextstream/mcp-server#57
    [
      {
        pages: {
          '/register': (response) => response.writeHead(400).end('{"error":"invalid_redirect_uri"}'),
        },
      },
      'invalid_redirect_uri',
    ],
  ])('is not logged in to, with the reason, if it has %j', async (options, reason) => {
    const { environment } = newPlace((await startLoginServer(options)).url, false);
    const { code, stdout, stderr } = await startBin(['mcp', 'login', 'notes'], { environment }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr.length).toBeLessThan(1_500);
  });

  // claude-code#37337, budget-tracker#551
  it.each<readonly [LoginServerOptions, string]>([
    [{ refusal: { error: 'access_denied', error_description: 'The user said no.' } }, 'The user said no.'],
    [{ refusal: { error: 'access_denied' } }, 'access_denied'],
  ])('is not logged in to if its login page answers %j', async (options, reason) => {
    const { code, stderr } = await logIn(newPlace((await startLoginServer(options)).url, false));
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  // The last page of a browser on another machine, as over SSH, has an address that the browser cannot reach.
  it('is used after a login in which the address of the last page was pasted', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    const environment = { ...place.environment, BROWSER: '/bin/true' };
    const login = startInTerminal(['mcp', 'login', 'notes'], { environment, columns: 1_000 });
    await login.waitForText('paste the address of its last page here.');
    const [page = ''] = /http:\S+\/authorize\S+/.exec(login.screen()) ?? [];
    const { headers } = await fetch(page, { redirect: 'manual' });
    await login.waitForPrompt('> ');
    login.type('http://127.0.0.1/callback\r');
    await login.waitForText('This is not the address of the last page. Paste the one that contains "code=".');
    await login.waitForPrompt('> ');
    login.type(`${headers.get('location')}\r`);
    expect(await login.ended).toMatchObject({ exitCode: 0 });
    expect(login.screen()).toContain('Logged in to notes.');
    expect((await check(place)).stdout).toContain('notes: running');
  });

  it('is not used after an answer to another login', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    const login = startBin(['mcp', 'login', 'notes'], { environment: place.environment });
    await login.waitFor('/authorize?');
    const [page = ''] = /http:\S+\/authorize\S+/.exec(login.stdout()) ?? [];
    const back = new URL(new URL(page).searchParams.get('redirect_uri') ?? '');
    expect((await fetch(new URL('/other', back))).status).toBe(404);
    back.search = '?code=stolen&state=other';
    await fetch(back);
    const { code, stderr } = await login.ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain('is not for this login');
  });
});
