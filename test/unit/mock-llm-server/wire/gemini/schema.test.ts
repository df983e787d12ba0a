import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJsonSchema } from '../../../../../mock-llm-server/wire/gemini/schema.ts';
import { propertySettings } from '../../../../support/random/property.ts';

describe('toJsonSchema', () => {
  it.each<readonly [string, Record<string, unknown>, Record<string, unknown>]>([
    ['a type', { type: 'STRING' }, { type: 'string' }],
    ['several types', { type: ['STRING', 'NULL'] }, { type: ['string', 'null'] }],
    ['no type', { type: 'TYPE_UNSPECIFIED', description: 'any' }, { description: 'any' }],
    ['a nullable type', { type: 'INTEGER', nullable: true }, { type: ['integer', 'null'] }],
    [
      'a nullable type that already allows null',
      { type: ['STRING', 'NULL'], nullable: true },
      { type: ['string', 'null'] },
    ],
    ['a nullable schema without a type', { nullable: true, enum: ['A'] }, { enum: ['A'] }],
    ['a type that is not nullable', { type: 'NUMBER', nullable: false }, { type: 'number' }],
    ['counts', { type: 'ARRAY', minItems: '1', maxItems: 3 }, { type: 'array', minItems: 1, maxItems: 3 }],
    ['a count that is not a number', { maxLength: 'many' }, { maxLength: 'many' }],
    [
      'properties, also those with the name of a keyword',
      { type: 'OBJECT', properties: { type: { type: 'STRING' }, nullable: { type: 'BOOLEAN' } }, required: ['type'] },
      {
        type: 'object',
        properties: { type: { type: 'string' }, nullable: { type: 'boolean' } },
        required: ['type'],
      },
    ],
    [
      'nested schemas',
      { items: { type: 'STRING' }, anyOf: [{ type: 'NULL' }, true], $defs: { a: { type: 'ARRAY' } } },
      { items: { type: 'string' }, anyOf: [{ type: 'null' }, true], $defs: { a: { type: 'array' } } },
    ],
    ['no values', { enum: ['STRING'], default: { type: 'STRING' } }, { enum: ['STRING'], default: { type: 'STRING' } }],
    ['no invalid values', { type: 5, properties: 'x', items: 'y' }, { type: 5, properties: 'x', items: 'y' }],
  ])('converts %s', (_name, google, json) => {
    expect(toJsonSchema(google)).toEqual(json);
  });

  it('converts schemas of the maximum depth of a body', () => {
    let schema: Record<string, unknown> = { type: 'STRING' };
    for (let depth = 0; depth < 1000; depth++) schema = { type: 'ARRAY', items: schema };
    expect(JSON.stringify(toJsonSchema(schema))).toMatch(/^\{"type":"array".*"type":"string"/);
  });

  it('converts any schema and leaves a converted schema unchanged', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'items', 'properties', 'nullable', 'anyOf', 'x'), fc.jsonValue()),
        (schema) => {
          const once = toJsonSchema(schema);
          expect(toJsonSchema(once)).toEqual(once);
        },
      ),
      propertySettings(50),
    );
  });
});
