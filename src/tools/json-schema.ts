import * as z from 'zod';
import type { JsonObject } from '../ports/json.ts';

const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** The JSON Schema of what a caller may send; fields with a default are optional in it. */
export function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return JsonObjectSchema.parse(rest);
}
