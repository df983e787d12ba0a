import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexContainedTexts } from '../../../../mock-llm-server/scenario/contained-texts.ts';
import { createShadowFinder, shadows } from '../../../../mock-llm-server/scenario/shadowed-triggers.ts';
import { createTrigger } from '../../../../mock-llm-server/scenario/trigger.ts';
import type { TriggerSpecification } from '../../../../mock-llm-server/scenario/trigger-format.ts';
import { propertySettings } from '../../../support/property.ts';

const letters = (max: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' '), minLength: 1, maxLength: max });

describe('indexContainedTexts', () => {
  it('finds what includes finds, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(letters(4), fc.constant(''))), letters(12), (texts, text) => {
        const expected = [...texts.keys()].filter((place) => texts[place] !== '' && text.includes(texts[place] ?? ''));
        expect(
          indexContainedTexts(texts)
            .in(text)
            .flat()
            .sort((left, right) => left - right),
        ).toEqual(expected);
      }),
      propertySettings(500),
    );
  });
});

describe('createShadowFinder', () => {
  const regex = fc
    .constantFrom('a', 'a b', 'b+', '.*', 'ab?', '^a|b', '(?:b|a) ?a')
    .map((source) => ({ regex: source }));
  const some = fc.oneof(letters(3), regex);
  const trigger: fc.Arbitrary<TriggerSpecification> = fc.oneof(
    letters(5),
    regex,
    fc
      .record({ text: letters(4), model: some, system: some, tool_result: some }, { requiredKeys: [] })
      .filter((conditions) => Object.keys(conditions).length > 0),
  );

  it('finds what comparing all pairs finds', () => {
    fc.assert(
      fc.property(fc.array(trigger, { maxLength: 12 }), (specifications) => {
        const triggers = specifications.map(createTrigger);
        const find = createShadowFinder(triggers);
        const expected = triggers.map((one, place) => {
          const first = triggers.slice(0, place).findIndex((other) => shadows(other, one));
          return first === -1 ? undefined : first;
        });
        expect(triggers.map((_trigger, place) => find(place))).toEqual(expected);
      }),
      propertySettings(1000),
    );
  });

  it.each<readonly [string, (number: number) => TriggerSpecification]>([
    ['numbered texts', (number) => `please do number ${number} of them`],
    ['one text and many conditions', (number) => ({ text: 'go', header: { 'x-case': `case ${number}.` } })],
    ['many texts and one condition', (number) => ({ text: `go ${number}.`, model: 'gpt' })],
    [
      'texts and expressions',
      (number) => (number % 2 ? `do number ${number} of them` : { regex: `do the number ${number}\\b` }),
    ],
    ['expressions', (number) => ({ regex: `go ${number}\\b` })],
    ['models', (number) => ({ model: `gpt ${number}` })],
    ['equal ones', () => 'go'],
  ])('compares hardly any of 10 000: %s', (_name, make) => {
    let looks = 0;
    const triggers = Array.from({ length: 10_000 }, (_, number) => {
      const { conditions, ...trigger } = createTrigger(make(number));
      return {
        ...trigger,
        get conditions() {
          looks += 1;
          return conditions;
        },
      };
    });
    const find = createShadowFinder(triggers);
    for (const place of triggers.keys()) find(place);
    // All pairs are 50 million.
    expect(looks / triggers.length).toBeLessThan(20);
  });
});
