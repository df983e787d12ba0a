import { expect, it } from 'vitest';
import { trimEndOf } from '../../../mock-llm-server/text.ts';

it.each([
  ['a/b//', '/', 'a/b'],
  ['a. ,', ' .,', 'a'],
  ['a', '/', 'a'],
  ['//', '/', ''],
  ['', '/', ''],
])('%j without %j', (text, characters, expected) => {
  expect(trimEndOf(text, characters)).toBe(expected);
});
