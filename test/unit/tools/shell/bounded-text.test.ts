import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BoundedText, BoundedTextCollector } from '../../../../src/tools/shell/bounded-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

function bound(limit: number, ...pieces: readonly string[]): BoundedText {
  const collector = new BoundedTextCollector(limit);
  for (const piece of pieces) collector.add(piece);
  return collector.take();
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

describe('bounded text', () => {
  it.each([
    ['an empty text', '', { head: '', tail: '', lines: 0 }],
    ['a text that fits', 'one\ntwo', { head: 'one\ntwo', tail: '', lines: 2 }],
    ['a final line end', 'one\ntwo\n', { head: 'one\ntwo\n', tail: '', lines: 2 }],
  ])('keeps %s', (_, text, expected) => {
    expect(bound(8, text)).toEqual(expected);
  });

  it('keeps whole lines from the start and the end, and counts the omitted lines', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join('');
    expect(bound(100, text)).toEqual({
      head: 'line 1\nline 2\nline 3\n',
      tail: text.slice(text.indexOf('line 92')),
      lines: 100,
      omitted: { characters: text.length - 21 - 73, firstLine: 4, lastLine: 91 },
    });
  });

  it('keeps both ends of a text within the limit and without lone surrogates, for any pieces', () => {
    const pieces = fc.array(fc.array(fc.constantFrom('a', 'b', '\n', '😀')).map((texts) => texts.join('')));
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 40 }), pieces, (limit, texts) => {
        const text = texts.join('');
        const { head, tail, lines, omitted } = bound(limit, ...texts);
        expect(lines).toBe(text === '' ? 0 : lineAt(text, text.length) - (text.endsWith('\n') ? 1 : 0));
        if (text.length <= limit) {
          expect({ head, tail, omitted }).toEqual({ head: text, tail: '', omitted: undefined });
          return;
        }
        expect(head.length + tail.length).toBeLessThanOrEqual(limit);
        expect(head + tail).not.toMatch(/\p{Surrogate}/u);
        const end = text.length - tail.length;
        expect(head + text.slice(head.length, end) + tail).toBe(text);
        expect(omitted).toEqual({
          characters: end - head.length,
          firstLine: lineAt(text, head.length),
          lastLine: lineAt(text, end - 1),
        });
      }),
      propertySettings(500),
    );
  });
});
