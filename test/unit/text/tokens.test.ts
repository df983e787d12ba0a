import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, truncateToTokens } from '../../../src/text/tokens.ts';
import { propertySettings } from '../../support/random/property.ts';

describe('the estimated tokens of a text', () => {
  it.each([
    ['no text', '', 0],
    ['ASCII text', 'a'.repeat(100), 33],
    ['the last ASCII character', '\u007f', 0.33],
    ['the first other character', '\u0080', 1.5],
    ['Chinese text', '漢字', 3],
    ['an emoji of two units', '🙂', 3],
    ['a mixture', `${'a'.repeat(100)}漢`, 34.5],
  ])('of %s are as expected', (_name, text, tokens) => {
    expect(estimateTokens(text)).toBeCloseTo(tokens, 6);
  });
});

describe('a text truncated to tokens', () => {
  it('is unchanged if it fits', () => {
    expect(truncateToTokens('a'.repeat(100), 33)).toBe('a'.repeat(100));
  });

  it('keeps its start and its end, and counts what is omitted', () => {
    const text = `${'a'.repeat(100)}${'b'.repeat(100)}`;
    expect(truncateToTokens(text, 33)).toBe(`${'a'.repeat(31)}\n[… 138 characters omitted …]\n${'b'.repeat(31)}`);
  });

  it('measures each side separately', () => {
    const text = `${'漢'.repeat(100)}${'b'.repeat(100)}`;
    expect(truncateToTokens(text, 44)).toBe(`${'漢'.repeat(10)}\n[… 142 characters omitted …]\n${'b'.repeat(48)}`);
  });

  it('consists of the mark alone if there is no room for more', () => {
    expect(truncateToTokens('a'.repeat(100), 12)).toBe('…');
  });

  it('never exceeds the limit, and never contains half of a character', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '漢', '🙂', '\n'), maxLength: 300 });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 200 }), (text, limit) => {
        const truncated = truncateToTokens(text, limit);
        expect(estimateTokens(truncated)).toBeLessThanOrEqual(limit);
        // Throws for half of a surrogate pair.
        encodeURIComponent(truncated);
      }),
      propertySettings(50),
    );
  });
});
