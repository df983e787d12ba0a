import { describe, expect, it } from 'vitest';
import { findPathTextProblem } from '../../../../src/safety/paths/path-text.ts';

describe('findPathTextProblem', () => {
  it.each([
    ['src/a b.ts', 'posix', undefined],
    ['$HOME/%2e%2e/file:///x', 'posix', undefined],
    ['con', 'posix', undefined],
    ['a'.repeat(4096), 'posix', undefined],
    ['', 'posix', 'The path is empty. Use "." for the workspace.'],
    ['a'.repeat(4097), 'posix', 'The path has 4097 characters; at most 4096 are taken.'],
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
    ['\\\\?\\C:\\a', 'windows', 'Device paths are not taken. Use a path relative to the workspace.'],
    ['//./PhysicalDrive0', 'windows', 'Device paths are not taken. Use a path relative to the workspace.'],
    ['C:a', 'windows', 'The path names a drive without a directory. Write it as C:\\name.'],
    ['/a', 'windows', 'The path names a directory without a drive. Write it as C:\\name.'],
    ['.env::$DATA', 'windows', 'A name with ":" is a hidden stream of a file. Leave ":" out.'],
    ['src\\NUL.txt', 'windows', 'NUL.txt is the name of a device on Windows. Use another name.'],
    ['console.ts', 'windows', undefined],
  ] as const)('%j on %s', (given, platform, problem) => {
    expect(findPathTextProblem(given, platform)).toBe(problem);
  });
});
