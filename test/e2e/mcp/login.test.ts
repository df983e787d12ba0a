import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startLoginServer } from '../../support/mcp/login-server.ts';
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

function newPlace(url: string, withKeyring: boolean) {
  const home = temporaryDirectory();
  const config = { mcp: { servers: { notes: { url, headers: { 'X-Mine': 'secret-header' } } } } };
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

/** Logs in as a user whose browser agrees at once. */
async function logIn({ environment }: ReturnType<typeof newPlace>) {
  const login = startBin(['mcp', 'login', 'notes'], { environment });
  await login.waitFor('/authorize?');
  const [page = ''] = /http:\S+\/authorize\S+/.exec(login.stdout()) ?? [];
  const { headers } = await fetch(page, { redirect: 'manual' });
  const back = headers.get('location') ?? '';
  expect(new URL(back).hostname).toBe('127.0.0.1');
  await fetch(back);
  return login.ended;
}

describe.runIf(process.platform === 'linux')('a server that requires a login', () => {
  it('is used after a login, with the token in a file that is named once', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, false);
    const check = () => startBin(['mcp', 'check', 'notes'], { environment: place.environment }).ended;
    expect((await check()).stdout).toContain('The user can log in with: ybs mcp login notes');
    expect(server.seen.map(({ text }) => JSON.parse(text).method)).toEqual(['server/discover']);
    const { code, stdout } = await logIn(place);
    expect(code).toBe(0);
    const [file = ''] = /\/\S+\.json/.exec(stdout) ?? [];
    expect(stdout).toContain('Logged in to notes. There is no keyring that can be used, so the token is in a file');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await check()).stdout).toContain('notes: running, revision 2026-07-28, 3 tools');
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

  it('is used with a token in the keyring, which is in no file', async () => {
    const server = await startLoginServer();
    const place = newPlace(server.url, true);
    expect((await logIn(place)).stdout).toContain('The token is in the keyring of the system.');
    const [account = ''] = readdirSync(place.keys).filter((name) => name.startsWith('notes'));
    expect(readFileSync(path.join(place.keys, account), 'utf8')).toContain('"access_token":"access-1"');
    expect(existsSync(path.join(place.home, '.config/ybs/mcp/logins'))).toBe(true);
    expect(readdirSync(path.join(place.home, '.config/ybs/mcp/logins'))).toEqual([]);
    const { stdout } = await startBin(['mcp', 'check', 'notes'], { environment: place.environment }).ended;
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
    const check = () => startBin(['mcp', 'check', 'notes'], { environment: place.environment }).ended;
    server.expire();
    const checks = await Promise.all([check(), check(), check(), check()]);
    for (const { stdout } of checks) expect(stdout).toContain('notes: running');
    expect(server.refreshes()).toBe(1);
    server.expire();
    server.breakTokens(true);
    expect((await check()).stdout).toContain('its login has ended. The user can log in with: ybs mcp login notes');
    server.breakTokens(false);
    expect((await check()).stdout).toContain('notes: running');
  });

  it('is used with an authorization server that writes null for no value, and leaves out others (pi#10266)', async () => {
    const nothing = { scope: '', client_uri: '', logo_uri: null, scopes_supported: null, service_documentation: '' };
    const missing = { token_type: undefined, redirect_uris: undefined, response_types_supported: undefined };
    const server = await startLoginServer({ odd: { ...nothing, ...missing } });
    const place = newPlace(server.url, false);
    expect((await logIn(place)).stdout).toContain('Logged in to notes.');
    server.expire();
    const { stdout } = await startBin(['mcp', 'check', 'notes'], { environment: place.environment }).ended;
    expect(stdout).toContain('notes: running');
  });

  it.each([
    [{ authorization_endpoint: 'file:///etc/passwd' }, 'its login page must begin with https: or http:, not file:'],
    [{ registration_endpoint: undefined }, 'name it in the entry: "oauth": {"client_id": "…"}'],
    // openai/codex#38944, upstash/context7#2723, PagerDuty/pagerduty-mcp-server#169, Skyvern-AI/skyvern#8263
    [{ issuer: 'https://clerk.example' }, '"https://clerk.example". Only the operator of the server can correct this'],
    [{ token_endpoint: undefined }, 'an answer of its authorization server cannot be read: token_endpoint: '],
  ])('is not logged in to, with the reason, if its authorization server answers with %j', async (odd, reason) => {
    const { environment } = newPlace((await startLoginServer({ odd })).url, false);
    const { code, stdout, stderr } = await startBin(['mcp', 'login', 'notes'], { environment }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(reason);
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
