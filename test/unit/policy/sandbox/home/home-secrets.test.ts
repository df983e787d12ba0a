import { describe, expect, it } from 'vitest';
import {
  type HomeEntryUse,
  holdsHomeSecret,
  mayHoldSecrets,
  useOfHomeFile,
} from '../../../../../src/policy/sandbox/home/home-secrets.ts';

describe('secrets in the visible parts of a hidden home', () => {
  it.each<[directory: string, name: string, use: HomeEntryUse]>([
    ['.nvm', '.npmrc', 'settings'],
    ['etc', 'npmrc', 'settings'],
    ['global', '.npmrc', 'settings'],
    ['global', '.YARNRC.yml', 'settings'],
    ['pnpm', 'rc', 'settings'],
    ['.bundle', 'config', 'settings'],
    ['3.12.1', 'pip.conf', 'settings'],
    ['app', '.envrc', 'settings'],
    ['uv', 'credentials.toml', 'secret'],
    ['gem', 'credentials', 'secret'],
    ['pypoetry', 'auth.toml', 'secret'],
    ['composer', 'auth.json', 'secret'],
    ['3.12.1', '.pypirc', 'secret'],
    ['dists', '.netrc', 'secret'],
    ['app', '.env', 'secret'],
    ['app', '.env.production', 'secret'],
    ['app', '.env.example', 'ordinary'],
    ['bin', 'id_ed25519', 'secret'],
    ['bin', 'store.p12', 'secret'],
    ['bin', 'deploy.pem', 'key'],
    ['bin', 'deploy.key', 'key'],
    ['bin', 'shop-service-account.json', 'secret'],
    ['bin', 'node', 'ordinary'],
    ['nvm', 'nvm.sh', 'ordinary'],
  ])('%s/%s is %s', (directory, name, use) => {
    expect(useOfHomeFile(directory, name)).toBe(use);
  });

  it.each<[HomeEntryUse, text: string, holds: boolean]>([
    ['ordinary', 'token = a', false],
    ['secret', '', true],
    ['key', '-----BEGIN CERTIFICATE-----', false],
    ['key', '-----BEGIN RSA PRIVATE KEY-----', true],
    ['settings', 'prefix=~/.npm-global\nregistry=https://registry.npmjs.org/', false],
    ['settings', '//registry.npmjs.org/:_authToken=npm_abc', true],
    ['settings', '_auth=dXNlcjpwYXNz', true],
    ['settings', '_password=abc', true],
    ['settings', 'npmAuthToken: abc', true],
    ['settings', "npmAuthIdent: 'a:b'", true],
    ['settings', 'npmRegistryServer: "https://registry.yarnpkg.com"', false],
    ['settings', '[install.scopes]\nmyorg = { token = "$npm_token" }', true],
    ['settings', '[global]\nindex-url = https://ada:pw@pypi.example.org/simple', true],
    ['settings', '[global]\nindex-url = https://pypi.org/simple', false],
    ['settings', 'BUNDLE_GEMS__CONTRIBSYS__COM: "abc:def"', true],
    ['settings', 'BUNDLE_PATH: "vendor/bundle"', false],
    ['settings', '<password>abc</password>', true],
    ['settings', 'gradlePassword=abc', true],
    ['settings', '{"auths": {"a": {"identitytoken": "b"}}}', true],
    ['settings', 'export API_KEY=abc', true],
    ['settings', '[remote "origin"]\n\turl = https://ada:pw@example.org/x', true],
    ['settings', '[remote "origin"]\n\turl = https://example.org/x', false],
  ])('are detected in %s with the text %j: %s', (use, text, holds) => {
    expect(holdsHomeSecret(use, text)).toBe(holds);
  });

  it('are not searched in directories of published files', () => {
    expect(['node_modules', 'Site-Packages', 'lib', '.git'].map(mayHoldSecrets)).toEqual([false, false, false, false]);
    expect(['versions', 'etc', 'venvs'].map(mayHoldSecrets)).toEqual([true, true, true]);
  });
});
