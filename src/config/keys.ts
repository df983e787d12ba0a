import * as z from 'zod';
import { type ConfigSchema, configSchema, PROJECT_RULES } from './schema.ts';

/** One key of the configuration, as its schema describes it. */
export interface ConfigKey {
  /** Dotted path: `llm.max_tokens`. */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly project: (typeof PROJECT_RULES)[number];
  readonly description: string;
  /** Type of the value in words: `an integer from 1 to 20`. */
  readonly type: string;
  /** `undefined` when the key has no default. */
  readonly default: unknown;
}

/** The schema of the configuration with an index of its keys. */
export interface ConfigKeys {
  readonly schema: ConfigSchema;
  /** Every key by its name, in the order of the schema. */
  readonly byName: ReadonlyMap<string, ConfigKey>;
  /** The names of the objects that contain keys: `llm`, `tools`, `tools.builtin`. */
  readonly sections: ReadonlySet<string>;
}

const metaSchema = z.object({ project: z.enum(PROJECT_RULES), description: z.string(), type: z.string().optional() });
const jsonTypeSchema = z.object({
  type: z.string(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** The keys of the configuration, including one for each tool. */
export function configKeys(toolNames: readonly string[]): ConfigKeys {
  const schema = configSchema(toolNames);
  const keys = [...keysOf(schema, [])];
  const sections = keys.flatMap(({ name }) => {
    const parents = name.split('.').slice(0, -1);
    return parents.map((_, index) => parents.slice(0, index + 1).join('.'));
  });
  return { schema, byName: new Map(keys.map((key) => [key.name, key])), sections: new Set(sections) };
}

function* keysOf(schema: z.core.$ZodType, path: readonly string[]): Generator<ConfigKey> {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  if (inner instanceof z.ZodObject) {
    for (const [name, child] of Object.entries<z.core.$ZodType>(inner.shape)) yield* keysOf(child, [...path, name]);
  } else if (inner instanceof z.ZodType) {
    const { project, description, type } = metaSchema.parse(inner.meta());
    yield {
      name: path.join('.'),
      schema: inner,
      project,
      description,
      default: inner.parse(undefined),
      // Computed on demand, because only documentation and errors use it and start-up should not wait for it.
      get type() {
        return type ?? describeType(inner);
      },
    };
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
