import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createSplicer, findExact, type TextRange } from '../../../src/text/diff/exact-match.ts';
import { runAtOnce } from '../../../src/text/steps.ts';
import { countSteps } from '../../support/house/steps.ts';
import { propertySettings } from '../../support/random/property.ts';

function findAll(content: string, wanted: string): readonly TextRange[] {
  const matches = runAtOnce(findExact(content, wanted));
  return Array.from({ length: matches.count }, (_, index) => matches.at(index));
}

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
    expect(findAll(content, wanted).map(({ start, end }) => [start, end])).toEqual(ranges);
  });
});

it('findExact finds the same matches as a search from each position', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '\r', '\n', '\r\n'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (content, wanted) => {
      const unifies = wanted.includes('\n') && !wanted.includes('\r');
      const unify = (part: string): string => (unifies ? part.replaceAll('\r\n', '\n') : part);
      const starts =
        wanted === '' ? [] : [...unify(content)].filter((_, index) => unify(content).startsWith(wanted, index));
      const found = findAll(content, wanted).map(({ start, end }) => unify(content.slice(start, end)));
      expect(found).toEqual(starts.map(() => wanted));
    }),
    propertySettings(40),
  );
});

it('findExact pauses in proportion to the text, even where each position nearly matches', () => {
  const content = 'a'.repeat(2 ** 20);
  expect(countSteps(findExact('a'.repeat(1_000), 'a'))).toBe(0);
  expect(countSteps(findExact(content, `${'a'.repeat(2 ** 18)}b`))).toBeGreaterThanOrEqual(4);
  expect(findAll(content, 'a'.repeat(2 ** 20 - 1))).toHaveLength(2);
});

/** The changes that put `replacement` at each range. */
function spliceAll(content: string, ranges: readonly TextRange[], replacement: string) {
  const wanted = ranges.map(({ start, end }) => content.slice(start, end)).join('');
  return ranges.map(createSplicer(content, wanted, replacement));
}

describe('createSplicer', () => {
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
      propertySettings(100),
    );
  });
});
