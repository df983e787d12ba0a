import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints } from '../../../src/text/compare-code-points.ts';
import { propertySettings } from '../../support/random/property.ts';

it.each([
  ['', 'a'],
  ['B', 'a'],
  ['a', 'ab'],
  ['a10', 'a2'],
  ['\ud7ff', '\ue000'],
  ['\uffff', '\u{10000}'],
  ['\u{10000}', '\u{10ffff}'],
])('%j comes before %j', (left, right) => {
  expect([Math.sign(compareCodePoints(left, right)), Math.sign(compareCodePoints(right, left))]).toEqual([-1, 1]);
});

it('the order of code points is that of their UTF-8 bytes', () => {
  const character = fc
    .integer({ min: 1, max: 0x10_ffff })
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const text = fc.string({ unit: character, maxLength: 4 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareCodePoints(left, right))).toBe(expected);
    }),
    propertySettings(50),
  );
});
