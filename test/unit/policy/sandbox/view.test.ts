import { describe, expect, it } from 'vitest';
import {
  directoriesOutsideView,
  isPlainGitConfig,
  secretVariable,
  variablesOfView,
} from '../../../../src/policy/sandbox/view.ts';

it('a command in a view has no variables with secrets, its own cache directories, and Go without git', () => {
  const variables = { PATH: '/bin', NPM_TOKEN: 'x', Deploy: 'y', XDG_CACHE_HOME: '/c' };
  expect(variablesOfView(variables, { secretVariables: ['NPM_TOKEN', 'DEPLOY'] })).toEqual({
    PATH: '/bin',
    XDG_CACHE_HOME: '/tmp/cache',
    npm_config_cache: '/tmp/npm',
    GOFLAGS: '-buildvcs=false',
  });
  expect(variablesOfView({ GOFLAGS: '-mod=mod' }, { secretVariables: [] })).toMatchObject({
    GOFLAGS: '-mod=mod -buildvcs=false',
  });
});

it('the names of variables with secrets are recognized by a mark', () => {
  expect(['CI', 'secret:NPM_TOKEN'].map(secretVariable)).toEqual([undefined, 'NPM_TOKEN']);
});

it('a view has only the directories of the system', () => {
  expect(directoriesOutsideView(['bin', 'etc', 'home', 'srv', 'usr'])).toEqual(['/home', '/srv']);
});

describe('settings of git', () => {
  it.each([
    ['[user]\n\tname = a', true],
    ['[remote "origin"]\n\turl = ssh://git@example.org/a.git', true],
    ['[credential]\n\thelper = store', true],
    ['\turl = https://user:pass@example.org/a.git', false],
    ['\turl = https://0123456789012345678901234567890123456789@example.org/a.git', false],
    ['[http]\n\textraheader = Authorization: x', false],
    ['\toauthToken = x', false],
    ['[http]\n\tcookieFile = x', false],
  ])('%j', (text, isPlain) => {
    expect(isPlainGitConfig(text)).toBe(isPlain);
  });
});
