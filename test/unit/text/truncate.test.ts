import { describe, expect, it } from 'vitest';
import {
  takeEnd,
  takeStart,
  truncateAround,
  truncateLine,
  truncateLines,
  truncateText,
} from '../../../src/text/truncate.ts';

it.each([
  ['abc', 2, 'ab'],
  ['abc', 3, 'abc'],
  ['abc', 9, 'abc'],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['a😀', 3, 'a😀'],
  ['😀', 1, ''],
  ['a\ud83d', 2, 'a\ud83d'],
  ['abc', 0, ''],
])('takeStart(%j, %i) is %j', (text, length, expected) => {
  expect(takeStart(text, length)).toBe(expected);
});

it.each([
  ['abc', 2, 'bc'],
  ['abc', 3, 'abc'],
  ['abc', 9, 'abc'],
  ['a😀b', 2, 'b'],
  ['a😀b', 3, '😀b'],
  ['😀', 1, ''],
  ['\ude00a', 2, '\ude00a'],
  ['abc', 0, ''],
])('takeEnd(%j, %i) is %j', (text, length, expected) => {
  expect(takeEnd(text, length)).toBe(expected);
});

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀', 3, 'ab…'],
])('the text %j with a limit of %i is truncated to %j', (text, limit, expected) => {
  expect(truncateText(text, limit)).toBe(expected);
});

it.each([
  [['a', 'b', 'c'], 3, ['a', 'b', 'c']],
  [['a', 'b', 'c', 'd'], 3, ['a', 'b', '[… 1 line omitted …]', 'd']],
  [['1', '2', '3', '4', '5', '6', '7', '8'], 6, ['1', '2', '3', '4', '[… 2 lines omitted …]', '7', '8']],
  [['a', 'b', 'c'], 1, ['a', '[… 2 lines omitted …]']],
])('the lines %j with a limit of %i are truncated to %j', (lines, limit, expected) => {
  expect(truncateLines(lines, limit)).toEqual(expected);
});

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc [… truncated: 3 of 4 characters shown]'],
  ['ab😀', 3, 'ab [… truncated: 2 of 4 characters shown]'],
])('the line %j with a limit of %i is truncated to %j', (line, limit, expected) => {
  expect(truncateLine(line, limit)).toBe(expected);
});

describe('a line truncated around its match', () => {
  const digits = '0123456789';

  it.each([
    ['keeps a short line', digits, 3, 2, 10, digits],
    ['keeps a match at the start', digits, 0, 2, 4, '0123… [truncated; the line has 10 characters]'],
    ['keeps a match in the middle', digits, 4, 2, 4, '…3456… [truncated; the line has 10 characters]'],
    ['keeps a match at the end', digits, 8, 2, 4, '…6789 [truncated; the line has 10 characters]'],
    ['cuts a match longer than the limit', digits, 2, 6, 4, '…2345… [truncated; the line has 10 characters]'],
    ['does not split a surrogate pair', '😀😀😀😀', 3, 1, 4, '…😀😀… [truncated; the line has 8 characters]'],
  ])('%s', (_name, line, start, length, limit, expected) => {
    expect(truncateAround(line, { start, length }, limit)).toBe(expected);
  });
});
