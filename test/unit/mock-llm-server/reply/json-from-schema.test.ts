import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jsonFromSchema, loadJsonFromSchema } from '../../../../mock-llm-server/reply/json-from-schema.ts';
import { propertySettings, verdictSettings } from '../../../support/random/property.ts';

const TEXT = 'Fix the login form';
const wrap = (schema: unknown) => ({ type: 'object', properties: { x: schema }, required: ['x'] });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const names = (count: number) => times(count, (index) => `p${index}`);
const list = (items: object) => ({ type: 'array', minItems: 1e9, items });

beforeAll(loadJsonFromSchema);

describe('jsonFromSchema', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['the text for a string', { type: 'string' }, TEXT],
    ['the text for anything', {}, TEXT],
    ['the text where everything is allowed', true, TEXT],
    ['the text for a reference to nowhere', { $ref: '#/$defs/none' }, TEXT],
    ['the value of a reference into a list', { $ref: '#/properties/x/anyOf/0', anyOf: [{ const: 7 }] }, 7],
    ['the text for a reference to another document', { $ref: 'https://example.com/schema' }, TEXT],
    ['the start of the text for a short string', { type: 'string', maxLength: 3 }, 'Fix'],
    ['a constant', { const: 7 }, 7],
    ['the first option', { type: 'string', enum: ['flash', 'pro'] }, 'flash'],
    ['an option rather than null', { enum: [null, 'pro'] }, 'pro'],
    ['the text for no options', { type: 'string', enum: [] }, TEXT],
    ['the default', { type: 'string', default: 'd' }, 'd'],
    ['0 for an integer', { type: 'integer' }, 0],
    ['the minimum', { type: 'integer', minimum: 3 }, 3],
    ['an integer above a fraction', { type: 'integer', minimum: 1.5 }, 2],
    ['the maximum', { type: 'number', maximum: -2.5 }, -2.5],
    ['the start of a described range', { type: 'integer', description: 'Complexity score from 1-100.' }, 1],
    ['the minimum before a described range', { type: 'integer', minimum: 7, description: '1 to 10' }, 7],
    ['false', { type: 'boolean' }, false],
    ['null', { type: 'null' }, null],
    ['a value rather than null', { type: ['null', 'integer'] }, 0],
    ['a member rather than null', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 0],
    ['a member beside annotations', { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'T' }, TEXT],
    ['a member beside unknown keywords', { oneOf: [{ type: 'string' }], discriminator: {}, readOnly: true }, TEXT],
    ['null if it is the only member', { oneOf: [{ type: 'null' }] }, null],
    ['an empty array', { type: 'array', items: { type: 'string' } }, []],
    ['as many items as required', { items: { type: 'string' }, minItems: 2 }, [TEXT, TEXT]],
    ['items of an unstated type', { type: 'array', minItems: 1 }, [TEXT]],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { const: 'b' }] }, [0, 'b']],
    ['a tuple of draft 7', { type: 'array', items: [{ const: 1 }, { const: 2 }] }, [1, 2]],
    ['required properties', { type: 'object', properties: { a: {}, b: {} }, required: ['b'] }, { b: TEXT }],
    ['no properties if none is required', { properties: { a: { type: 'integer' } }, required: [] }, {}],
    ['all properties if required is missing', { properties: { a: { type: 'integer' } } }, { a: 0 }],
    ['a required property without a schema', { required: ['a'] }, { a: TEXT }],
    ['a required property with the name of a property of every object', { required: ['valueOf'] }, { valueOf: TEXT }],
    ['an additional property', { required: ['a'], additionalProperties: { type: 'integer' } }, { a: 0 }],
    // Anthropic's SDKs move keywords into descriptions: the one for Python as texts, the one for TypeScript as JSON.
    ['a number as described', { type: 'integer', description: 'Score.\n\n{minimum: 3, maximum: 9}' }, 3],
    ['a described pattern', { type: 'string', description: '{pattern: ^[x]{2}$, maxLength: 2}' }, 'xx'],
    ['a described pattern in quotes', { type: 'string', description: 'A.\n\n{pattern: "^[x]{2}$"}' }, 'xx'],
    ['a described default', { type: 'boolean', description: '{default: True}' }, true],
    ['no described None', { type: 'string', description: '{default: None}' }, TEXT],
    ['the described number of items', { type: 'array', items: {}, description: '{minItems: 2}' }, [TEXT, TEXT]],
    ['no keywords of prose', { type: 'integer', description: 'As in {a}, {minimum: 3}' }, 0],
    ['no keywords that a description only mentions', { type: 'integer', description: 'x\n\n(minimum: 3)}' }, 0],
    ['different texts', { type: 'array', items: {}, minItems: 2, uniqueItems: true }, [TEXT, `${TEXT} 2`]],
    ['different numbers', { minItems: 2, items: { type: 'integer' }, uniqueItems: true }, [0, 1]],
    ['different options', { minItems: 2, items: { enum: ['a', 'b'] }, uniqueItems: true }, ['a', 'b']],
    ['equal items of other types', { minItems: 2, items: { type: 'null' }, uniqueItems: true }, [null, null]],
    ['a closed object', { type: 'object', additionalProperties: false, properties: {} }, {}],
    [
      'properties of two schemas',
      {
        allOf: [
          { properties: { a: { const: 1 } }, required: ['a'] },
          { required: ['b'], properties: { b: { const: 2 } } },
        ],
      },
      { a: 1, b: 2 },
    ],
  ])('generates %s', (_name, schema, expected) => {
    expect(jsonFromSchema(wrap(schema), TEXT)).toEqual({ x: expected });
  });

  it.each<readonly [string, object, RegExp]>([
    ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, /^[A-Z]{3}-\d{4}$/],
    ['a pattern with a length', { type: 'string', pattern: '^[a-z]+$', minLength: 3 }, /^[a-z]{3,}$/],
    ['a date', { type: 'string', format: 'date-time' }, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    ['a duration', { type: 'string', format: 'duration' }, /^PT0S$/],
    ['a format with a pattern', { format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' }, /^2025-01-01$/],
    ['a pattern that its format does not meet', { format: 'email', pattern: '^[a-z]@b$' }, /^[a-z]@b$/],
    ['a pattern of another engine beside a format', { format: 'email', pattern: '^(?P<a>x)$' }, /^/],
    ['a format that is too long as a text', { type: 'string', format: 'uuid', maxLength: 3 }, /^Fix$/],
    ['JSON in a text', { type: 'string', contentMediaType: 'application/json' }, /^\{\}$/],
    ['a text for an unknown format', { type: 'string', format: 'shoe-size' }, /^Fix the login form$/],
    ['a long string', { type: 'string', minLength: 20, maxLength: 22 }, /^.{20,22}$/],
  ])('generates %s', (_name, schema, expected) => {
    expect(jsonFromSchema(wrap(schema), TEXT)).toEqual({ x: expect.stringMatching(expected) });
  });

  it('answers the empty schema of a JSON mode with an object', () => {
    expect(jsonFromSchema({}, TEXT)).toEqual({});
  });

  it('ends recursion where the schema allows it', () => {
    const node = {
      type: 'object',
      properties: { value: { type: 'number' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      required: ['value', 'next'],
    };
    expect(jsonFromSchema({ $ref: '#/$defs/node', $defs: { node } }, TEXT)).toEqual({ value: 0, next: null });
    const optional = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#' } } };
    expect(jsonFromSchema(optional, TEXT)).toEqual({ name: TEXT });
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(jsonFromSchema(tree, TEXT)).toEqual({ children: [] });
  });

  it('gives the same bytes whatever was generated before', () => {
    const schema = wrap({ type: 'array', minItems: 3, items: { type: 'string', pattern: '^[a-z]{8}$' } });
    const first = JSON.stringify(jsonFromSchema(schema, TEXT));
    jsonFromSchema(wrap({ type: 'string', pattern: '^\\d+$' }), 'other');
    expect(JSON.stringify(jsonFromSchema(schema, TEXT))).toBe(first);
    // Pinned, because every process must generate it.
    expect(jsonFromSchema({ type: 'string', pattern: '^[a-z]{4}$' }, TEXT)).toBe('anzz');
  });
});

describe('a schema without an affordable instance', () => {
  it.each<readonly [string, object]>([
    ['a pattern with a huge repeat', { type: 'string', pattern: 'a{100000000}' }],
    ['a pattern with nested repeats', { type: 'string', pattern: '((((a{999}){999}){999})*)b' }],
    ['nested arrays', list(list({ type: 'string' }))],
    ['a long string in a long array', list({ type: 'string', minLength: 2e8 })],
    ['required properties by the thousand', { type: 'object', required: names(5000) }],
    ['a large constant in an array', list({ const: 'x'.repeat(100_000) })],
    ['a large default in an array', list({ type: 'string', default: 'x'.repeat(100_000) })],
    ['nothing', { allOf: [false] }],
    ['a required property of a closed object', { required: ['a'], additionalProperties: false }],
    ['many schemas in one', { allOf: names(1000).map((name) => ({ properties: { [name]: {} }, required: [name] })) }],
    [
      'many choices for a wide object',
      {
        properties: Object.fromEntries(names(200).map((name) => [name, {}])),
        // The last choice has an instance, which only a search without a budget finds.
        anyOf: [...times(1000, () => ({ properties: { a: false }, required: ['a'] })), { required: ['p0'] }],
      },
    ],
    ['expensive values', { prefixItems: times(2000, () => ({ type: 'string', pattern: '^[a-z]+$', maxLength: 1 })) }],
  ])('is answered with {}: %s', (_name, schema) => {
    expect(jsonFromSchema(wrap(schema), TEXT)).toEqual({});
  });

  it('is answered with {}: properties that double sixty times', () => {
    const definitions = times(60, (index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { type: 'object', properties: { a: next, b: next } }] as const;
    });
    const $defs = { ...Object.fromEntries(definitions), d60: { type: 'string' } };
    expect(jsonFromSchema({ $ref: '#/$defs/d0', $defs }, TEXT)).toEqual({});
  });

  it('is answered with {}: a long chain of references', () => {
    const $defs = Object.fromEntries(times(1000, (index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]));
    expect(jsonFromSchema({ $ref: '#/$defs/d0', $defs }, TEXT)).toEqual({});
  });

  it('is answered with {} where recursion never ends', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] };
    expect(jsonFromSchema({ $ref: '#/$defs/node', $defs: { node } }, TEXT)).toEqual({});
    expect(
      jsonFromSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, TEXT),
    ).toEqual({});
  });
});

describe('a limit', () => {
  it.each<readonly [string, object]>([
    ['minLength', { type: 'string', minLength: 2e8 }],
    ['minItems', { type: 'array', minItems: 3e6, items: { type: 'boolean' } }],
    ['maxItems', { type: 'array', maxItems: 1e9 }],
    ['maxLength', { type: 'string', maxLength: 1e9 }],
    ['minLength of a condition', { type: 'string', format: 'email', if: false, else: { minLength: 2e8 } }],
  ])('is clamped: %s', (_name, schema) => {
    expect(JSON.stringify(jsonFromSchema(wrap(schema), TEXT)).length).toBeLessThan(50_000);
  });
});

const anyCount = fc.nat(4);
const leaf: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.constantFrom<z.ZodType>(
    z.string(),
    z.boolean(),
    z.null(),
    z.literal('c'),
    z.enum(['x', 'y']),
    z.uuid(),
    z.email(),
    z.iso.date(),
    z.iso.datetime(),
    z.ipv4(),
    z.string().regex(/^v\d+(?:\.\d+)+$/),
    z.number().gt(3).lt(4),
    z.number().multipleOf(5).min(7),
  ),
  fc.tuple(anyCount, fc.nat(30)).map(([min, more]) =>
    z
      .string()
      .min(min)
      .max(min + more),
  ),
  fc.tuple(fc.integer({ min: -9, max: 9 }), anyCount).map(([min, more]) =>
    z
      .int()
      .min(min)
      .max(min + more),
  ),
);
const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    leaf,
    fc.tuple(tie('schema'), anyCount, anyCount).map(([item, min, more]) =>
      z
        .array(item)
        .min(min)
        .max(min + more),
    ),
    fc.tuple(tie('schema'), tie('schema')).map((items) => z.tuple(items)),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((members) => z.union([z.null(), ...members])),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([a, b]) =>
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), a }),
          z.object({ kind: z.literal('b'), b: b.optional() }),
        ]),
      ),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'd e'), tie('schema'), { maxKeys: 3, noNullPrototype: true })
      .chain((shape) => fc.constantFrom(z.object(shape), z.strictObject(shape), z.object(shape).partial())),
  ),
}));

/** Fails if an instance is not valid. */
function checkInstances(generate: typeof jsonFromSchema, settings = propertySettings(50)): void {
  const property = fc.property(anySchema, (schema) => {
    const root = z.object({ x: schema });
    const instance: unknown = JSON.parse(JSON.stringify(generate(z.toJSONSchema(root), TEXT)));
    expect(root.safeParse(instance).error?.issues, JSON.stringify(instance)).toBeUndefined();
  });
  fc.assert(property, settings);
}

describe('any schema of zod', () => {
  it('gets a valid instance', () => {
    checkInstances(jsonFromSchema);
  });

  it.each<readonly [string, typeof jsonFromSchema]>([
    ['is empty', () => ({})],
    ['is always a text', () => ({ x: 'text' })],
  ])('fails the check with an instance that %s', (_name, generate) => {
    expect(() => checkInstances(generate, verdictSettings(50))).toThrow('Property failed');
  });
});
