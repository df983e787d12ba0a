import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CONFIG_CHECKS } from '../../../src/config/checks.ts';
import { describeKeys, schemaOfKey } from '../../../src/config/describe/describe-keys.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { conforms, type DataSchema, withDefaults } from '../../../src/schema/conforms.ts';
import {
  anyJson,
  argumentsSchema,
  dataSchema,
  explainedSchema,
  namedCheck,
  problemOf,
} from '../../../src/schema/data-schema.ts';
import { explain } from '../../../src/schema/explain.ts';

const ROWS: readonly (readonly [name: string, schema: z.ZodType, values: readonly unknown[]])[] = [
  ['strings', z.string(), ['', 'a', 1, null]],
  ['strings of a length', z.string().min(2).max(3), ['a', 'ab', 'abc', 'abcd', '😀']],
  ['strings of a form', z.string().regex(/^a|b$/), ['a', 'xb', 'x']],
  ['numbers', z.number(), [1, 1.5, '1', Number.NaN, Number.POSITIVE_INFINITY]],
  ['numbers in a range', z.number().min(1).max(2), [0.9, 1, 2, 2.1]],
  ['positive numbers', z.number().positive(), [0, -1, 0.1]],
  ['integers', z.int(), [1, 1.5, -1, 2 ** 53]],
  ['integers in a range', z.number().int().min(1).max(3), [0, 1, 3, 4, 1.5]],
  ['switches', z.boolean(), [true, false, 'true', null]],
  ['null', z.null(), [null, 0, '']],
  ['anything', z.unknown(), [null, 0, '', {}, []]],
  ['one of some names', z.enum(['a', 'b']), ['a', 'c', 1]],
  ['one value', z.literal('1.0'), ['1.0', '2.0', 1]],
  ['one of two types', z.union([z.string(), z.int()]), ['a', 1, 1.5, null]],
  ['a value or null', z.string().nullable(), ['a', null, 1]],
  ['lists', z.array(z.string()), [[], ['a'], ['a', 1], {}, 'a']],
  ['lists of anything', z.array(z.unknown()), [[], [1], {}]],
  ['lists of a length', z.array(z.int()).min(1).max(2), [[], [1], [1, 2], [1, 2, 3], ['a']]],
  ['lists of one length', z.array(z.unknown()).length(2), [[1], [1, 2], [1, 2, 3]]],
  [
    'objects',
    z.object({ a: z.string(), b: z.int().nullish() }),
    [{ a: '' }, { a: '', b: null, c: 1 }, { b: 1 }, [], null],
  ],
  [
    'objects without other keys',
    z.strictObject({ a: z.string().optional() }),
    [{}, { a: 'a' }, { a: undefined }, { b: 1 }],
  ],
  ['objects with other keys', z.looseObject({ a: z.int() }), [{ a: 1, b: 2 }, { b: 2 }]],
  ['records', z.record(z.string().regex(/^a/), z.int()), [{}, { ab: 1 }, { b: 1 }, { ab: '1' }, { __proto__: 1 }]],
  ['one of several values', z.literal(['a', 1, true]), ['a', 1, true, 'b', 2, false]],
  [
    'one of several objects',
    z.discriminatedUnion('a', [z.object({ a: z.literal('b') }), z.object({ a: z.literal('c'), d: z.int() })]),
    [{ a: 'b' }, { a: 'c' }, { a: 'c', d: 1 }, { d: 1 }],
  ],
  ['any JSON', z.record(z.string(), anyJson), [{}, { a: [null, { b: 1 }] }, []]],
  ['nested objects', z.object({ a: z.array(z.object({ b: z.boolean() })) }), [{ a: [{ b: true }] }, { a: [{}] }]],
];

describe('a schema as data', () => {
  it.each(ROWS)('accepts the same values as zod: %s', (_name, schema, values) => {
    const data = dataSchema(schema);
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    for (const value of values)
      expect([value, conforms(value, data)]).toEqual([value, schema.safeParse(value).success]);
  });

  it.each(ROWS)('accepts no value that zod rejects or changes: %s', (_name, schema) => {
    expectSafe(schema, dataSchema(schema));
  });

  it.each([
    ['a default', z.string().default('a')],
    ['a default inside', z.object({ a: z.string().default('a') })],
    ['a custom check', z.string().refine((text) => text !== '')],
    ['a custom check inside', z.array(z.string().refine((text) => text !== ''))],
    ['a transformation', z.string().transform(Number)],
    ['a changed text', z.string().trim()],
    ['a flag', z.string().regex(/a/i)],
    ['a format', z.email()],
    ['any JSON', z.record(z.string(), z.json())],
  ])('cannot have %s', (_name, schema) => {
    expect(problemOf(schema)).toBeDefined();
    expect(() => Reflect.apply(dataSchema, undefined, [schema])).toThrow('this schema cannot be data');
  });

  it('cannot have a keyword that the check does not know', () => {
    expect(() => dataSchema(z.number().multipleOf(2))).toThrow();
  });
});

it.each([
  [{ a: 1 }, '✖ Invalid input: expected string, received number\n  → at a'],
  [[], '✖ Invalid input: expected object, received array'],
  [{ a: 'x' }, 'unexpected value'],
])('the reason why %j does not conform is explained', async (value, problem) => {
  expect(await explain(value, explainedSchema(z.object({ a: z.string() })))).toBe(problem);
});

describe('a schema with a named check as data', () => {
  const schema = z.array(
    namedCheck(z.object({ a: z.int() }).optional().unwrap().describe('described'), 'is_even', ({ a }, context) => {
      if (a % 2 !== 0) context.addIssue({ code: 'custom', message: 'odd' });
    }),
  );
  const accepts = (value: unknown) => JSON.stringify(value) === '{"a":2}';

  it('names the check, which is called for values that fit the rest', () => {
    const data = dataSchema(schema);
    const seen: unknown[] = [];
    const checks = { is_even: { accepts: (value: unknown) => seen.push(value) > 0 && accepts(value) } };
    expect([[{ a: 2 }], [{ a: 3 }], [{ a: 'x' }]].map((value) => conforms(value, data, checks))).toEqual([
      true,
      false,
      false,
    ]);
    expect(seen).toEqual([{ a: 2 }, { a: 3 }]);
    expect(schema.safeParse([{ a: 3 }]).success).toBe(false);
  });

  it('cannot be read without the function of the check', () => {
    expect(() => conforms([{ a: 2 }], dataSchema(schema))).toThrow('the check is_even of this schema is missing');
  });
});

describe('a schema of arguments as data', () => {
  const schema = z.object({
    a: z.string().default('x'),
    b: z.array(z.object({ c: z.int().default(1), d: z.boolean().optional() })).optional(),
  });
  const data = argumentsSchema(schema);

  it.each([
    {},
    { a: 'y', b: [], other: 1 },
    { a: undefined, b: [{}, { c: 2, d: true, e: 1 }] },
    { a: 1 },
    { b: {} },
    { b: [null, 1] },
    { ['__proto__']: { a: 'y' } },
    [],
    [{}],
    null,
    'a',
  ])('has the defaults and the properties that zod returns for %j', (value) => {
    const filled = withDefaults(value, data.json);
    expect(conforms(filled, data) ? filled : undefined).toEqual(schema.safeParse(value).data);
  });

  it('does not change a list of anything and an object without names', () => {
    expect(withDefaults([{ a: 1 }], { type: 'array' })).toEqual([{ a: 1 }]);
    expect(withDefaults({ a: 1 }, { type: 'object' })).toEqual({ a: 1 });
  });

  it.each([
    ['a default in a union', z.union([z.string(), z.object({ a: z.string().default('a') })])],
    ['a default in a record', z.record(z.string(), z.string().default('a'))],
    ['a default of a default', z.string().default('a').default('b')],
    ['a transformation', z.object({ a: z.string().transform(Number) })],
    ['a default that is an object', z.object({ a: z.looseObject({}).default({}) })],
  ])('cannot have %s', (_name, refused) => {
    expect(() => Reflect.apply(argumentsSchema, undefined, [refused])).toThrow();
  });
});

describe('the keys of the configuration', () => {
  const schema = configSchema(['run_shell']);
  const keys = describeKeys(['run_shell']);

  it.each(keys.flatMap((key) => (key.values === undefined ? [] : [[key.name, key.values] as const])))(
    'accept no value that zod rejects or changes: %s',
    (name, values) => expectSafe(schemaOfKey(schema, name), values),
  );

  it('have the defaults of the schema', () => {
    for (const { name, default: preset } of keys)
      expect(schemaOfKey(schema, name).safeParse(undefined).data).toEqual(preset);
  });

  it('are data, apart from a few with a check or a default inside', () => {
    const others = keys.filter(({ values }) => values === undefined).map(({ name }) => name);
    expect(others).toEqual(expect.arrayContaining(['llm.headers', 'models.profiles', 'tools.external']));
    expect(others.length).toBeLessThan(keys.length / 5);
  });

  it('reject an unknown name', () => {
    expect(() => schemaOfKey(schema, 'llm.unknown')).toThrow('unknown configuration key llm.unknown');
  });
});

/** Every value that conforms is taken by zod as it is, other keys aside. */
function expectSafe(schema: z.ZodType, data: DataSchema<unknown>): void {
  const simple = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.integer({ min: -3, max: 30_000 }),
    fc.constantFrom('a', 'ab', '1.0'),
  );
  const record = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ab'), simple);
  fc.assert(
    fc.property(fc.oneof(simple, record, fc.array(fc.constantFrom('a', 'b'))), (value) => {
      if (!conforms(value, data, CONFIG_CHECKS)) return;
      const parsed = schema.safeParse(value);
      expect(parsed.success).toBe(true);
      expect(value).toEqual(
        typeof value === 'object' && value !== null ? expect.objectContaining(parsed.data ?? {}) : parsed.data,
      );
    }),
    { numRuns: 50 },
  );
}
