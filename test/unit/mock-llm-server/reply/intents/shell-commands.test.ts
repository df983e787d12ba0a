import { expect, it } from 'vitest';
import { quote, shellCommandFor } from '../../../../../mock-llm-server/reply/intents/shell-commands.ts';
import type { Intent } from '../../../../../mock-llm-server/scenario/format/intent-format.ts';

// test/integration/mock/intent-commands.test.ts runs these commands in real shells.
it.each<[Intent, string]>([
  [{ intent: 'shell', command: 'a | b' }, 'a | b'],
  [{ intent: 'read_file', path: "it's" }, "cat -- 'it'\\''s'"],
  [{ intent: 'write_file', path: 'a', content: 'x\n' }, "printf '%s' 'x\n' > 'a'"],
  [{ intent: 'write_file', path: 'd/a', content: 'x' }, "mkdir -p -- 'd' && printf '%s' 'x' > 'd/a'"],
  [{ intent: 'list_files', path: 'd' }, "ls -1A -- 'd'"],
  [{ intent: 'list_files' }, "ls -1A -- '.'"],
  [{ intent: 'list_files', pattern: '*.{a,b}', path: 'd' }, "ls -1d -- 'd/'*'.a' 'd/'*'.b'"],
  [{ intent: 'list_files', pattern: '{c,{a,b}}' }, "ls -1d -- 'c' 'a' 'c' 'b'"],
  [{ intent: 'list_files', pattern: '{a}{}' }, "ls -1d -- '{a}{}'"],
  [{ intent: 'list_files', pattern: '[a-z]?[' }, "ls -1d -- [a-z]?'['"],
  [
    { intent: 'list_files', pattern: '**/*.ts', path: 'd/' },
    "find 'd/' -type f '(' -path 'd/**.ts' ')' -not -path '*/.git/*'",
  ],
  [{ intent: 'list_files', pattern: '**/*.ts' }, "find '.' -type f '(' -path './**.ts' ')' -not -path '*/.git/*'"],
  [{ intent: 'search_files', pattern: '-x', path: 'd' }, "grep -rnE -e '-x' -- 'd'"],
  [{ intent: 'search_files', pattern: 'x' }, "grep -rnE -e 'x' -- '.'"],
])('%j becomes %s', (intent, command) => {
  expect(shellCommandFor(intent)).toBe(command);
});

it('braces with very many alternatives stay as they are', () => {
  const command = shellCommandFor({ intent: 'list_files', pattern: '{a,b}'.repeat(30) });
  expect(command).toContain(`'aaaaaa${'{a,b}'.repeat(24)}'`);
  expect(shellCommandFor({ intent: 'list_files', pattern: `{${',a'.repeat(200)}}` })).toMatch(/^ls -1d -- '\{,a,a/);
});

it('an edit is a subshell that calls no editor', () => {
  const command = shellCommandFor({ intent: 'edit_file', path: 'f', old_text: "o'", new_text: 'n' });
  expect(command.split('\n')[0]).toBe("(file='f' old='o'\\''' new='n'");
  expect(command.endsWith('\nesac)')).toBe(true);
});

it('quote() escapes quotes only', () => {
  expect(quote('$a `b` "c" \\')).toBe('\'$a `b` "c" \\\'');
});
