import * as z from 'zod';
import type { DataSchema, ExplainedSchema, JsonSchema } from './conforms.ts';

const jsonType = z.enum(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);
/** Refuses keywords that `conforms` does not know. */
const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.strictObject({
    type: z.union([jsonType, z.array(jsonType)]).exactOptional(),
    const: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
    enum: z.array(z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
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
    checks: z.array(z.string()).exactOptional(),
    default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  }),
);

/** Any JSON. As data it is any value, because `JSON.parse` returns nothing else. */
export const anyJson = z.json();

const checkNames = new WeakMap<object, string>();

/**
 * Adds a check to a schema, which `report` makes in zod. As data the schema has the name of the check: `conforms` needs a
 * function of this name, which must accept the same values.
 */
export function namedCheck<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  report: (value: z.output<Schema>, context: z.core.$RefinementCtx) => void,
): Schema {
  const check = z.superRefine(report);
  checkNames.set(check, name);
  return schema.check(check);
}

/**
 * The schema as data, for modules `NAME.data.ts`, which the build replaces by their values. Throws an error for a schema
 * that cannot be data: with a default, a transformation, or a check of its own that has no name.
 */
export function dataSchema<Value>(schema: z.core.$ZodType<Value, Value>): DataSchema<Value> {
  return asData(schema, problemOf(schema));
}

/** The schema as data, which the program can also load as it is, to explain why a value does not conform. */
export function explainedSchema<Value>(schema: z.ZodType<Value, Value>): ExplainedSchema<Value> {
  return { ...dataSchema(schema), zod: async () => schema };
}

/**
 * The schema of a tool's arguments as data. It may have defaults: `Output` is the type of the values that conform after
 * `withDefaults`.
 */
export function argumentsSchema<Output>(schema: z.ZodType<Output>): ExplainedSchema<Output> {
  return { ...asData(schema, problemOf(schema, true)), zod: async () => schema };
}

/** The reasons why zod does not accept a value, one per line. */
export function problemsIn(value: unknown, schema: z.ZodType): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? 'unexpected value' : z.prettifyError(error);
}

function asData(schema: z.core.$ZodType, problem: string | undefined): { readonly json: JsonSchema } {
  if (problem !== undefined) throw new Error(`this schema cannot be data: ${problem}`);
  // Descriptions belong to the documentation.
  const {
    $schema: _dialect,
    $defs: _any,
    ...json
  } = z.toJSONSchema(schema, { io: 'input', metadata: names, override });
  return { json: jsonSchema.parse(JSON.parse(JSON.stringify(json), (_key, part) => (isJsonValue(part) ? {} : part))) };
}

const names = z.registry<{ id?: string }>().add(anyJson, { id: 'json' });

function isJsonValue(part: unknown): boolean {
  return typeof part === 'object' && part !== null && '$ref' in part && part.$ref === '#/$defs/json';
}

/** Adapts the JSON Schema of a schema to `JsonSchema`. */
function override({ zodSchema, jsonSchema: json }: Overridden): void {
  // The members of a union with a discriminator exclude each other.
  if (zodSchema instanceof z.ZodDiscriminatedUnion && json.oneOf !== undefined) {
    json.anyOf = json.oneOf;
    delete json.oneOf;
  }
  const checks = (zodSchema._zod.def.checks ?? []).flatMap((check) => checkNames.get(check) ?? []);
  if (checks.length > 0) json['checks'] = checks;
}

interface Overridden {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** The reason why a schema cannot be data; `undefined` if it can. `withDefaults` fills in no value of a union or record. */
export function problemOf(schema: z.core.$ZodType, mayHaveDefaults = false): string | undefined {
  const [check] = (schema._zod.def.checks ?? []).filter(
    (each) => !checkNames.has(each) && !isPlainCheck(each._zod.def),
  );
  if (check !== undefined) return `the check ${check._zod.def.check}`;
  if (mayHaveDefaults && schema instanceof z.ZodDefault) return problemOf(schema.unwrap());
  if (schema === anyJson) return undefined;
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
