import { expect, it } from 'vitest';
import { cutText, startOfText } from '../../../mock-llm-server/text.ts';

it.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['🙂🙂🙂', 3, '🙂🙂🙂'],
  ['a🙂🙂🙂', 3, 'a🙂🙂'],
  ['é'.repeat(100), 2, 'éé'],
])('%j has a start of %i: %j', (text, length, start) => {
  expect(startOfText(text, length)).toBe(start);
  expect(cutText(text, length)).toBe(start === text ? text : `${start}…`);
});
