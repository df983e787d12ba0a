import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitText } from '../../../../mock-llm-server/wire/pieces.ts';
import { wellFormedText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

it.each([
  ['', []],
  ['one', ['one']],
  ['two men', ['two', ' men']],
  [' \nb c \n', [' \nb', ' c', ' \n']],
  ['abcdefgh', ['abcd', 'efgh']],
  ['🙂🙂🙂🙂🙂', ['🙂🙂🙂🙂', '🙂']],
])('splits %j', (text, expected) => {
  expect(splitText(text, 4)).toEqual(expected);
});

it('splits any text without loss and without cutting a character', () => {
  fc.assert(
    fc.property(wellFormedText, fc.integer({ min: 1, max: 5 }), (text, maxLength) => {
      const pieces = splitText(text, maxLength);
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece) && [...piece].length <= maxLength)).toBe(true);
    }),
    propertySettings(50),
  );
});
