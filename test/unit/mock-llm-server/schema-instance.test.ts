import { describe, expect, it } from 'vitest';
import { instanceOfSchema } from '../../../mock-llm-server/schema-instance.ts';

const TEXT = 'Fix the login form';
const wrap = (schema: unknown) => ({ type: 'object', properties: { x: schema }, required: ['x'] });
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
    ['a pattern', { type: 'string', pattern: '^[a-z]+-[a-z]+$' }, 'a-b'],
    ['a pattern nobody can meet', { type: 'string', pattern: '^\\d{44}$' }, TEXT],
    ['a pattern that is none', { type: 'string', pattern: '(' }, TEXT],
    ['an unknown type', { type: 'tuple' }, TEXT],
  ])('makes %s', (_name, schema, expected) => {
    expect(instanceOfSchema(wrap(schema), TEXT)).toEqual({ x: expected });
  });

  it('answers the empty schema of JSON mode with an object', () => {
    expect(instanceOfSchema({}, TEXT)).toEqual({});
  });

  it('comes to an end', () => {
    expect(JSON.stringify(instanceOfSchema(recursive, 'n'))).toMatch(/^(\{"name":"n","next":){6}\{/);
    expect(JSON.stringify(instanceOfSchema(endless, 'n'))).toMatch(/^\{"x":(\{"next":)+null\}+$/);
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
    expect(instanceOfSchema(circle, 'n')).toBe('n');
  });

  it('keeps a property called __proto__ one', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}}}');
    expect(JSON.stringify(instanceOfSchema(schema, TEXT))).toBe('{"__proto__":1}');
  });
});
