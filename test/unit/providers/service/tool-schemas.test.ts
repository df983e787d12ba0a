import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/agent/ports/json.ts';
import type { SchemaDialect } from '../../../../src/providers/service/service-rules.ts';
import { schemaFor } from '../../../../src/providers/service/tool-schemas.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

interface Row {
  readonly name: string;
  /** A public report or a document. */
  readonly source: string;
  readonly dialect: SchemaDialect;
  readonly schema: JsonObject;
  readonly sent: JsonObject;
}

const ROWS: readonly Row[] = [
  {
    name: 'a list without items',
    source: 'https://github.com/digitalocean-labs/mcp-digitalocean/issues/265',
    dialect: 'typed',
    schema: object({ tags: { type: 'array' }, more: { type: ['array', 'null'] } }),
    sent: object({
      tags: { type: 'array', items: { type: 'string' } },
      more: { type: ['array', 'null'], items: { type: 'string' } },
    }),
  },
  {
    name: 'an object without properties at the root',
    source: 'https://github.com/github/github-mcp-server/issues/1548',
    dialect: 'typed',
    schema: { type: 'object' },
    sent: object({}),
  },
  {
    name: 'no schema at all',
    source: 'https://github.com/vercel/ai/issues/7005',
    dialect: 'typed',
    schema: {},
    sent: object({}),
  },
  {
    name: 'a root that is no object',
    source: 'https://github.com/vercel/ai/issues/7005',
    dialect: 'typed',
    schema: { anyOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } }), true] },
    sent: object({ a: { type: 'string' }, b: { type: 'string' } }),
  },
  {
    name: 'draft 7',
    source: 'https://github.com/anthropics/claude-code/issues/586',
    dialect: 'typed',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      ...object({
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: { type: 'null' } },
        ref: { $ref: '#/definitions/A' },
      }),
      definitions: { A: { type: 'string' } },
    },
    sent: object(
      {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'null' } },
        ref: { $ref: '#/$defs/A' },
      },
      { $defs: { A: { type: 'string' } } },
    ),
  },
  {
    name: 'draft 4: a limit that is a switch',
    source: 'https://github.com/anthropics/claude-code/issues/586',
    dialect: 'typed',
    schema: object({
      n: { type: 'number', minimum: 0, exclusiveMinimum: true },
      m: { type: 'number', maximum: 9, exclusiveMaximum: true },
      k: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: false },
    }),
    sent: object({
      n: { type: 'number', minimum: 0, exclusiveMinimum: 0 },
      m: { type: 'number', maximum: 9, exclusiveMaximum: 9 },
      k: { type: 'number', exclusiveMinimum: 1 },
    }),
  },
  {
    name: 'draft 3: required at the property, and the type any',
    source: 'https://github.com/MarkusPfundstein/mcp-gsuite/pull/34',
    dialect: 'typed',
    schema: object({ a: { type: 'any', required: false } }),
    sent: object({ a: { type: 'string' } }),
  },
  {
    name: 'a parameter without a type',
    source: 'https://github.com/mark3labs/mcphost/issues/35',
    dialect: 'typed',
    schema: object({
      any: { description: 'Anything.' },
      yes: true,
      words: { enum: ['a', 'b'] },
      one: { const: 1 },
      none: { const: null },
      list: { enum: [['a']] },
      nested: { properties: {} },
      items: { items: { type: 'string' } },
      least: { minimum: 1 },
      most: { maximum: 1 },
      both: { enum: ['a', 1] },
      choice: { anyOf: [{ type: 'string' }] },
    }),
    sent: object({
      any: { type: 'string', description: 'Anything.' },
      yes: { type: 'string' },
      words: { type: 'string', enum: ['a', 'b'] },
      one: { type: 'number', const: 1 },
      none: { type: 'null', const: null },
      list: { type: 'array', enum: [['a']], items: { type: 'string' } },
      nested: { type: 'object', properties: {} },
      items: { type: 'array', items: { type: 'string' } },
      least: { type: 'number', minimum: 1 },
      most: { type: 'number', maximum: 1 },
      both: { type: 'string', enum: ['a', 1] },
      choice: { anyOf: [{ type: 'string' }] },
    }),
  },
  {
    name: 'nullable, as OpenAPI writes it',
    source: 'https://spec.openapis.org/oas/v3.0.3#schema-object',
    dialect: 'typed',
    schema: object({ a: { type: 'string', nullable: true } }),
    sent: object({ a: { type: ['string', 'null'] } }),
  },
  {
    name: 'switches for other properties stay',
    source: 'https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.2.3',
    dialect: 'typed',
    schema: object(
      { a: { type: 'object', additionalProperties: false }, b: { additionalProperties: { type: 'array' } } },
      { required: ['a'] },
    ),
    sent: object(
      {
        a: { type: 'object', additionalProperties: false },
        b: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      },
      { required: ['a'] },
    ),
  },
  {
    name: 'Moonshot: a type beside choices',
    source: 'https://github.com/vercel/ai/pull/18921',
    dialect: 'moonshot',
    schema: object({
      a: { type: 'object', anyOf: [{ properties: {} }, { properties: { b: { type: 'string' } } }] },
      c: { oneOf: [{ type: 'string' }] },
    }),
    sent: object(
      {
        a: {
          anyOf: [
            { type: 'object', properties: {}, required: [] },
            { type: 'object', properties: { b: { type: 'string' } }, required: [] },
          ],
        },
        c: { anyOf: [{ type: 'string' }] },
      },
      { required: [] },
    ),
  },
  {
    name: 'Moonshot: tuples, constants, and what stands beside a reference',
    source: 'https://github.com/MoonshotAI/kimi-cli/issues/2061',
    dialect: 'moonshot',
    schema: object(
      {
        pair: { type: 'array', prefixItems: [{ type: 'number' }] },
        one: { const: 'x' },
        ref: { $ref: '#/$defs/A', description: 'no' },
        // As zod-to-json-schema writes it: https://github.com/CommandCodeAI/command-code/issues/594.
        twin: { $ref: '#/properties/one' },
      },
      { $defs: { A: { type: 'string' } }, required: ['pair', 'gone'] },
    ),
    sent: object(
      {
        pair: { type: 'array', items: { type: 'string' } },
        one: { type: 'string', enum: ['x'] },
        ref: { $ref: '#/$defs/A' },
        twin: { type: 'string', enum: ['x'] },
      },
      { $defs: { A: { type: 'string' } }, required: ['pair'] },
    ),
  },
  {
    name: 'Vertex AI: nothing beside choices',
    source: 'https://github.com/charmbracelet/crush/issues/2294',
    dialect: 'gemini',
    schema: object({
      edits: { description: 'The edits.', anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
    }),
    sent: object({
      edits: {
        anyOf: [
          { type: 'array', items: { type: 'string' }, description: 'The edits.' },
          { type: 'string', description: 'The edits.' },
        ],
      },
    }),
  },
  {
    name: 'Gemini: keywords outside its subset',
    source: 'https://github.com/anomalyco/opencode/issues/11889',
    dialect: 'gemini',
    schema: object(
      {
        a: {
          type: 'string',
          properties: {},
          required: ['x'],
          items: { type: 'string' },
          format: 'uri',
          $comment: 'no',
        },
        b: { type: ['string', 'null'], format: 'date-time' },
        c: { type: 'integer', enum: [1, 2], exclusiveMinimum: 0 },
        d: { const: 'x' },
        e: { type: 'array' },
        f: { type: 'string', enum: ['', 'y'] },
        g: { allOf: [{ type: 'string' }, { description: 'Both.' }] },
        h: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      },
      { required: ['a', 'gone'], additionalProperties: false, $schema: 'x' },
    ),
    sent: object(
      {
        a: { type: 'string' },
        b: { type: 'string', format: 'date-time', nullable: true },
        c: { type: 'integer' },
        d: { type: 'string', enum: ['x'] },
        e: { type: 'array', items: { type: 'string' } },
        f: { type: 'string', enum: ['y'] },
        g: { type: 'string', description: 'Both.' },
        h: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      { required: ['a'] },
    ),
  },
  {
    name: 'Gemini: references become what they refer to',
    source: 'https://github.com/googleapis/python-genai/issues/460',
    dialect: 'gemini',
    schema: object(
      {
        tree: { $ref: '#/$defs/Node' },
        list: { type: 'array', items: { $ref: '#/$defs/Leaf' } },
        lost: { $ref: '#/$defs/Lost/deep' },
      },
      {
        $defs: {
          Leaf: { type: 'string', description: 'A leaf.' },
          Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node', description: 'The next.' } } },
        },
      },
    ),
    sent: object({
      tree: { type: 'object', properties: { next: { type: 'object', description: 'The next.' } } },
      list: { type: 'array', items: { type: 'string', description: 'A leaf.' } },
      lost: { type: 'string' },
    }),
  },
  {
    name: 'types, names and descriptions alone',
    source: 'https://github.com/BuilderIO/agent-native/pull/3085',
    dialect: 'bare',
    schema: object(
      {
        url: { type: 'string', format: 'uri', pattern: '^http', description: 'The page.', default: '' },
        count: { type: ['null', 'integer'], minimum: 1, exclusiveMaximum: 9 },
        kind: { const: 'x' },
        level: { type: 'integer', enum: [1, 2] },
        maybe: { anyOf: [{ type: 'null' }, { type: 'array', minItems: 1 }], description: 'A list.' },
        none: { oneOf: [{ type: 'null' }] },
        both: { allOf: [{ type: 'string' }, { description: 'Both.', format: 'x' }] },
        any: {},
        node: { $ref: '#/$defs/Node' },
        map: { type: 'object', patternProperties: { '^a': { type: 'string' } }, propertyNames: { pattern: 'a' } },
      },
      {
        required: ['url', 'gone'],
        additionalProperties: false,
        $defs: { Node: { type: 'object', properties: { next: { type: 'string', maxLength: 3 } }, required: ['next'] } },
      },
    ),
    sent: object(
      {
        url: { type: 'string', description: 'The page.' },
        count: { type: 'integer' },
        kind: { type: 'string', enum: ['x'] },
        level: { type: 'integer' },
        maybe: { type: 'array', items: { type: 'string' }, description: 'A list.' },
        none: { type: 'string' },
        both: { type: 'string', description: 'Both.' },
        any: { type: 'string' },
        node: { type: 'object', properties: { next: { type: 'string' } }, required: ['next'] },
        map: { type: 'object' },
      },
      { required: ['url'] },
    ),
  },
];

describe('schemaFor', () => {
  it.each(ROWS)('$dialect: $name', ({ schema, dialect, sent, source }) => {
    expect(source).toMatch(/^https:\/\//);
    const made = schemaFor(schema, dialect);
    expect(made).toEqual(sent);
    expect(schemaFor(schema, dialect)).toBe(made);
    expect(schemaFor(made, dialect)).toEqual(made);
  });

  it('replaces a bounded number of references to definitions that name each other', () => {
    const next = (name: string) => ({ properties: { a: { $ref: `#/$defs/${name}` }, b: { $ref: `#/$defs/${name}` } } });
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, level) => [`D${level}`, next(`D${level + 1}`)]));
    expect(JSON.stringify(schemaFor({ ...next('D0'), $defs }, 'gemini')).length).toBeLessThan(100_000);
  });

  it('leaves a schema as it is in the plain dialect', () => {
    const schema = { type: 'array' };
    expect(schemaFor(schema, 'plain')).toBe(schema);
  });
});
