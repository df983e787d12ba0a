import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { instanceOfSchema } from '../../../../../mock-llm-server/reply/schema/schema-instance.ts';
import { propertySettings } from '../../../../support/property.ts';

type Schema = Record<string, unknown>;

const AnySchema = z.custom<z.core.JSONSchema.JSONSchema>((value) => typeof value === 'object');

const NAMES = ['a', 'b', 'c', 'd e'];
const small = fc.integer({ min: -9, max: 9 });
const count = fc.nat(4);

const text = fc.oneof(
  fc.record({ minLength: count, more: fc.nat(30) }).map(({ minLength, more }) => {
    return { type: 'string', minLength, maxLength: minLength + more };
  }),
  fc
    .constantFrom(
      '^\\d{4}-\\d{2}$',
      '^[A-Z]{3}-\\d{4}$',
      '^[a-z][a-z0-9_]*$',
      '^(red|green)?$',
      '^.+@.+$',
      '^v\\d+(\\.\\d+)+$',
    )
    .map((pattern) => ({ type: 'string', pattern })),
  fc
    .constantFrom('date-time', 'date', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'duration')
    .map((format) => ({ type: 'string', format })),
  fc.constant({ type: 'string' }),
);
const number = fc.oneof(
  fc.record({ minimum: small, width: count }).map(({ minimum, width }) => {
    return { type: 'integer', minimum, maximum: minimum + width };
  }),
  fc.record({ exclusiveMinimum: small, width: fc.integer({ min: 1, max: 4 }) }).map(({ exclusiveMinimum, width }) => {
    return { type: 'number', exclusiveMinimum, exclusiveMaximum: exclusiveMinimum + width };
  }),
  fc
    .record({ multipleOf: fc.constantFrom(0.1, 0.5, 3, 7), minimum: small })
    .map((rest) => ({ type: 'number', ...rest })),
  fc.record({ maximum: small }).map((rest) => ({ type: 'number', ...rest })),
);
const leaf: fc.Arbitrary<Schema> = fc.oneof(
  text,
  number,
  fc.constantFrom<Schema>(
    { type: 'boolean' },
    { type: 'null' },
    { type: ['null', 'integer'] },
    { const: 'c' },
    { enum: ['x', 'y', 3] },
    { type: 'string', enum: ['flash', 'pro'] },
  ),
);
/** Of these there are many different ones. */
const manyOf: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'string', format: 'uuid' },
  { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
);

const { schema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    leaf,
    tie('object'),
    fc.record({ items: tie('schema'), minItems: fc.nat(2), more: fc.nat(2) }).map(({ items, minItems, more }) => {
      return { type: 'array', items, minItems, maxItems: minItems + more };
    }),
    fc.record({ items: manyOf, minItems: count }).map((rest) => ({ type: 'array', uniqueItems: true, ...rest })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((prefixItems) => {
      return { type: 'array', prefixItems, minItems: prefixItems.length };
    }),
    fc.record({ contains: fc.constant({ const: 7 }), minItems: count }).map((rest) => ({ type: 'array', ...rest })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf: [{ type: 'null' }, ...anyOf] })),
    fc.tuple(tie('schema'), tie('schema')).map(([a, b]) => ({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, a }, required: ['kind', 'a'] },
        { type: 'object', properties: { kind: { const: 'b' }, b }, required: ['kind', 'b'] },
      ],
    })),
    fc.constant({ oneOf: [{ type: 'integer' }, { type: 'number' }] }),
    fc.constant({ allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'integer' } } }] }),
    fc.constant({ type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 }),
    // A list, a tree, and two that lead to each other; all can end.
    fc.constantFrom({ $ref: '#/$defs/list' }, { $ref: '#/$defs/tree' }, { $ref: '#/$defs/left' }),
  ),
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 4, noNullPrototype: true }),
      all: fc.boolean(),
      closed: fc.boolean(),
    })
    .map(({ properties, all, closed }) => ({
      type: 'object',
      properties,
      ...(all ? { required: Object.keys(properties) } : { required: Object.keys(properties).slice(0, 1) }),
      ...(closed && { additionalProperties: false }),
    })),
}));

const $defs = {
  list: {
    type: 'object',
    properties: { value: { type: 'number' }, next: { anyOf: [{ $ref: '#/$defs/list' }, { type: 'null' }] } },
    required: ['value', 'next'],
  },
  tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  left: { type: 'object', properties: { right: { $ref: '#/$defs/right' } }, required: ['right'] },
  right: { anyOf: [{ $ref: '#/$defs/left' }, { type: 'array', items: { $ref: '#/$defs/left' } }] },
};

/** Fails with what somebody else finds wrong with an instance. */
function checkInstances(instanceOf: (schema: Schema, text: string) => unknown): void {
  fc.assert(
    fc.property(schema, (made) => {
      const root = { type: 'object', properties: { x: made }, required: ['x'], $defs };
      const instance: unknown = JSON.parse(JSON.stringify(instanceOf(root, 'Fix the login form')));
      const { error } = z.fromJSONSchema(AnySchema.parse(root)).safeParse(instance);
      expect(error?.issues, JSON.stringify(instance)).toBeUndefined();
    }),
    propertySettings(300),
  );
}

it('makes an instance that the schema accepts', () => {
  checkInstances(instanceOfSchema);
});

it.each<readonly [string, (schema: Schema, text: string) => unknown]>([
  ['is empty', () => ({})],
  ['is always a text', () => ({ x: 'text' })],
  [
    'does not look at patterns',
    (root) => JSON.parse(JSON.stringify(instanceOfSchema(root, 'zzz')).replaceAll(/"0000-00"/g, '"zzz"')),
  ],
  [
    'does not end its lists',
    (root) =>
      JSON.parse(JSON.stringify(instanceOfSchema(root, 'x')).replaceAll('"next":null', '"next":{"value":null}')),
  ],
])('notices an instance that %s', (_name, instanceOf) => {
  expect(() => checkInstances(instanceOf)).toThrow('Property failed');
});
