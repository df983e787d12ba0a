import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timing } from '../../../../mock-llm-server/scenario/format/timing-format.ts';
import { splitText, splitterOf, tokensPerPiece } from '../../../../mock-llm-server/wire/pieces.ts';
import { anyText, wellFormedText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

const text = 'Grüße  an 漢字🙂 extraordinary';

describe('splitterOf', () => {
  it.each<[Timing['chunk'], readonly string[]]>([
    [undefined, ['Grüße', '  an', ' 漢字🙂', ' extraordinary']],
    [{ by: 'words' }, ['Grüße', '  an', ' 漢字🙂', ' extraordinary']],
    [{ by: 'words', size: 3 }, ['Grüße  an 漢字🙂', ' extraordinary']],
    [{ by: 'tokens' }, ['Grüß', 'e', '  an', ' 漢字🙂', ' ext', 'raor', 'dina', 'ry']],
    [{ by: 'tokens', size: 4 }, ['Grüße  an 漢字🙂', ' extraordinary']],
    [{ by: 'characters', size: 12 }, ['Grüße  an 漢字', '🙂 extraordin', 'ary']],
  ])('cuts a text into pieces as %j demands', (chunk, pieces) => {
    expect(splitterOf(chunk)(text, 'text')).toEqual(pieces);
  });

  it('cuts any text into pieces that join to the same text', async () => {
    const chunks = fc.record({
      by: fc.constantFrom('characters', 'words', 'tokens'),
      size: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.property(anyText, chunks, (whole, chunk) => {
        expect(splitterOf(chunk)(whole, 'text').join('')).toBe(whole);
      }),
      propertySettings(50),
    );
  });
});

it.each<[Timing['chunk'], number]>([
  [undefined, 1],
  [{ by: 'words' }, 1],
  [{ by: 'tokens', size: 3 }, 3],
  [{ by: 'characters', size: 2 }, 0.5],
])('tokensPerPiece of %j is %f', (chunk, tokens) => {
  expect(tokensPerPiece(chunk)).toBe(tokens);
});

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

it('splits any text without loss and without cutting a character', async () => {
  await fc.assert(
    fc.property(wellFormedText, fc.integer({ min: 1, max: 5 }), (text, maxLength) => {
      const pieces = splitText(text, maxLength);
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece) && [...piece].length <= maxLength)).toBe(true);
    }),
    propertySettings(50),
  );
});
