import { expect, it } from 'vitest';
import { accepts } from '../../../../../mock-llm-server/reply/schema/schema-accepts.ts';
import { createBudget } from '../../../../../mock-llm-server/reply/schema/schema-budget.ts';

const THEN = 'then';
const root = { $defs: { small: { maximum: 3 }, circle: { $ref: '#/$defs/circle' } } };

it.each<readonly [string, unknown, unknown, unknown]>([
  ['anything', true, 1, undefined],
  ['what is no schema', 'x', 1, undefined],
  ['a constant', { const: { a: 1 } }, { a: 1 }, { a: 2 }],
  ['an option', { enum: ['a', 2] }, 2, 'b'],
  ['a type', { type: 'STRING' }, 'a', 1],
  ['a whole number', { type: ['integer', 'null'] }, 1, 1.5],
  ['nothing', { type: 'null' }, null, 0],
  ['a list', { type: 'array' }, [], {}],
  ['a reference', { $ref: '#/$defs/small' }, 3, 4],
  ['a reference that is none', { $ref: 7 }, 3, undefined],
  ['all', { allOf: [{ minimum: 1 }, { $ref: '#/$defs/small' }] }, 2, 0],
  ['any', { anyOf: [{ type: 'string' }, { minimum: 3 }] }, 3, 2],
  ['one', { oneOf: [{ minimum: 1 }, { minimum: 3 }] }, 2, 3],
  ['not', { not: { minimum: 3 } }, 2, 3],
  ['a condition', { if: { minimum: 3 }, [THEN]: { maximum: 5 }, else: { minimum: 1 } }, 4, 6],
  ['a condition that does not hold', { if: { minimum: 3 }, [THEN]: false }, 2, 4],
  ['limits', { minimum: 1, maximum: 3 }, 1, 4],
  ['limits that are not reached', { exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2, 1],
  ['a multiple', { multipleOf: 0.1, title: '7' }, 0.3, 0.35],
  ['a multiple of what is too small to matter', { multipleOf: 1e-300 }, 1e308, undefined],
  ['a length', { minLength: 2, maxLength: 3 }, '🙂🙂', 'a'],
  ['items', { minItems: 1, items: { type: 'string' }, title: 'x' }, ['a'], [1]],
  ['as many items', { maxItems: 1 }, [1], [1, 2]],
  ['a tuple', { prefixItems: [{ const: 1 }, { const: 2 }], items: false }, [1], [1, 3]],
  ['nothing beyond a tuple', { prefixItems: [{ const: 1 }], items: false }, [1], [1, 2]],
  ['what is required', { required: ['a', 7] }, { a: 1 }, { b: 1 }],
  ['properties', { properties: { a: { type: 'string' } } }, { b: 1 }, { a: 1 }],
  ['other properties', { properties: { a: true }, additionalProperties: { const: 1 } }, { a: 2, b: 1 }, { b: 2 }],
  ['as many properties', { minProperties: 1, maxProperties: 1 }, { a: 1 }, {}],
  ['what is said of others', { minLength: 3, minItems: 3 }, true, undefined],
])('accepts %s', (_name, schema, good, bad) => {
  const ask = (value: unknown) => accepts(schema, value, { root, budget: createBudget(), guess: true });
  expect([good, ...(bad === undefined ? [] : [bad])].map(ask)).toEqual(bad === undefined ? [true] : [true, false]);
});

it('accepts nothing where nothing is allowed', () => {
  expect(accepts(false, 1, { root, budget: createBudget(), guess: true })).toBe(false);
});

it.each([true, false])('guesses what it does not know: %s', (guess) => {
  const ask = (schema: object, budget = createBudget()) => accepts(schema, 'a', { root, budget, guess });
  expect(ask({ pattern: '^(a+)+$' })).toBe(guess);
  expect(ask({ not: { pattern: 'a' } })).toBe(guess);
  expect(ask({ $ref: '#/$defs/circle' })).toBe(guess);
  expect(ask({ type: 'string' }, { steps: 0, characters: 1 })).toBe(guess);
});
