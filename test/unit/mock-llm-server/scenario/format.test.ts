import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { scenarioJsonSchema } from '../../../../mock-llm-server/scenario/format.ts';

const schema = scenarioJsonSchema();

it('the JSON Schema is a draft-07 schema that allows the field $schema', () => {
  expect(schema).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['scenarios'],
    properties: { $schema: { type: 'string' } },
    additionalProperties: false,
  });
});

it('the JSON Schema describes every field', () => {
  const bare: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`);
    if (!('properties' in node) || typeof node.properties !== 'object' || node.properties === null) return;
    for (const [name, field] of Object.entries(node.properties)) {
      if (!('description' in Object(field))) bare.push(`${path}/${name}`);
    }
  };
  visit(schema, '');
  expect(bare).toEqual([]);
});

const check = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));

it('the JSON Schema accepts and rejects the same files as the loader', () => {
  const steps = [{ response: { content: 'x' } }];
  expect(check.safeParse({ scenarios: [{ name: 'n', trigger: { regex: 'a' }, steps }] }).success).toBe(true);
  expect(check.safeParse({ scenarios: [{ name: 'n', trigger: 5, steps }] }).success).toBe(false);
  expect(check.safeParse({ scenarios: [{ name: 'n', triger: 'a', steps }] }).success).toBe(false);
});

const stories = new URL('../../../../scenarios/', import.meta.url);
const shipped = readdirSync(stories, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => new URL(`${name}/scenario.json`, stories));

it.each([
  ...shipped.map((file) => file.pathname.split('/').slice(-3).join('/')),
  'test/unit/mock-llm-server/scenario/fixtures/older-format.json',
])('the JSON Schema accepts %s', (file) => {
  const content: unknown = JSON.parse(readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8'));
  const { error } = check.safeParse(content);
  expect(error?.issues ?? []).toEqual([]);
});
