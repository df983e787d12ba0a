import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  countLineFeeds,
  detectLineEndings,
  lineNumberAt,
  lineNumbersAt,
  splitKeepingEndings,
  splitLines,
} from '../../../src/text/line-endings.ts';
import { propertySettings } from '../../support/random/property.ts';

it.each([
  ['', [], 'none'],
  ['a', ['a'], 'none'],
  ['a\n', ['a\n'], 'lf'],
  ['\n', ['\n'], 'lf'],
  ['a\n\nb', ['a\n', '\n', 'b'], 'lf'],
  ['a\r\nb\r\n', ['a\r\n', 'b\r\n'], 'crlf'],
  ['a\r\nb\n', ['a\r\n', 'b\n'], 'mixed'],
  ['a\rb', ['a\rb'], 'none'],
  ['a\r\r\n', ['a\r\r\n'], 'crlf'],
] as const)('the text %j has the lines %j and the endings %s', (text, lines, endings) => {
  expect(splitKeepingEndings(text)).toEqual(lines);
  expect(splitLines(text)).toEqual(lines.map((line) => line.replace(/\r?\n$/, '')));
  expect(detectLineEndings(text)).toBe(endings);
  expect(countLineFeeds(text)).toBe(lines.filter((line) => line.endsWith('\n')).length);
});

it.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [4, 3],
  [5, 3],
])('offset %i of "a\\nb\\nc" is in line %i', (offset, line) => {
  expect(lineNumberAt('a\nb\nc', offset)).toBe(line);
});

it('joining the lines with their endings restores the text', () => {
  const text = fc.array(fc.constantFrom('\r', '\n', 'a', '\u2028')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (value) => {
      expect(splitKeepingEndings(value).join('')).toBe(value);
    }),
    propertySettings(50),
  );
});

it('lineNumbersAt returns the line of each offset', () => {
  expect(lineNumbersAt('a\nb\n\nc', [0, 1, 1, 2, 4, 5, 6])).toEqual([1, 1, 1, 2, 3, 4, 4]);
  expect(lineNumbersAt('abc', [2])).toEqual([1]);
});
