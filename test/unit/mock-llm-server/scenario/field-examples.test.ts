import { expect, it } from 'vitest';
import * as z from 'zod';
import { FIELD_EXAMPLES } from '../../../../mock-llm-server/scenario/field-examples.ts';
import { scenarioJsonSchema } from '../../../../mock-llm-server/scenario/format.ts';

const NodeSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

/** The names of all fields of the format. */
function fieldsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsIn);
  const { success, data } = NodeSchema.safeParse(schema);
  if (!success) return [];
  const { properties = {}, ...rest } = data;
  return [...Object.keys(properties), ...[...Object.values(properties), ...Object.values(rest)].flatMap(fieldsIn)];
}

it('every field of the format has an example, and there are no others', () => {
  const examples = Object.keys(FIELD_EXAMPLES).map((name) => name.replace(/^.*\./, ''));
  expect(new Set(examples)).toEqual(new Set(['$', ...fieldsIn(scenarioJsonSchema())]));
});

it.each(Object.entries(FIELD_EXAMPLES))('the example of %s is JSON', (_name, example) => {
  expect(JSON.parse(example)).toBeDefined();
});
