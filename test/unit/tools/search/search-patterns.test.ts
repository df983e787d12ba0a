import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../../src/agent/errors.ts';
import { checkGlob, compilePattern, literalHint, matchAnywhere } from '../../../../src/tools/search/search-patterns.ts';

function failureOf(work: () => unknown): string {
  try {
    return `no failure: ${JSON.stringify(work())}`;
  } catch (error) {
    return error instanceof ToolError ? `${error.code}: ${error.message}` : String(error);
  }
}

describe('compilePattern', () => {
  it.each([
    ['foo', 'foo', 'u'],
    ['(?i)foo', 'foo', 'iu'],
    ['\\p{Lu}', '\\p{Lu}', 'u'],
    ['a\\-b', 'a\\-b', ''],
    ['(?i)a\\-b', 'a\\-b', 'i'],
    ['{', '{', ''],
  ])('compiles %s', (pattern, source, flags) => {
    expect(compilePattern(pattern)).toEqual({ source, flags });
  });

  it.each([
    ['foo(bar', 'Unterminated group', 4, 'foo\\(bar'],
    ['(?i)foo(bar', 'Unterminated group', 8, 'foo\\(bar'],
    ['a)b', "Unmatched ')'", 2, 'a\\)b'],
    ['[z-a]', 'Range out of order in character class', 1, '\\[z-a\\]'],
    ['x{2,1}', 'numbers out of order in {} quantifier', 6, 'x\\{2,1\\}'],
    ['a**', 'Nothing to repeat', 3, 'a\\*\\*'],
    ['*', 'Nothing to repeat', 1, '\\*'],
    ['\\', '\\ at end of pattern', 1, '\\\\'],
    ['a\\p{Foo}', 'Invalid property name', 2, 'a\\\\p\\{Foo\\}'],
    ['/u: (', 'Unterminated group', 5, '/u: \\('],
  ])('points to the first invalid character of %s', (pattern, problem, position, escaped) => {
    expect(failureOf(() => compilePattern(pattern))).toBe(
      [
        `invalid_pattern: The pattern is not a valid regular expression: ${problem}, at character ${position}:`,
        pattern,
        `${' '.repeat(position - 1)}^`,
        `To search for the literal text, escape it: ${escaped}`,
      ].join('\n'),
    );
  });

  it('refuses a line break', () => {
    expect(failureOf(() => compilePattern('a\nb'))).toBe(
      'invalid_pattern: A pattern is matched line by line, so it must not contain a line break. Use one line.',
    );
  });
});

describe('checkGlob', () => {
  it.each([
    ['*.ts', 'posix', '*.ts'],
    ['./src/*.ts', 'posix', 'src/*.ts'],
    ['././*.ts', 'posix', '*.ts'],
    ['..hidden/*', 'posix', '..hidden/*'],
    ['a\\*b', 'posix', 'a\\*b'],
    ['src\\*.ts', 'windows', 'src/*.ts'],
    ['.\\src\\**', 'windows', 'src/**'],
  ] as const)('normalises %s on %s', (glob, platform, expected) => {
    expect(checkGlob(glob, 'pattern', { platform, workspace: '/work' })).toBe(expected);
  });

  it.each([
    ['/etc/*', 'posix', 'can never match'],
    ['C:\\src\\*.ts', 'windows', 'for example src/*.ts'],
    ['C:\\app\\src\\*.ts', 'windows', 'for example src/*.ts.'],
    ['/work/src/*.ts', 'posix', 'for example src/*.ts.'],
    ['/work-2/*.ts', 'posix', 'for example work-2/*.ts.'],
    ['../*', 'posix', 'must not contain'],
    ['{a,..}/*', 'posix', 'must not contain'],
    ['..\\*', 'windows', 'must not contain'],
  ] as const)('refuses %s on %s', (glob, platform, expected) => {
    const workspace = platform === 'windows' ? 'C:\\app' : '/work';
    expect(failureOf(() => checkGlob(glob, 'pattern', { platform, workspace }))).toContain(expected);
  });
});

it.each([
  ['app/[id]/page.ts', ['To match literal brackets, escape them: app/\\[id\\]/page.ts.']],
  ['\\[id\\].ts', []],
  ['**/*.{ts,tsx}', []],
])('literalHint gives advice about %s only if it has brackets', (glob, expected) => {
  expect(literalHint(glob)).toEqual(expected);
});

describe('matchAnywhere', () => {
  it.each([
    ['*.ts', '**/*.ts'],
    ['src/*.ts', 'src/*.ts'],
    ['**', '**/**'],
  ])('converts %s to %s', (glob, expected) => {
    expect(matchAnywhere(glob)).toBe(expected);
  });
});
