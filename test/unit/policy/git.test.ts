import { expect, it } from 'vitest';
import { safeGitArguments, safeGitEnvironment, withoutFilters } from '../../../src/policy/git.ts';

it('git gets the safe options before the command, each of which has a case here', () => {
  const args = safeGitArguments('/work', ['status', '--porcelain']);
  const settings = args.flatMap((argument, index) => (args[index - 1] === '-c' ? [argument] : []));
  expect(settings).toEqual([
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=false',
    'core.alternateRefsCommand=false',
    'credential.helper=',
    'safe.bareRepository=explicit',
    'gc.auto=0',
    'maintenance.auto=false',
    'submodule.recurse=false',
    'commit.gpgSign=false',
    'gpg.program=false',
    'gpg.openpgp.program=false',
    'gpg.x509.program=false',
    'gpg.ssh.program=false',
    'gpg.ssh.defaultKeyCommand=false',
    'log.showSignature=false',
  ]);
  const others = args.slice(settings.length * 2);
  expect(others.join(' ')).toBe('--no-pager --no-optional-locks -C /work status --porcelain');
});

it.each([
  ['HOME', '/home/ada'],
  ['USER', 'ada'],
  ['LOGNAME', 'ada'],
  ['TMPDIR', '/t'],
  ['TEMP', '/t'],
  ['TMP', '/t'],
  ['TZ', 'UTC'],
  ['XDG_CONFIG_HOME', '/c'],
  ['SystemRoot', 'C:\\Windows'],
  ['USERPROFILE', 'C:\\Users\\ada'],
  ['HOMEDRIVE', 'C:'],
  ['HOMEPATH', '\\Users\\ada'],
  ['APPDATA', 'C:\\a'],
  ['ProgramData', 'C:\\p'],
  ['EMAIL', 'ada@example.org'],
  ['GIT_AUTHOR_NAME', 'Ada'],
  ['GIT_AUTHOR_EMAIL', 'ada@example.org'],
  ['GIT_COMMITTER_NAME', 'Ada'],
  ['GIT_COMMITTER_EMAIL', 'ada@example.org'],
])('git receives the variable %s', (name, value) => {
  expect(safeGitEnvironment({ [name]: value }, 'posix', '/work')[name]).toBe(value);
});

it.each([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_EXTERNAL_DIFF',
  'GIT_CONFIG_COUNT',
  'GIT_SSH_COMMAND',
  'GIT_AUTHOR_DATE',
  'OPENAI_API_KEY',
  'LD_PRELOAD',
  'MY_PATH',
])('git does not receive the variable %s', (name) => {
  expect(safeGitEnvironment({ [name]: 'x' }, 'posix', '/work')).not.toHaveProperty(name);
});

it('git receives only absolute directories of PATH', () => {
  expect(safeGitEnvironment({ PATH: '/bin:.::bin:/usr/bin' }, 'posix', '/work')['PATH']).toBe('/bin:/usr/bin');
  const windows = safeGitEnvironment(
    { Path: 'C:\\Git;.;bin;\\\\host\\share;d:/x', HOME: undefined },
    'windows',
    'C:\\work',
  );
  expect(windows['Path']).toBe('C:\\Git;\\\\host\\share;d:/x');
  expect(windows).not.toHaveProperty('HOME');
});

it('git receives no directory of PATH inside the repository', () => {
  const inside = { PATH: '/work/node_modules/.bin:/work:/workbench/bin:/bin' };
  expect(safeGitEnvironment(inside, 'posix', '/work')['PATH']).toBe('/workbench/bin:/bin');
});

it('git may use no protocol, ask no question and report in one language', () => {
  expect(safeGitEnvironment({}, 'posix', '/work')).toEqual({
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    NoDefaultCurrentDirectoryInExePath: '1',
  });
});

it('git runs without the filters that it lists, whatever their names', () => {
  const listed = 'filter.lfs.clean\0filter.lfs.process\0filter.a.b=c.smudge\0core.editor\0';
  const environment = withoutFilters(listed, { HOME: '/h', GIT_CONFIG_COUNT: '1' });
  const settings = Array.from({ length: 8 }, (_, index) => [
    environment[`GIT_CONFIG_KEY_${index + 1}`],
    environment[`GIT_CONFIG_VALUE_${index + 1}`],
  ]);
  expect(settings).toEqual(
    ['lfs', 'a.b=c'].flatMap((name) => [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ]),
  );
  expect(environment).toMatchObject({ HOME: '/h', GIT_CONFIG_COUNT: '9' });
  expect(withoutFilters('', { HOME: '/h' })).toEqual({ HOME: '/h' });
});
