import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endReasoning, REASONING_START, wrapReasoning } from '../../../../src/terminal/chat/reasoning-text.ts';
import { textWidth } from '../../../../src/text/width.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** The text that pieces become at a width, and the pieces as they are shown. */
function wrap(pieces: readonly string[], width: number) {
  let state = REASONING_START;
  const shown = pieces.map((piece) => {
    const wrapped = wrapReasoning(state, piece, width);
    state = wrapped.state;
    return wrapped.text;
  });
  return { shown, text: shown.join('') + endReasoning(state, width) };
}

describe('the reasoning of a model', () => {
  it.each([
    ['one two three', 7, 'one two\nthree'],
    ['one two three', 80, 'one two three'],
    ['one\n\n  two\n', 80, 'one\n\n  two\n'],
    ['- one two\n- six', 5, '- one\ntwo\n- six'],
    ['one   two', 6, 'one\ntwo'],
    ['one   two', 9, 'one   two'],
    ['abcdefghij one', 5, 'abcde\nfghij\none'],
    ['a bcdefghij', 5, 'a\nbcdef\nghij'],
    ['漢字 漢字', 5, '漢字\n漢字'],
    ['漢字漢字。漢', 6, '漢字漢\n字。漢'],
    ['aaaaa>\u{a0}rm', 5, 'aaaaa\n\\>\u{a0}rm'],
    ['>aaaaa', 5, '\\>aaa\naa'],
    ['          >\u{a0}rm', 8, '\\>\u{a0}rm'],
    ['    a long', 5, '    a\nlong'],
    ['> like a prompt\n>x and\n >y', 80, '\\> like a prompt\n\\>x and\n >y'],
    ['one >two', 5, 'one\n\\>two'],
  ])('%j in %d columns', (text, width, expected) => {
    expect(wrap([text], width).text).toBe(expected);
  });

  it('appears word by word', () => {
    expect(wrap(['o', 'ne t', 'wo', '\n', 'three'], 80).shown).toEqual(['', 'one', '', ' two\n', '']);
  });

  it('appears although it has no spaces', () => {
    expect(wrap(['漢', '字', 'abcdefghij', 'k'], 8).shown).toEqual(['', '漢', '字\nabcdefgh', '']);
  });

  it('is wrapped in the same way whatever its pieces are, without a row that is too wide or looks like a prompt', () => {
    const words = fc.array(fc.constantFrom('a', 'bcd', ' ', '  ', '\n', '>', '漢'), { maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 3, max: 20 }), (pieces, width) => {
        const { text } = wrap(pieces, width);
        expect(text).toBe(wrap([pieces.join('')], width).text);
        expect(text.replaceAll(/[\s\\]/g, '')).toBe(pieces.join('').replaceAll(/\s/g, ''));
        for (const row of text.split('\n')) {
          expect(row.startsWith('>')).toBe(false);
          expect(textWidth(row.trimEnd())).toBeLessThanOrEqual(width);
        }
      }),
      propertySettings(),
    );
  });
});
