import * as z from 'zod';
import { configSchema, PROJECT_RULES } from './schema.ts';

/** One key of the configuration, as its schema describes it. */
export interface ConfigKey {
  /** Where it stands: `llm.max_tokens`. */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly project: (typeof PROJECT_RULES)[number];
  readonly description: string;
  /** What its value is, in words. */
  readonly type: string;
  /** Absent when nothing is the default. */
  readonly default: unknown;
}

const metaSchema = z.object({ project: z.enum(PROJECT_RULES), description: z.string(), words: z.string().optional() });
const jsonTypeSchema = z.object({
  type: z.string(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** Every key by its name, in the order of the schema. */
export const CONFIG_KEYS: ReadonlyMap<string, ConfigKey> = new Map(
  [...keysOf(configSchema, [])].map((key) => [key.name, key]),
);

/** The names of the objects that hold keys: `llm`, `tools`, `tools.builtin`. */
export const CONFIG_SECTIONS: ReadonlySet<string> = new Set(
  [...CONFIG_KEYS.keys()].flatMap((name) => {
    const parents = name.split('.').slice(0, -1);
    return parents.map((_, index) => parents.slice(0, index + 1).join('.'));
  }),
);

function* keysOf(schema: z.core.$ZodType, path: readonly string[]): Generator<ConfigKey> {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  if (inner instanceof z.ZodObject) {
    for (const [name, child] of Object.entries<z.core.$ZodType>(inner.shape)) yield* keysOf(child, [...path, name]);
  } else if (inner instanceof z.ZodType) {
    const { project, description, words } = metaSchema.parse(inner.meta());
    yield {
      name: path.join('.'),
      schema: inner,
      project,
      description,
      default: inner.parse(undefined),
      // Made when it is read: only documentation and errors do, and the first prompt need not wait for it.
      get type() {
        return words ?? describeType(inner);
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
      return `a whole number${range}`;
    case 'number':
      return `a number${range}`;
    case 'array':
      return 'a list of texts';
    default:
      return 'a text';
  }
}
