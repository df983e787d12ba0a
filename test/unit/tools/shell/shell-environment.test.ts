import { describe, expect, it } from 'vitest';
import { shellEnvironment } from '../../../../src/tools/shell/shell-environment.ts';

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
    'ANTHROPIC_API_KEY',
    'openai_api_key',
    'API_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'CLIENT_SECRET',
    'PGPASSWORD_TOKEN',
    'DB_PASSWORD',
    'AZURE_CREDENTIALS',
    'MY_PROVIDER_LOGIN',
    'my_provider_login',
    'BASH_ENV',
    'ENV',
    'SHELLOPTS',
    'CDPATH',
    'BASH_FUNC_ls%%',
    'FORCE_COLOR',
    'CLICOLOR_FORCE',
    'NODE_V8_COVERAGE',
    'NODE_TEST_CONTEXT',
  ])('does not contain %s', (name) => {
    expect(rest(shellEnvironment({ [name]: 'canary' }, ['MY_PROVIDER_LOGIN']))).toEqual({});
  });

  it.each(['PATH', 'HOME', 'CI', 'NODE_OPTIONS', 'MAX_TOKENS', 'TOKENIZERS_PARALLELISM', 'SSH_AUTH_SOCK', 'KEYBOARD'])(
    'keeps %s',
    (name) => {
      expect(rest(shellEnvironment({ [name]: 'value' }, ['KEY']))).toEqual({ [name]: 'value' });
    },
  );

  it.each(['AWS_PAGER', 'SYSTEMD_PAGER', 'GH_PAGER'])('sets %s to cat if the user set it', (name) => {
    expect(rest(shellEnvironment({ [name]: 'less' }, []))).toEqual({ [name]: 'cat' });
  });

  it('omits variables without a value', () => {
    expect(rest(shellEnvironment({ LANG: undefined }, []))).toEqual({});
  });
});
