import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf, generateCallId, parseCallId, scenarioTagOf } from '../../../../mock-llm-server/conversation/ids.ts';
import { anyText } from '../../../support/random/any-text.ts';
import { propertySettings } from '../../../support/random/property.ts';

describe('generateCallId', () => {
  it('generates a readable id', () => {
    const id = generateCallId('call_', 'fix-test', { step: 2, call: 1 }, digestOf('request'));
    expect(id).toBe(`call_fix-test_${scenarioTagOf('fix-test')}_2_1_${digestOf('request').slice(0, 6)}`);
  });

  it('generates ids that providers accept and that can be read back, for any scenario name', () => {
    const position = fc.record({ step: fc.integer({ min: 0, max: 9999 }), call: fc.integer({ min: 0, max: 999 }) });
    const prefix = fc.constantFrom('call_', 'toolu_', '');
    fc.assert(
      fc.property(anyText, position, prefix, (name, at, start) => {
        const digest = digestOf(name, 'request');
        const id = generateCallId(start, name, at, digest);
        expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
        const expected = { scenarioTag: scenarioTagOf(name), ...at, digest: digest.slice(0, 6) };
        expect(parseCallId(id)).toEqual(expected);
      }),
      propertySettings(50),
    );
  });
});

it.each(['call_001', '', 'toolu_01A09q90qw90lq917835lq9', 'call_x_zzzzzzzz_0_0_abcdef', 'x_12345678_0_0_abcdef_'])(
  'does not read %j as an id of ours',
  (id) => {
    expect(parseCallId(id)).toBeUndefined();
  },
);

it('digestOf distinguishes lists of texts with the same concatenation', () => {
  expect(digestOf('ab', 'c')).not.toBe(digestOf('a', 'bc'));
});
