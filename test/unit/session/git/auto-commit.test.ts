import { expect, it } from 'vitest';
import { commitSubject } from '../../../../src/session/git/auto-commit.ts';

it.each([
  ['fix the sum', '[ybs] fix the sum'],
  ['\n\n  fix the sum\nand more', '[ybs] fix the sum'],
  ['fix\tthe \u0007sum\r\nmore', '[ybs] fix the sum'],
  ['x'.repeat(66), `[ybs] ${'x'.repeat(66)}`],
  ['x'.repeat(67), `[ybs] ${'x'.repeat(65)}…`],
  ['😀'.repeat(67), `[ybs] ${'😀'.repeat(65)}…`],
  ['', '[ybs]'],
])('the subject of the prompt %j is %j', (prompt, subject) => {
  expect(commitSubject('[ybs]', prompt)).toBe(subject);
});

it('without a prefix, the subject is the first line of the prompt', () => {
  expect(commitSubject('', 'fix the sum')).toBe('fix the sum');
});
