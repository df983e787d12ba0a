import * as z from 'zod';
import type { DataSchema, JsonSchema } from './conforms.ts';

const jsonType = z.enum(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);
/** Refuses keywords that `conforms` does not know. */
const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.strictObject({
    type: z.union([jsonType, z.array(jsonType)]).exactOptional(),
    const: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
    enum: z.array(z.union([z.string(), z.number()])).exactOptional(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    exclusiveMinimum: z.number().exactOptional(),
    minLength: z.number().exactOptional(),
    maxLength: z.number().exactOptional(),
    pattern: z.string().exactOptional(),
    items: jsonSchema.exactOptional(),
    minItems: z.number().exactOptional(),
    maxItems: z.number().exactOptional(),
    properties: z.record(z.string(), jsonSchema).exactOptional(),
    required: z.array(z.string()).exactOptional(),
    additionalProperties: z.union([jsonSchema, z.literal(false)]).exactOptional(),
    propertyNames: jsonSchema.exactOptional(),
    anyOf: z.array(jsonSchema).exactOptional(),
    default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  }),
);

/**
 * The schema as data, for modules `NAME.data.ts`, which the build replaces by their values. Throws an error for a schema
 * that cannot be data: with a default, a transformation or a check of its own.
 */
export function dataSchema<Value>(schema: z.core.$ZodType<Value, Value>): DataSchema<Value> {
  return asData(schema, problemOf(schema));
}

/**
 * The schema of a tool's arguments as data. It may have defaults: `Output` is the type of the values that conform after
 * `withDefaults`.
 */
export function argumentsSchema<Output>(schema: z.core.$ZodType<Output>): DataSchema<Output> {
  return asData(schema, problemOf(schema, true));
}

function asData(schema: z.core.$ZodType, problem: string | undefined): { readonly json: JsonSchema } {
  if (problem !== undefined) throw new Error(`this schema cannot be data: ${problem}`);
  // Descriptions belong to the documentation.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', metadata: z.registry() });
  return { json: jsonSchema.parse(json) };
}

/** The reason why a schema cannot be data; `undefined` if it can. `withDefaults` fills in no value of a union or record. */
export function problemOf(schema: z.core.$ZodType, mayHaveDefaults = false): string | undefined {
  const [check] = (schema._zod.def.checks ?? []).filter(({ _zod: { def } }) => !isPlainCheck(def));
  if (check !== undefined) return `the check ${check._zod.def.check}`;
  if (mayHaveDefaults && schema instanceof z.ZodDefault) return problemOf(schema.unwrap());
  const parts = partsOf(schema);
  if (parts === undefined) return schema._zod.def.type;
  const isFilled = mayHaveDefaults && !(schema instanceof z.ZodUnion || schema instanceof z.ZodRecord);
  return parts.map((part) => problemOf(part, isFilled)).find((problem) => problem !== undefined);
}

/** The kinds of checks that JSON Schema states in the same way. A regular expression must have no flags. */
function isPlainCheck(def: z.core.$ZodCheckDef & { readonly format?: unknown; readonly pattern?: unknown }): boolean {
  if (def.check !== 'string_format') return PLAIN_CHECKS.has(def.check);
  return def.format === 'regex' && def.pattern instanceof RegExp && def.pattern.flags === '';
}

const PLAIN_CHECKS: ReadonlySet<string> = new Set([
  'min_length',
  'max_length',
  'length_equals',
  'less_than',
  'greater_than',
  'number_format',
]);

/** The schemas inside a schema; `undefined` for a kind that is not known to be data. */
function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] | undefined {
  if (schema instanceof z.ZodObject) {
    const { shape, catchall } = schema.def;
    return [...Object.values<z.core.$ZodType>(shape), ...(catchall === undefined ? [] : [catchall])];
  }
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodRecord) return [schema.keyType, schema.valueType];
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional;
  if (isWrapper || schema instanceof z.ZodNullable) return [schema.unwrap()];
  const isFormat = schema instanceof z.ZodStringFormat;
  return LEAVES.has(schema._zod.def.type) && !isFormat ? [] : undefined;
}

const LEAVES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'unknown',
  'any',
  'never',
  'literal',
  'enum',
]);
