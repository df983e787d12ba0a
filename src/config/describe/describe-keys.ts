import * as z from 'zod';
import { dataSchema, problemOf } from '../../schema/data-schema.ts';
import { PROJECT_RULES } from '../schema/key-schema.ts';
import { type ConfigSchema, configSchema } from '../schema.ts';
import { ANY_NAME, type ConfigKey } from './keys.ts';

const metaSchema = z.object({ project: z.enum(PROJECT_RULES), description: z.string(), words: z.string().optional() });
const jsonTypeSchema = z.object({
  type: z.string(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** The keys of the configuration, including one for each tool, as data. */
export function describeKeys(toolNames: readonly string[]): readonly ConfigKey[] {
  return [...keysOf(configSchema(toolNames), [])];
}

export function schemaOfKey(schema: ConfigSchema, name: string): z.ZodType {
  const entry = name.replace(/[^.]*$/, ANY_NAME);
  for (const [key, inner] of leavesOf(schema, [])) if (key === name || key === entry) return inner;
  throw new Error(`unknown configuration key ${name}`);
}

function* keysOf(schema: ConfigSchema, path: readonly string[]): Generator<ConfigKey> {
  for (const [name, inner] of leavesOf(schema, path)) {
    const { project, description, words: type = describeType(inner) } = metaSchema.parse(inner.meta());
    const preset = inner.safeParse(undefined).data;
    const values = inner instanceof z.ZodDefault ? inner.unwrap() : inner;
    const isEntry = name.endsWith(`.${ANY_NAME}`) && ({ isEntry: true } as const);
    const key = { name, project, description, type, ...isEntry, ...(preset !== undefined && { default: preset }) };
    yield problemOf(values) === undefined ? { ...key, values: dataSchema(values) } : key;
  }
}

function* leavesOf(schema: z.core.$ZodType, path: readonly string[]): Generator<readonly [name: string, z.ZodType]> {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  if (inner instanceof z.ZodObject) {
    for (const [name, child] of Object.entries<z.core.$ZodType>(inner.shape)) yield* leavesOf(child, [...path, name]);
  } else if (inner instanceof z.ZodRecord && inner.meta() === undefined) {
    yield* leavesOf(inner.valueType, [...path, ANY_NAME]);
  } else if (inner instanceof z.ZodType) {
    yield [path.join('.'), inner];
  }
}

function describeType(schema: z.ZodType): string {
  const json = jsonTypeSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  if (json.const !== undefined) return JSON.stringify(json.const);
  if (json.enum !== undefined) return `one of ${json.enum.join(', ')}`;
  const range = json.minimum === undefined ? '' : ` from ${json.minimum} to ${json.maximum}`;
  switch (json.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `an integer${range}`;
    case 'number':
      return `a number${range}`;
    case 'array':
      return 'a list of strings';
    default:
      return 'a string';
  }
}
