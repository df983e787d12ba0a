import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timing } from '../../../../mock-llm-server/scenario/format/timing-format.ts';
import { splitterOf, tokensPerPiece } from '../../../../mock-llm-server/wire/pieces.ts';
import { anyText } from '../../../support/random/any-text.ts';
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
