import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredText } from '../../../../mock-llm-server/scenario/required-text.ts';
import { propertySettings } from '../../../support/property.ts';

describe('requiredText', () => {
  it.each<readonly [string, string, string | undefined]>([
    ['rename (?<from>\\w+) to (?<to>\\w+)', 'i', 'rename '],
    ['^do number 17\\b', '', 'do number 17'],
    ['colou?r of it', 'i', 'r of it'],
    ['a{0,3}bc', 'i', 'bc'],
    ['ab+c', '', 'ab'],
    ['[abc]de[^f]', '', 'de'],
    ['[(]xy[|]', '', 'xy'],
    ['\\x41bc', '', 'bc'],
    ['\\u0041bc\\k<name>d', '', 'bc'],
    ['(abc)*(?!def)g', '', 'g'],
    ['abc|d', '', undefined],
    ['(abc|d)', '', undefined],
    ['abc', 'u', undefined],
    ['.*', '', undefined],
    ['x*', '', undefined],
    ['\\', '', undefined],
  ])('of /%s/%s', (source, flags, expected) => {
    expect(requiredText(source, flags)).toBe(expected);
  });

  it('is in everything that the expression finds', () => {
    const pieces = [
      'a',
      'b',
      'ab',
      '(',
      ')',
      '(?:',
      '[',
      ']',
      '|',
      '*',
      '+',
      '?',
      '{0}',
      '{1,}',
      '{',
      '\\b',
      '\\w',
      '\\(',
      '.',
      '^',
      '$',
      '(?!',
    ];
    const source = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '(', ' ', '{'), maxLength: 8 });
    fc.assert(
      fc.property(
        source,
        fc.constantFrom('', 'i'),
        fc.array(text, { minLength: 5, maxLength: 20 }),
        (given, flags, texts) => {
          const expression = compile(given, flags);
          const required = requiredText(given, flags)?.toLowerCase();
          if (expression === undefined || required === undefined) return;
          expect(given.toLowerCase()).toContain(required);
          for (const one of texts.filter((each) => expression.test(each)))
            expect(one.toLowerCase()).toContain(required);
        },
      ),
      propertySettings(3000),
    );
  });
});

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
