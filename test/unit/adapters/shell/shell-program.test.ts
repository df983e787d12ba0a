import { describe, expect, it } from 'vitest';
import { chooseShellProgram } from '../../../../src/adapters/shell/shell-program.ts';

const GIT = 'C:\\Program Files\\Git\\bin\\bash.exe';
const USER_GIT = 'C:\\Users\\a\\AppData\\Local\\Programs\\Git\\bin\\bash.exe';
const WSL = 'C:\\Windows\\System32\\bash.exe';
const POWERSHELL = 'System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const WINDOWS = {
  PROGRAMFILES: 'C:\\Program Files',
  LocalAppData: 'C:\\Users\\a\\AppData\\Local',
  SystemRoot: 'D:\\Win',
};

describe('the shell of a machine', () => {
  it.each([
    ['posix', {}, ['/bin/bash', '/bin/sh'], 'bash', '/bin/bash', 'posix'],
    ['posix', {}, ['/bin/sh'], 'sh', '/bin/sh', 'posix'],
    ['windows', WINDOWS, [GIT, USER_GIT, WSL], 'Git Bash', GIT, 'posix'],
    ['windows', WINDOWS, [USER_GIT, WSL], 'Git Bash', USER_GIT, 'posix'],
    ['windows', WINDOWS, [WSL], 'PowerShell', `D:\\Win\\${POWERSHELL}`, 'powershell'],
    ['windows', {}, [], 'PowerShell', `C:\\Windows\\${POWERSHELL}`, 'powershell'],
  ] as const)('on %s with %j and %j is %s', (platform, environment, files, name, program, kind) => {
    const exists = (file: string): boolean => files.some((known) => known === file);
    expect(chooseShellProgram({ platform, environment, exists })).toMatchObject({ name, program, kind });
  });

  it.each([
    ['/bin/bash', ['--noprofile', '--norc', '-c']],
    ['/bin/sh', ['-c']],
  ])('%s reads no start-up files', (file, args) => {
    const chosen = chooseShellProgram({ platform: 'posix', environment: {}, exists: (path) => path === file });
    expect(chosen.args).toEqual(args);
  });

  it('PowerShell reads no profile and asks nothing', () => {
    const chosen = chooseShellProgram({ platform: 'windows', environment: {}, exists: () => false });
    expect(chosen.args).toEqual(['-NoProfile', '-NonInteractive', '-Command']);
  });
});
