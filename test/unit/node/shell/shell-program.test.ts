import { describe, expect, it } from 'vitest';
import { chooseShellProgram } from '../../../../src/node/shell/shell-program.ts';

const GIT = 'C:\\Program Files\\Git\\bin\\bash.exe';
const USER_GIT = 'C:\\Users\\a\\AppData\\Local\\Programs\\Git\\bin\\bash.exe';
const WSL = 'C:\\Windows\\System32\\bash.exe';
const POWERSHELL = 'System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const WINDOWS = {
  PROGRAMFILES: 'C:\\Program Files',
  LocalAppData: 'C:\\Users\\a\\AppData\\Local',
  SystemRoot: 'D:\\Win',
};

describe('chooseShellProgram', () => {
  it.each([
    ['posix', {}, ['/bin/bash', '/bin/sh'], 'bash', '/bin/bash'],
    ['posix', {}, ['/bin/sh'], 'sh', '/bin/sh'],
    ['windows', WINDOWS, [GIT, USER_GIT, WSL], 'Git Bash', GIT],
    ['windows', WINDOWS, [USER_GIT, WSL], 'Git Bash', USER_GIT],
    ['windows', WINDOWS, [WSL], 'PowerShell', `D:\\Win\\${POWERSHELL}`],
    ['windows', {}, [], 'PowerShell', `C:\\Windows\\${POWERSHELL}`],
  ] as const)(
    'on %s with the environment %j and the files %j chooses %s',
    (platform, environment, files, name, program) => {
      const exists = (file: string): boolean => files.some((known) => known === file);
      expect(chooseShellProgram({ platform, environment, exists })).toMatchObject({ name, program });
    },
  );

  it.each([
    ['/bin/bash', ['--noprofile', '--norc', '-c']],
    ['/bin/sh', ['-c']],
  ])('starts %s without start-up files', (file, args) => {
    const chosen = chooseShellProgram({ platform: 'posix', environment: {}, exists: (path) => path === file });
    expect(chosen.args).toEqual(args);
  });

  it('starts PowerShell without a profile or prompts', () => {
    const chosen = chooseShellProgram({ platform: 'windows', environment: {}, exists: () => false });
    expect(chosen.args).toEqual(['-NoProfile', '-NonInteractive', '-Command']);
  });
});
