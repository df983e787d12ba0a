import { expect, it } from 'vitest';
import { shortTitle } from '../../../mock-llm-server/text.ts';

it.each([
  ['a few words', 'Fix it.', 'Fix it'],
  ['many words', 'one two three four five six seven', 'one two three four five six'],
  ['long words', `${'a'.repeat(30)} ${'b'.repeat(30)}`, `${'a'.repeat(30)} ${'b'.repeat(19)}`],
  ['markup and quotes', '<reminder>"Hello, <b>World</b>!"', 'Hello World'],
  ['paths', 'read src/a-b.ts...', 'read src/a-b.ts'],
  ['no spaces', '修复登录表单', '修复登录表单'],
  ['nothing', '', 'Mock session'],
  ['signs', '🙂 !!', 'Mock session'],
])('%s', (_name, text, expected) => {
  expect(shortTitle(text)).toBe(expected);
});
