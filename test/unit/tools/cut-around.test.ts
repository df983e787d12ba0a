import { describe, expect, it } from 'vitest';
import { cutAround } from '../../../src/tools/cut-around.ts';

const DIGITS = '0123456789';

describe('cutAround', () => {
  it.each([
    ['a short line', DIGITS, 3, 2, 10, DIGITS],
    ['a match at the start', DIGITS, 0, 2, 4, '0123… [cut, the line has 10 characters]'],
    ['a match in the middle', DIGITS, 4, 2, 4, '…3456… [cut, the line has 10 characters]'],
    ['a match at the end', DIGITS, 8, 2, 4, '…6789 [cut, the line has 10 characters]'],
    ['a match longer than the room', DIGITS, 2, 6, 4, '…2345… [cut, the line has 10 characters]'],
    ['a character of two units at the edge', '😀😀😀😀', 3, 1, 4, '…😀😀… [cut, the line has 8 characters]'],
  ])('%s', (_name, line, start, length, maxLength, expected) => {
    expect(cutAround(line, { start, length }, maxLength)).toBe(expected);
  });
});
