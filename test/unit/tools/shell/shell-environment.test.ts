import { describe, expect, it } from 'vitest';
import { readSandboxRules } from '../../../../src/tools/shell/sandbox-rules.ts';
import { secretNames, shellEnvironment } from '../../../../src/tools/shell/shell-environment.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const QUIET = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  LESS: '-FRX',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_COUNT: '4',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'safe.bareRepository',
  GIT_CONFIG_VALUE_1: 'explicit',
  GIT_CONFIG_KEY_2: 'diff.ignoreSubmodules',
  GIT_CONFIG_VALUE_2: 'dirty',
  GIT_CONFIG_KEY_3: 'diff.autoRefreshIndex',
  GIT_CONFIG_VALUE_3: 'false',
  TERM: 'dumb',
  NO_COLOR: '1',
};

function rest(environment: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(QUIET);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

describe('the environment of commands', () => {
  it('prevents pagers, editors, prompts and colours', () => {
    const user = { PAGER: 'less', pager: 'less', EDITOR: 'vim', TERM: 'xterm-256color', NO_COLOR: '' };
    expect(shellEnvironment(user, [])).toEqual(QUIET);
  });

  it.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'PGPASSWORD',
    'GH_PAT',
    'NPM_CONFIG__AUTH',
    'DATABASE_URL',
    'MY_PROVIDER',
  ])('contains %s only if it is passed as a secret', (name) => {
    const user = { [name]: 'canary' };
    expect(rest(shellEnvironment(user, ['MY_PROVIDER']))).toEqual({});
    expect(rest(shellEnvironment(user, ['MY_PROVIDER'], [name]))).toEqual({});
    expect(rest(shellEnvironment(user, ['MY_PROVIDER'], [`secret:${name}`]))).toEqual(user);
  });

  it.each([
    'CI',
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_ls%%',
    'DISPLAY',
  ])('contains %s only if it is passed', (name) => {
    expect(rest(shellEnvironment({ [name]: 'value' }))).toEqual({});
    expect(rest(shellEnvironment({ [name]: 'value' }, [], [name]))).toEqual({ [name]: 'value' });
  });

  it.each(['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'])('keeps %s', (name) => {
    expect(rest(shellEnvironment({ [name]: 'value' }, ['KEY']))).toEqual({ [name]: 'value' });
  });

  it.each([
    ['/w/node_modules/.bin:/usr/bin:/bin', '/usr/bin:/bin'],
    ['/w:/w/.venv/bin:/wider/bin:/home/u/bin', '/wider/bin:/home/u/bin'],
    ['.:node_modules/.bin::/bin:', '/bin'],
    ['/home/../w/bin:/w/../w/bin:/./bin:/opt/a..b:/bin', '/opt/a..b:/bin'],
    ['', ''],
  ])('has no directories of the project in PATH: %j', (value, expected) => {
    expect(rest(shellEnvironment({ PATH: value }, [], [], '/w'))).toEqual({ PATH: expected });
    expect(rest(shellEnvironment({ PATH: value }, [], ['PATH'], '/w'))).toEqual({ PATH: value });
  });

  it('has no directories of the project in PATH on Windows', () => {
    const user = { SystemRoot: 'C:\\Windows', Path: 'C:\\w\\bin;c:\\W;bin;C:\\Windows;\\\\server\\share\\bin' };
    expect(rest(shellEnvironment(user, [], [], 'C:\\w'))).toEqual({
      ...user,
      Path: 'C:\\Windows;\\\\server\\share\\bin',
    });
  });

  it.each([undefined, '/', '/w', '/w/ada'])('keeps absolute directories with the workspace %j', (workspace) => {
    const environment = { PATH: '/w/ada/bin:bin', HOME: '/w/ada' };
    expect(rest(shellEnvironment(environment, [], [], workspace))).toMatchObject({ PATH: '/w/ada/bin' });
  });

  it('keeps variables that programs for Windows need, only on Windows', () => {
    const user = { SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\P', APPDATA: 'C:\\A', OneDrive: 'C:\\O' };
    const { OneDrive: _other, ...kept } = user;
    expect(rest(shellEnvironment(user))).toEqual(kept);
    expect(rest(shellEnvironment({ APPDATA: 'C:\\A' }))).toEqual({});
  });

  it('does not override values that prevent a command from waiting', () => {
    expect(shellEnvironment({ PAGER: 'less' }, [], ['PAGER'])).toEqual(QUIET);
  });

  it('omits variables without a value', () => {
    expect(rest(shellEnvironment({ LANG: undefined }, []))).toEqual({});
  });
});

it('the secrets of an environment are those whose names say so, and the keys of providers', () => {
  const user = { MY_TOKEN: 'x', DB_PASSWORD: 'x', HOME: '/h', Odd: 'x', EMPTY: undefined };
  expect(secretNames(user, ['ODD'])).toEqual(['MY_TOKEN', 'DB_PASSWORD', 'Odd']);
});

it('the rules of the sandbox do not need a search path', async () => {
  const { fileSystem } = createMemoryFileSystem({ '/home/u/w/a': '' });
  const lists = { allowedPaths: [], blockedPaths: [], ownDirectories: ['/home/u/.config/ybs'], guardedPaths: [] };
  const settings = { ...lists, homeMode: 'read-only', localSockets: false, secretVariables: [] } as const;
  const machine = { fileSystem, platform: 'posix', home: '/home/u', digest: String } as const;
  const read = (environment: Record<string, string>) =>
    readSandboxRules(settings, '/home/u/w', { ...machine, environment });
  expect(await read({})).toEqual(await read({ PATH: '' }));
  expect(await read({})).toMatchObject({ home: 'read-only' });
});
