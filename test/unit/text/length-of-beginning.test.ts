import { expect, it } from 'vitest';
import { lengthOfBeginning } from '../../../src/text/length-of-beginning.ts';

it.each([
  ['a<th', '<think>', 3],
  ['a<think>', '<think>', 0],
  ['aab', 'aabaab!', 3],
  ['', 'x', 0],
])('the longest end of "%s" with which "%s" begins', (text, word, length) => {
  expect(lengthOfBeginning(text, word)).toBe(length);
});
