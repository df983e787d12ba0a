import { describe, expect, it } from 'vitest';
import { expandPath, findPathTextProblem } from '../../../../src/policy/paths/written-path.ts';

describe('expandPath', () => {
  const posix = { workspace: '/work/app', platform: 'posix', home: '/home/u' } as const;
  const windows = { workspace: 'C:\\work', platform: 'windows', home: 'C:\\Users\\u' } as const;
  it.each([
    ['a/b', posix, '/work/app/a/b'],
    ['./', posix, '/work/app'],
    ['/etc', posix, '/etc'],
    ['missing/../../etc', posix, '/work/etc'],
    ['~', posix, '/home/u'],
    ['~/x', posix, '/home/u/x'],
    ['~other/x', posix, '/work/app/~other/x'],
    ['~\\x', posix, '/work/app/~\\x'],
    ['a/~', posix, '/work/app/a/~'],
    ['~/x', { ...posix, home: undefined }, '/work/app/~/x'],
    ['~/$&', { ...posix, home: '/home/$1' }, '/home/$1/$&'],
    ['~\\x', windows, 'C:\\Users\\u\\x'],
    ['a/b', windows, 'C:\\work\\a\\b'],
  ])('resolves %s', (written, rules, expected) => {
    expect(expandPath(written, rules)).toBe(expected);
  });
});

describe('findPathTextProblem', () => {
  it.each([
    ['src/a b.ts', 'posix', undefined],
    ['$HOME/%2e%2e/file:///x', 'posix', undefined],
    ['con', 'posix', undefined],
    ['console.log', 'windows', undefined],
    ['com10', 'windows', undefined],
    ['a'.repeat(4096), 'posix', undefined],
    ['', 'posix', 'The path is empty. Use "." for the workspace.'],
    ['a'.repeat(4097), 'posix', 'The path has 4097 characters; at most 4096 are allowed.'],
    ['a\0b', 'posix', 'The path contains the invisible character \\u{0}. Write the path in visible characters only.'],
    ['a\nb', 'posix', 'The path contains the invisible character \\u{a}. Write the path in visible characters only.'],
    [
      'a\u202eb',
      'posix',
      'The path contains the invisible character \\u{202e}. Write the path in visible characters only.',
    ],
    [
      '.g\u200cit',
      'posix',
      'The path contains the invisible character \\u{200c}. Write the path in visible characters only.',
    ],
    ['C:\\work\\a', 'windows', undefined],
    ['src/a.ts', 'windows', undefined],
    ['\\\\server\\share\\a', 'windows', undefined],
    ['\\\\?\\C:\\a', 'windows', 'Device paths are not allowed. Use a path relative to the workspace.'],
    ['//./PhysicalDrive0', 'windows', 'Device paths are not allowed. Use a path relative to the workspace.'],
    ['C:a', 'windows', 'The path names a drive without a directory. Write it as C:\\name.'],
    ['/a', 'windows', 'The path names a directory without a drive. Write it as C:\\name.'],
    ['src\\.env::$DATA', 'windows', 'A name with ":" is a hidden stream of a file. Remove ":" from the name.'],
    ['src\\NUL.txt', 'windows', 'NUL.txt is the name of a device on Windows. Use another name.'],
    ['src/nul', 'windows', 'nul is the name of a device on Windows. Use another name.'],
    ['console.ts', 'windows', undefined],
  ] as const)('checks %j on %s', (written, platform, problem) => {
    expect(findPathTextProblem(written, platform)).toBe(problem);
  });
});
