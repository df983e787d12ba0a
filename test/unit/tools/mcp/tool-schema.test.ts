import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/agent/ports/json.ts';
import { readSchema, withSafeNames } from '../../../../src/tools/mcp/tool-schema.ts';

describe('the schema of a tool', () => {
  const tool = (inputSchema: JsonObject[string], more: JsonObject = {}): JsonObject => ({
    name: 't',
    inputSchema,
    ...more,
  });
  const a = { a: { type: 'string' } };
  const plain: JsonObject = { type: 'object', properties: a };

  const rows: readonly (readonly [string, JsonObject, JsonObject?])[] = [
    ['required is null', tool({ ...plain, required: null })],
    ['required has what is no name', tool({ ...plain, required: ['a', 'a', 1] }), { ...plain, required: ['a'] }],
    ['properties are null', tool({ type: 'object', properties: null }), { type: 'object', properties: {} }],
    ['properties are a list', tool({ type: 'object', properties: [] }), { type: 'object', properties: {} }],
    ['the type is a list', tool({ ...plain, type: ['object', 'null'] })],
    ['the type is absent', tool({ properties: a })],
    ['the schema is null', tool(null), { type: 'object', properties: {} }],
    ['the schema is true', tool(true), { type: 'object', properties: {} }],
    ['the schema is a text', tool(JSON.stringify(plain))],
    ['the schema has a name of another protocol', { name: 't', input_schema: plain }],
    ['the schema has a name of a third protocol', { name: 't', parameters: plain }],
    ['the root is a reference', tool({ $ref: '#/$defs/A', $defs: { A: plain } }), { ...plain, $defs: { A: plain } }],
    ['the root refers to another document', tool({ $ref: 'https://x.example/a', ...plain })],
    ['required names are a parameter (mastra#23731)', tool({ ...plain, properties: { ...a, required: ['a'] } })],
    [
      'a reference leads nowhere, for which services refuse each request (ms-365-mcp-server#181)',
      tool({ ...plain, properties: { ...a, b: { $ref: '#/properties/a' }, c: [], d: { $ref: '#/properties/a/x' } } }),
      { ...plain, properties: { ...a, b: { $ref: '#/properties/a' }, d: {} } },
    ],
    ['a parameter is no schema', tool({ ...plain, properties: { a: null } }), { ...plain, properties: { a: {} } }],
    [
      'the schema is a validator (yt-dlp-mcp#27)',
      tool({ _def: { typeName: 'ZodObject' }, _cached: null }),
      { type: 'object', properties: {} },
    ],
    ['texts are null', tool(plain, { description: null, title: null })],
  ];
  const all = rows.map(([name, item, expected = plain]) => ({ name, item, expected }));
  it.each(all)('is read where $name', ({ item, expected }) => {
    expect(readSchema(item)).toEqual(expected);
  });

  it.each<readonly [string, JsonObject[string], string]>([
    ['a list', [], 'its schema is not an object'],
    ['a text', 'x', 'its schema is not an object'],
    ['false', false, 'its schema is not an object'],
    ['of another type', { type: 'string' }, 'its schema is not of type object'],
    ['too large', { type: 'object', description: 'x'.repeat(70_000) }, 'its schema is too large'],
    [
      'nested too deeply',
      JSON.parse(`${'{"properties":{"a":'.repeat(500)}{}${'}}'.repeat(500)}`),
      'its schema is nested too deeply',
    ],
  ])('cannot be used if it is %s', (_name, schema, reason) => {
    expect(readSchema(tool(schema))).toBe(reason);
  });
});

it.each<JsonObject>([
  { type: 'object' },
  { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  { type: 'object', properties: {} },
])('a schema without names stays as it is: %j', (schema) => {
  expect(withSafeNames(schema).parameters).toEqual(schema);
});
