import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTriggerIndex } from '../../../../mock-llm-server/scenario/trigger/trigger-index.ts';
import { propertySettings } from '../../../support/random/property.ts';

describe('createTriggerIndex', () => {
  it.each([
    ['a literal that is there', ['fix the test', 'how are you'], 'please fix the test', [0]],
    ['none', ['fix the test'], 'something else', []],
    ['none in an empty text', ['fix the test'], '', []],
    ['short and missing ones always', ['fix the test', 'hi', undefined, ''], 'x', [1, 2, 3]],
    ['all in the order of the file', ['hi', 'alpha', undefined, 'beta!'], 'beta! and alpha', [0, 1, 2, 3]],
    ['one that stands at the very end', ['tail'], 'the tail', [0]],
    ['one of many with the same beginning', ['do task 10', 'do task 11', 'do task 12'], 'do task 11', [1]],
    ['two that are the same', ['twice', 'twice'], 'twice', [0, 1]],
    ['one that is there twice once', ['twice'], 'twice twice', [0]],
  ])('finds %s', (_name, literals, text, expected) => {
    expect(createTriggerIndex(literals).candidates(text)).toEqual(expected);
  });

  it('never misses a literal that is in the text', () => {
    const word = fc.stringMatching(/^[abü🙂 ]{0,7}$/u);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 6 }), (literals, pieces) => {
        const text = pieces.join('');
        const candidates = createTriggerIndex(literals).candidates(text);
        const missed = literals.filter((literal, place) => text.includes(literal) && !candidates.includes(place));
        expect(missed).toEqual([]);
        expect(candidates).toEqual([...new Set(candidates)].sort((left, right) => left - right));
      }),
      propertySettings(50),
    );
  });

  it('returns few candidates of a thousand', () => {
    const literals = Array.from({ length: 1000 }, (_, number) => `please do the task number ${number} now`);
    const found = createTriggerIndex(literals).candidates('please do the task number 517 now');
    expect(found).toContain(517);
    expect(found.length).toBeLessThan(60);
  });
});
