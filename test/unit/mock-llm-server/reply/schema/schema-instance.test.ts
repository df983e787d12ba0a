import { describe, expect, it } from 'vitest';
import { createBudget, isSpent } from '../../../../../mock-llm-server/reply/schema/schema-budget.ts';
import { instanceOfSchema } from '../../../../../mock-llm-server/reply/schema/schema-instance.ts';

const TEXT = 'Fix the login form';
/** An object with this name written out looks like a promise. */
const THEN = 'then';
const wrap = (schema: unknown) => ({ type: 'object', properties: { x: schema }, required: ['x'] });
const LONG = { type: 'string', minLength: 10_000 };
const list = (items: object) => ({ type: 'array', minItems: 1000, items });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const lengthOf = (minLength: number) => ({ type: 'string', minLength });
const membersOf = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { allOf: [...times(49, () => ({})), membersOf(depth - 1)] };
const recursive = {
  $ref: '#/$defs/node',
  $defs: { node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
};
const endless = {
  ...wrap({ $ref: '#/$defs/node' }),
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } },
};

describe('instanceOfSchema', () => {
  it.each([
    ['text', { type: 'string' }, TEXT],
    ['anything', {}, TEXT],
    ['anything at all', true, TEXT],
    ['a constant', { const: 7 }, 7],
    ['an enumeration', { type: 'string', enum: ['flash', 'pro'] }, 'flash'],
    ['an empty enumeration', { type: 'string', enum: [] }, TEXT],
    ['a default', { type: 'string', default: 'd' }, 'd'],
    ['an integer', { type: 'integer' }, 0],
    ['a positive integer', { type: 'integer', minimum: 3 }, 3],
    ['more than', { type: 'integer', exclusiveMinimum: 3 }, 4],
    ['a number above', { type: 'number', exclusiveMinimum: 3 }, 3.5],
    ['at most', { type: 'integer', maximum: -2 }, -2],
    ['less than', { type: 'number', exclusiveMaximum: -2 }, -2.5],
    ['a multiple', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
    ['a negative multiple', { type: 'integer', maximum: -7, multipleOf: 5 }, -10],
    ['a number in a range around 0', { type: 'number', minimum: -1, maximum: 1 }, 0],
    ['a range in words', { type: 'INTEGER', description: 'Complexity score from 1-100.' }, 1],
    ['a range in other words', { type: 'number', description: 'Between 2.5 and 4.' }, 2.5],
    ['a range that the schema knows better', { type: 'integer', minimum: 7, description: '1 to 10' }, 7],
    ['no range', { type: 'integer', description: 'How many.' }, 0],
    ['a range that is none', { type: 'integer', description: 'As in 10-1 and 2025-01-01.' }, 0],
    ['a boolean', { type: 'boolean' }, false],
    ['nothing', { type: 'null' }, null],
    ['a type or nothing', { type: ['null', 'integer'] }, 0],
    ['upper case', { type: 'INTEGER', minimum: '2' }, 2],
    ['a limit that is no number', { type: 'integer', minimum: 'two' }, 0],
    ['an empty list', { type: 'array', items: { type: 'string' } }, []],
    ['a list with a least length', { items: { type: 'string' }, minItems: 2 }, [TEXT, `${TEXT} 2`]],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { const: 'b' }] }, [0, 'b']],
    ['a list of anything', { type: 'array', minItems: '1' }, [TEXT]],
    ['what is required', { type: 'object', properties: { a: {}, b: {} }, required: ['b'] }, { b: TEXT }],
    ['nothing required', { type: 'object', properties: { a: { type: 'integer' } }, required: [] }, {}],
    ['everything where nothing is said', { properties: { a: { type: 'integer' } } }, { a: 0 }],
    ['what is required without a type', { required: ['a'] }, { a: TEXT }],
    ['the first member that is something', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 0],
    ['nothing, where that is all', { oneOf: [{ type: 'null' }] }, null],
    [
      'all members together',
      {
        allOf: [
          { properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { const: 2 } }, required: ['b'] },
        ],
      },
      { a: 1, b: 2 },
    ],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, TEXT],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, TEXT],
    ['a date', { type: 'string', format: 'date-time' }, '2025-01-01T00:00:00Z'],
    ['an unknown format', { type: 'string', format: 'enum' }, TEXT],
    ['a long text', { type: 'string', minLength: 20 }, 'Fix the login form..'],
    ['a short text', { type: 'string', maxLength: 3 }, 'Fix'],
    ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, 'AAA-0000'],
    ['a pattern and a length', { type: 'string', pattern: '^[a-z]+$', minLength: 3 }, 'aaa'],
    ['a pattern that looks ahead', { type: 'string', pattern: '^(?=.*\\d).+$' }, TEXT],
    ['a pattern that never ends', { type: 'string', pattern: '^(a+)+$(a|a)*b' }, 'ab'],
    ['a reference that is no address', { $ref: '#/%E0%A4%A' }, TEXT],
    ['a reference into a list', { anyOf: [{ $ref: '#/$list/1' }] }, TEXT],
    ['numbers without a type', { minimum: 3 }, 3],
    ['a range between', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.0625],
    ['a fraction of a whole', { type: 'integer', multipleOf: 1.5, minimum: 1 }, 3],
    ['a step too small to matter', { type: 'number', minimum: 1e308, multipleOf: 1e-300 }, 1e308],
    ['a step too small to matter below', { type: 'number', maximum: -1e30, multipleOf: 0.1 }, -1e30],
    ['a whole number beyond the safe ones', { type: 'integer', exclusiveMinimum: 1e20 }, 1e20 + 2 ** 14],
    ['a step that is none', { type: 'number', multipleOf: 0 }, 0],
    ['a step that no whole has', { type: 'integer', multipleOf: Math.PI }, 0],
    ['a fraction, exactly', { type: 'number', multipleOf: 0.1, minimum: 0.25 }, 0.3],
    ['what a default must be', { type: 'integer', default: 'x' }, 0],
    ['what an option must be', { type: 'string', enum: [1, 'b'] }, 'b'],
    ['no constant', { type: 'string', not: { const: TEXT } }, `${TEXT} 2`],
    ['no option', { enum: ['a', 'b'], not: { enum: ['a'] } }, 'b'],
    ['no falsehood', { type: 'boolean', not: { const: false } }, true],
    ['what is required, but not that', { type: 'number', not: { maximum: 0 } }, 0.5],
    ['a list that is not empty', { type: 'array', not: { maxItems: 0 } }, [TEXT]],
    [
      'a condition that holds',
      {
        properties: { kind: { enum: ['a', 'b'] } },
        required: ['kind'],
        if: { properties: { kind: { const: 'a' } } },
        [THEN]: { properties: { size: { const: 1 } }, required: ['size'] },
      },
      { kind: 'a', size: 1 },
    ],
    [
      'a condition that cannot hold',
      { type: 'integer', minimum: 5, if: { maximum: 4 }, [THEN]: false, else: { minimum: 9 } },
      9,
    ],
    ['one of two', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 0.5],
    [
      'one of two that are required',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: { const: 1 }, b: {} } },
      { a: 1 },
    ],
    ['what two have in common', { allOf: [{ type: ['integer', 'null'] }, { type: 'number', minimum: 2 }] }, 2],
    [
      'the choice that what all want leaves',
      { allOf: [{ type: 'integer' }], anyOf: [{ type: 'string' }, { minimum: 4 }] },
      4,
    ],
    [
      'limits together',
      {
        allOf: [
          { minLength: 2, maxLength: 9 },
          { minLength: 4, maxLength: 4 },
        ],
      },
      'Fix ',
    ],
    ['options in common', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, 'b'],
    [
      'one property of two members',
      { allOf: [{ properties: { a: { minimum: 2 } } }, { properties: { a: { type: 'integer' } } }] },
      { a: 2 },
    ],
    ['as many properties as must be', { type: 'object', minProperties: 2 }, { key: TEXT, 'key 2': TEXT }],
    [
      'as many properties as may be',
      { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, maxProperties: 1 },
      { a: 1 },
    ],
    [
      'names by a pattern',
      { type: 'object', patternProperties: { '^x-\\d$': { type: 'integer' } }, minProperties: 1 },
      { 'x-0': 0 },
    ],
    [
      'names by a rule',
      { type: 'object', propertyNames: { enum: ['p', 'q'] }, additionalProperties: { const: 1 }, minProperties: 2 },
      { p: 1, q: 1 },
    ],
    [
      'optional properties where they are needed',
      { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, required: [], minProperties: 1 },
      { a: 1 },
    ],
    [
      'names that others bring with them',
      { type: 'object', required: ['a'], properties: { a: { const: 1 } }, dependentRequired: { a: ['b', 3] } },
      { a: 1, b: TEXT },
    ],
    ['an object that must stay empty', { type: 'object', additionalProperties: false, properties: {} }, {}],
    [
      'different items',
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
      ['a', 'b', 'c'],
    ],
    ['different lists', { items: { items: { type: 'boolean' } }, minItems: 2, uniqueItems: true }, [[], [true]]],
    [
      'different texts of a format',
      {
        prefixItems: ['date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'url', 'uuid'].map(
          (format) => ({ items: { format }, minItems: 2, uniqueItems: true }),
        ),
      },
      [
        ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'],
        ['00:00:00Z', '00:00:01Z'],
        ['PT1S', 'PT2S'],
        ['user@example.com', 'user1@example.com'],
        ['example.com', 'host1.example.com'],
        ['127.0.0.1', '127.0.0.2'],
        ['::1', '::2'],
        ['https://example.com/', 'https://example.com/1'],
        ['https://example.com/', 'https://example.com/1'],
        ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'],
      ],
    ],
    ['different dates', { items: { format: 'date' }, minItems: 2, uniqueItems: true }, ['2025-01-01', '2025-01-02']],
    ['what a list must contain', { type: 'array', items: { type: 'integer' }, contains: { minimum: 7 } }, [7]],
    ['an old tuple', { type: 'array', items: [{ const: 1 }, { const: 2 }], additionalItems: false }, [1, 2]],
    ['a tuple that may be shorter', { type: 'array', prefixItems: [{ const: 1 }, false] }, [1]],
    ['at most', { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], maxItems: 1 }, [1]],
    ['a pattern that is none', { type: 'string', pattern: '(' }, TEXT],
    ['an unknown type', { type: 'tuple' }, TEXT],
  ])('makes %s', (_name, schema, expected) => {
    expect(instanceOfSchema(wrap(schema), TEXT)).toEqual({ x: expected });
  });

  it('answers the empty schema of JSON mode with an object', () => {
    expect(instanceOfSchema({}, TEXT)).toEqual({});
  });

  it('takes the branch that ends', () => {
    const node = {
      type: 'object',
      properties: { value: { type: 'number' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      required: ['value', 'next'],
    };
    expect(instanceOfSchema({ $ref: '#/$defs/node', $defs: { node } }, TEXT)).toEqual({ value: 0, next: null });
    expect(instanceOfSchema(recursive, 'n')).toEqual({ name: 'n' });
    const itself = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(instanceOfSchema(itself, 'n')).toEqual({ children: [] });
  });

  it.each([
    ['what never ends', endless, { x: { next: null } }],
    ['a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, null],
    ['nothing that is allowed', wrap(false), { x: null }],
    ['a contradiction', wrap({ allOf: [{ type: 'string' }, { type: 'integer' }] }), { x: null }],
    ['an option of another type', wrap({ type: 'integer', enum: ['1', '2'] }), { x: '1' }],
    ['too few names', wrap({ type: 'object', additionalProperties: false, minProperties: 1 }), { x: {} }],
    ['too few items', wrap({ items: { type: 'boolean' }, minItems: 3, uniqueItems: true }), { x: null }],
    ['more members than are read', wrap({ allOf: times(5000, (index) => ({ required: [`p${index}`] })) }), { x: null }],
    ['members of members, too many for the stack', wrap(membersOf(49)), { x: null }],
    ['no name at all', wrap({ type: 'object', propertyNames: false, minProperties: 1 }), { x: {} }],
  ])('fills as well as can be: %s', (_name, schema, expected) => {
    expect(instanceOfSchema(schema, 'n')).toEqual(expected);
  });

  it.each([
    ['all of itself', (each: object) => ({ type: 'object', properties: { a: each, b: each }, required: ['a', 'b'] })],
    ['many choices', (each: object) => ({ allOf: [{ anyOf: [each, each] }, { oneOf: [each, each] }] })],
    ['conditions', (each: object) => ({ if: each, [THEN]: each, else: each })],
    ['exclusions', (each: object) => ({ type: 'string', not: { allOf: [each, each] } })],
    ['lists', (each: object) => ({ type: 'array', items: each, minItems: 100_000, uniqueItems: true })],
  ])('comes to an end, however much there is: %s', (_name, shape) => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`d${index}`, shape({ $ref: `#/$defs/d${index + 1}` })]),
    );
    const instance = instanceOfSchema({ $ref: '#/$defs/d0', $defs: { ...$defs, d60: { type: 'string' } } }, TEXT);
    expect(JSON.stringify(instance).length).toBeLessThan(10_000_000);
    const deep = Array.from({ length: 2000 }).reduce<object>((inner) => shape(inner), { type: 'string' });
    expect(JSON.stringify(instanceOfSchema(wrap(deep), TEXT)).length).toBeLessThan(10_000_000);
  });

  it.each<readonly [string, object]>([
    [
      'texts that are counted again and again',
      { type: 'string', anyOf: times(20, () => ({ minLength: 10_000 })), not: { allOf: times(400, () => LONG) } },
    ],
    [
      'texts of all lengths, none of them wanted',
      { anyOf: times(2000, lengthOf), not: { anyOf: times(2000, lengthOf) } },
    ],
    ['a choice of ten thousand', { oneOf: times(10_000, (index) => ({ const: index })), not: {} }],
    ['patterns', { anyOf: times(2000, () => ({ minLength: 9, pattern: `^${'[丁]'.repeat(300)}$` })), not: {} }],
    ['numbers that are none', { items: list({ type: 'integer', multipleOf: Math.PI }), minItems: 1000 }],
    ['numbers', { items: list({ type: 'integer' }), minItems: 1000 }],
    ['a large value', { const: times(20_000, String), not: { anyOf: times(2000, () => ({ const: [1] })) } }],
    ['large options', { allOf: [{ enum: ['x'.repeat(1_000_000)] }, { anyOf: times(2000, () => ({ enum: [1] })) }] }],
    [
      'many properties',
      { items: { properties: Object.fromEntries(times(5000, (name) => [name, LONG])), required: [] }, minItems: 1000 },
    ],
  ])('costs little time: %s', (_name, schema) => {
    const budget = createBudget();
    instanceOfSchema(wrap(schema), TEXT, budget);
    expect(budget.steps).toBeGreaterThan(-5_000);
    const start = performance.now();
    instanceOfSchema(wrap(schema), TEXT);
    // It takes a tenth of this; without a limit, seconds to minutes.
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it('shares what may be done among instances', () => {
    const budget = createBudget();
    const first = instanceOfSchema(list(list(LONG)), TEXT, budget);
    expect(JSON.stringify(first).length).toBeGreaterThan(400_000);
    while (!isSpent(budget)) instanceOfSchema(LONG, TEXT, budget);
    expect(instanceOfSchema(wrap(LONG), TEXT, budget)).toBeNull();
  });

  it('keeps a property called __proto__ one', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}}}');
    expect(JSON.stringify(instanceOfSchema(schema, TEXT))).toBe('{"__proto__":1}');
  });
});
