import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../../src/agent/ports/json.ts';
import { asksForSecret, formFields, readField, readForm } from '../../../../../src/tools/mcp/questions/forms.ts';

const DEFINITIONS = { Colour: { type: 'string', enum: ['red', 'green'] } };
const fieldOf = (schema: JsonObject, required = false) => {
  const [field] = formFields({ properties: { f: schema }, $defs: DEFINITIONS, ...(required && { required: ['f'] }) });
  if (field === undefined) throw new Error('no field');
  return field;
};
const many = {
  type: 'array',
  items: { anyOf: [{ const: 'a', title: 'Apple' }, { const: 'b' }] },
  minItems: 1,
  maxItems: 1,
};

describe('a field of a form', () => {
  it.each<readonly [JsonObject, JsonValue | undefined, JsonValue | undefined]>([
    [{ type: 'string' }, 'text', 'text'],
    [{ type: 'string' }, ' ', undefined],
    [{ type: 'string', default: 'd' }, '', 'd'],
    [{ type: 'string', default: 'd' }, undefined, 'd'],
    [{ type: 'string', format: 'email' }, 'a@b.example', 'a@b.example'],
    [{ type: 'number' }, '1,5', 1.5],
    [{ type: 'number' }, 2, 2],
    [{ type: 'integer', minimum: 1, maximum: 3 }, '3', 3],
    [{ type: 'boolean' }, 'y', true],
    [{ type: 'boolean' }, 'No', false],
    [{ type: 'boolean', default: true }, '', true],
    [{ type: 'boolean' }, false, false],
    [{ type: 'string', enum: ['1', '2', 'red'] }, '2', '2'],
    [{ type: 'string', enum: ['red', 'green'], enumNames: ['Rot', 'Grün'] }, 'grün', 'green'],
    [{ type: 'string', enum: ['red', 'green'] }, '2', 'green'],
    [{ type: 'string', oneOf: [{ const: 'r', title: 'Red' }, 'x'] }, 'red', 'r'],
    [many, 'Apple', ['a']],
    [many, ['b'], ['b']],
    // ArcadeAI/arcade-mcp#828
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, 'A', ['a']],
    [{ type: 'unknown' }, 'text', 'text'],
    // PrefectHQ/fastmcp#1632, #2774 and #3731, QwenLM/qwen-code#4405
    [{ $ref: '#/$defs/Colour' }, '2', 'green'],
    [{ anyOf: [{ $ref: '#/$defs/Colour' }, { type: 'null' }], default: null }, 'Green', 'green'],
    [{ anyOf: [{ $ref: '#/$defs/Colour' }, { type: 'null' }], default: null }, '', undefined],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '3', 3],
    [{ type: 'array', items: { $ref: '#/$defs/Colour' }, default: 'red' }, '', ['red']],
    [{ $ref: '#/$defs/Gone' }, 'text', 'text'],
  ])('%j reads %j as %j', (schema, given, value) => {
    expect(readField(fieldOf(schema), given)).toEqual(value === undefined ? {} : { value });
  });

  it.each<readonly [JsonObject, JsonValue, string]>([
    [{ type: 'string', title: 'Name' }, '', 'Name must be given.'],
    [{ type: 'string' }, 1, 'f must be a text.'],
    [{ type: 'string', minLength: 2 }, 'a', 'f must be a text; at least 2 characters.'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'f must be a text; at most 1 characters.'],
    [
      { type: 'string', minLength: 1, maxLength: 2 },
      'abc',
      'f must be a text; at least 1 characters; at most 2 characters.',
    ],
    [{ type: 'number' }, 'x', 'f must be a number.'],
    [{ type: 'integer' }, '1.5', 'f must be an integer.'],
    [{ type: 'integer', minimum: 1 }, '0', 'f must be an integer; at least 1.'],
    [{ type: 'boolean' }, 'maybe', 'f must be y or n.'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'f must be one of 1 a, 2 b.'],
    [many, 'c', 'f must be some of 1 Apple (a), 2 b; at least 1 of them; at most 1 of them.'],
    [many, 'a,b', 'f must be some of 1 Apple (a), 2 b; at least 1 of them; at most 1 of them.'],
  ])('%j refuses %j: %s', (schema, given, problem) => {
    expect(readField(fieldOf(schema, true), given)).toEqual({ problem });
  });
});

it('a form has its fields in order, and its answer has no others', () => {
  const schema = { properties: { b: { type: 'string' }, a: { type: 'number' }, broken: 1 }, required: ['b'] };
  expect(formFields(schema).map(({ name, required }) => [name, required])).toEqual([
    ['b', true],
    ['a', false],
  ]);
  expect(readForm(schema, { b: 'x', more: 1 })).toEqual({ content: { b: 'x' } });
  expect(readForm(schema, { a: 1 })).toEqual({ problem: 'b must be given.' });
  expect(formFields({})).toEqual([]);
  // Nobody here runs the expression of a stranger.
  expect(fieldOf({ type: 'string', pattern: '^a+$' }).rule).toBe('a text; pattern ^a+$');
});

describe('a form that asks for a secret', () => {
  it.each<readonly [string, string, JsonObject]>([
    ['Hello', 'password', { type: 'string' }],
    ['Hello', 'apiKey', { type: 'string' }],
    ['Hello', 'api_key', { type: 'string' }],
    ['Hello', 'githubToken', { type: 'string' }],
    ['Hello', 'a', { type: 'string', title: 'Access token' }],
    ['Hello', 'a', { type: 'string', format: 'password' }],
    ['Hello', 'pin', { type: 'integer' }],
    ['Hello', 'cardNumber', { type: 'string' }],
    ['Hello', 'a', { type: 'string', description: 'Paste your secret key' }],
    ['Please enter the password of your account.', 'value', { type: 'string' }],
    ['We need your credit card.', 'value', { type: 'string' }],
  ])('%s %s %j', (message, name, schema) => {
    expect(asksForSecret(message, { properties: { [name]: schema } })).toBe(true);
  });

  it.each<readonly [string, string, JsonObject]>([
    ['Hello', 'max_tokens', { type: 'integer' }],
    ['Hello', 'pin', { type: 'boolean' }],
    ['Hello', 'keyword', { type: 'string' }],
    ['Hello', 'secretary', { type: 'string' }],
    ['How many tokens may it use?', 'count', { type: 'integer' }],
    ['Enter your password', 'agree', { type: 'boolean' }],
  ])('is not %s %s %j', (message, name, schema) => {
    expect(asksForSecret(message, { properties: { [name]: schema } })).toBe(false);
  });
});
