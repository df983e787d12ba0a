import * as z from 'zod';
import type { JsonObject, OfferedTool } from '../conversation.ts';
import { instanceOfSchema } from '../schema-instance.ts';

const ParametersSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  required: z.array(z.string()).optional().catch(undefined),
});

const PropertySchema = z.looseObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  description: z.string().optional().catch(undefined),
  nullable: z.boolean().optional().catch(undefined),
  anyOf: z
    .array(z.looseObject({ type: z.string().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  items: z
    .looseObject({ type: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** An argument that a tool takes. */
export interface OfferedProperty {
  readonly key: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** What a text fits into: the property itself, or the items of it. */
  readonly takes: 'text' | 'list_of_texts' | 'other';
  readonly schema: JsonObject;
}

/** The arguments of a tool; nothing where it offers no schema with properties. */
export function readProperties({ parameters }: OfferedTool): OfferedProperty[] | undefined {
  const { properties, required = [] } = ParametersSchema.parse(parameters ?? {});
  if (properties === undefined || Object.keys(properties).length === 0) return undefined;
  return Object.entries(properties).map(([key, value]) => {
    const schema = PropertySchema.catch({}).parse(value);
    const { description = '' } = schema;
    return { key, description, isRequired: required.includes(key), takes: takesOf(schema), schema };
  });
}

/**
 * What a required argument gets that no intent speaks of: null where that is allowed, else the smallest value that its
 * schema allows; `sentence` is its text where any text will do.
 */
export function fillProperty({ schema }: OfferedProperty, { parameters = {} }: OfferedTool, sentence: string): unknown {
  const known = PropertySchema.parse(schema);
  if (schema['const'] === undefined && schema['default'] === undefined && typesOf(known).includes('null')) return null;
  // References in it are to the schema as a whole.
  const { $defs, definitions } = parameters;
  return instanceOfSchema(
    { ...schema, ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) },
    sentence,
  );
}

type Property = z.infer<typeof PropertySchema>;

function takesOf(schema: Property): OfferedProperty['takes'] {
  if (Array.isArray(schema['enum']) || schema['const'] !== undefined) return 'other';
  const types = typesOf(schema);
  if (types.length === 0 || types.includes('string')) return 'text';
  if (!types.includes('array')) return 'other';
  const item = schema.items?.type?.toLowerCase();
  return item === undefined || item === 'string' ? 'list_of_texts' : 'other';
}

/** In lower case: Gemini's types are in upper case. */
function typesOf({ type = [], nullable, anyOf = [] }: Property): string[] {
  const own = [type].flat();
  const inner = anyOf.flatMap((member) => member.type ?? []);
  return [...own, ...inner, ...(nullable === true ? ['null'] : [])].map((name) => name.toLowerCase());
}
