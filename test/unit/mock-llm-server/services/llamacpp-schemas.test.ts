import { describe, expect, it } from 'vitest';
import { faultOfParameters } from '../../../../mock-llm-server/services/local/llamacpp-schemas.ts';

const of = (schema: unknown) => ({ type: 'object', properties: { a: schema } });

describe('faultOfParameters', () => {
  it.each<[string, unknown, string | undefined]>([
    ['an unknown type', { type: 'objekt' }, '#: unrecognized type objekt'],
    ['a list as properties', { type: 'object', properties: [] }, '#: properties must be an object'],
    ['true as a schema', of(true), '#/properties/a: schema must be an object'],
    ['true as items', of({ type: 'array', items: true }), '#/properties/a/items: schema must be an object'],
    ['an empty enum', of({ enum: [] }), '#/properties/a: enum must be a non-empty array'],
    ['an empty union', of({ anyOf: [] }), '#/properties/a/anyOf: must not be empty'],
    ['a union that is no list', of({ oneOf: {} }), '#/properties/a/oneOf: must be an array of schemas'],
    ['no type in a list', of({ type: [] }), '#/properties/a: type must not be empty'],
    ['a type in a list', of({ type: ['string', 'nil'] }), '#/properties/a/type/1: unrecognized type nil'],
    ['a type that is a number', of({ type: 1 }), '#/properties/a: type must be a string or an array of strings'],
    [
      'a length as a text',
      of({ type: 'string', maxLength: '9' }),
      '#/properties/a: maxLength must be a non-negative integer',
    ],
    ['a count below 0', of({ type: 'array', minItems: -1 }), '#/properties/a: minItems must be a non-negative integer'],
    ['a bound as a text', of({ type: 'integer', minimum: '0' }), '#/properties/a: minimum must be a number'],
    ['a pattern that is a list', of({ type: 'string', pattern: [] }), '#/properties/a: pattern must be a string'],
    [
      'a prefix that is no list',
      of({ type: 'array', prefixItems: {} }),
      '#/properties/a: prefixItems must be an array',
    ],
    [
      'other properties as a text',
      { type: 'object', additionalProperties: 'no' },
      '#: additionalProperties must be a boolean or a schema',
    ],
    ['an alternative of all', of({ allOf: ['a'] }), '#/properties/a/allOf/0: schema must be an object'],
    [
      'a $ref to another document',
      of({ $ref: 'a.json' }),
      '#/properties/a: unsupported $ref a.json, only references into the same document are supported',
    ],
    ['a $ref to nothing', of({ $ref: '#/$defs/b' }), '#/properties/a: cannot resolve $ref #/$defs/b, $defs not found'],
    ['a $ref that is a list', of({ $ref: [] }), '#/properties/a: $ref must be a string'],
    [
      'a fault behind a $ref',
      { ...of({ $ref: '#/$defs/b' }), $defs: { b: { type: 'b' } } },
      '#/$defs/b: unrecognized type b',
    ],
    ['a fault that no $ref leads to', { ...of({}), $defs: { b: { type: 'b' } } }, undefined],
    ['a schema that refers to itself', of({ $ref: '#' + '/properties/a' }), undefined],
    ['a schema without a type', of({ description: 'any' }), undefined],
    ['a list of items', of({ type: 'array', items: [{ type: 'string' }, {}] }), undefined],
    ['a pattern without anchors', of({ type: 'string', pattern: '\\S', minLength: 1 }), undefined],
    ['bounds of a number', of({ type: 'number', minimum: '0' }), undefined],
    ['values and a constant', { type: 'object', properties: { a: { enum: [1, null] }, b: { const: 1 } } }, undefined],
    ['other properties as a schema', { type: 'object', additionalProperties: { type: ['string', 'null'] } }, undefined],
    ['no parameters', undefined, undefined],
  ])('reads %s as llama.cpp does', (_name, schema, fault) => {
    expect(faultOfParameters(schema)).toBe(fault);
  });
});
