import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExact, spliceAll, withoutOverlaps } from '../../../src/text/exact-match.ts';
import { expectLinearWork } from '../../support/growth.ts';
import { propertySettings } from '../../support/property.ts';

describe('findExact', () => {
  it.each<readonly [string, string, readonly (readonly [number, number])[]]>([
    [
      'abcabc',
      'bc',
      [
        [1, 3],
        [4, 6],
      ],
    ],
    [
      'aaa',
      'aa',
      [
        [0, 2],
        [1, 3],
      ],
    ],
    ['abc', 'B', []],
    ['abc', '', []],
    ['a\r\nb', 'a\nb', [[0, 4]]],
    ['a\r\nb', '\n', [[1, 3]]],
    ['a\r\nb', '\nb', [[1, 4]]],
    ['a\r\nb', 'a\n', [[0, 3]]],
    ['a\r\nb', '\r\n', [[1, 3]]],
    ['a\r\nb', '\r', [[1, 2]]],
    ['a\nb', 'a\r\nb', []],
    [
      'x\r\n\r\nx\n\nx',
      '\n\n',
      [
        [1, 5],
        [6, 8],
      ],
    ],
    ['a\r\r\nb', 'a\nb', []],
  ])('searches %j for %j', (content, wanted, ranges) => {
    expect(findExact(content, wanted).map(({ start, end }) => [start, end])).toEqual(ranges);
  });
});

it('withoutOverlaps keeps the first of overlapping ranges', () => {
  const ranges = [
    [0, 2],
    [1, 3],
    [2, 4],
    [3, 5],
  ].map(([start = 0, end = 0]) => ({ start, end }));
  expect(withoutOverlaps(ranges).map(({ start }) => start)).toEqual([0, 2]);
});

describe('spliceAll', () => {
  it.each<readonly [string, string, string, string]>([
    ['changes only the part that differs', 'a\r\nb\nc', 'a\nX\nc', '3..4 "X"'],
    ['uses the line endings of the replaced lines', 'a\r\nb\r\nc', 'x\ny\nz', '0..7 "x\\r\\ny\\r\\nz"'],
    ['inserts a line with the line ending of the match', 'a\r\nb', 'a\nX\nb', '3..3 "X\\r\\n"'],
    ['does not split a CRLF', 'a\r\nb', 'a\rb', '1..3 "\\r"'],
    ['changes nothing when only the line ending differs', 'a\r\nb', 'a\nb', '4..4 ""'],
    ['treats an explicit CRLF as one line ending', '\r\r\n', '\r\n', '0..1 ""'],
    ['keeps an explicit CRLF', 'ab', 'a\r\nb', '1..1 "\\r\\n"'],
  ])('%s', (_name, content, replacement, expected) => {
    const splices = spliceAll(content, [{ start: 0, end: content.length }], replacement);
    const shown = splices.map(({ start, end, replacement: written }) => `${start}..${end} ${JSON.stringify(written)}`);
    expect(shown).toEqual([expected]);
  });

  it('uses the line ending after each range, or else that of the last line', () => {
    const content = 'a\r\na\na;a\r\na';
    const ranges = [...content.matchAll(/a/g)].map(({ index }) => ({ start: index, end: index + 1 }));
    expect(spliceAll(content, ranges, 'a\nb').map(({ replacement }) => replacement)).toEqual([
      '\r\nb',
      '\nb',
      '\r\nb',
      '\r\nb',
      '\r\nb',
    ]);
    expect(spliceAll('a', [{ start: 0, end: 1 }], 'b\n')).toEqual([{ start: 0, end: 1, replacement: 'b\n' }]);
  });

  it('finds many occurrences in linear time', () => {
    expectLinearWork(5_000, (size) => {
      expect(withoutOverlaps(findExact('a\n'.repeat(size), 'a'))).toHaveLength(size);
    });
  });

  it('scans the content once, not once for each range', () => {
    expectLinearWork(5_000, (size) => {
      const ranges = Array.from({ length: size }, (_, index) => ({ start: 2 * index, end: 2 * index + 1 }));
      expect(spliceAll('a '.repeat(size), ranges, ';\n')).toHaveLength(size);
    });
  });

  it('always inserts the replacement, except for its line endings', () => {
    const text = fc
      .array(fc.constantFrom('\r\n', '\n', '\r', 'a', 'b'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, text, (before, old, after, fresh) => {
        const content = before + old + after;
        const range = { start: before.length, end: before.length + old.length };
        const splices = spliceAll(content, [range], fresh);
        const written = splices.map(({ start, end, replacement }) => {
          expect(start).toBeGreaterThanOrEqual(range.start);
          expect(end).toBeLessThanOrEqual(range.end);
          return content.slice(range.start, start) + replacement + content.slice(end, range.end);
        });
        expect(written.map((part) => part.replaceAll('\r\n', '\n'))).toEqual([fresh.replaceAll('\r\n', '\n')]);
      }),
      propertySettings(2_000),
    );
  });
});
