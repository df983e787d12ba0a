import * as z from 'zod';
import type { JsonObject, OfferedTool } from '../../conversation/conversation.ts';
import type { Budget } from '../schema/schema-budget.ts';
import { instanceOfSchema } from '../schema/schema-instance.ts';
import { firstSentence, SAID_THINGS, THINGS, wordsOf } from './tool-words.ts';

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
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** An argument that a tool takes. */
export interface OfferedProperty {
  readonly key: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** What a text fits into: the property itself, or the items of it. */
  readonly takes: 'text' | 'list_of_texts' | 'other';
  /** Its schema prescribes a value or allows null. */
  readonly hasOwnValue: boolean;
  /** The texts to choose from, where it allows no others. */
  readonly choices: readonly string[];
  readonly schema: JsonObject;
  /** What stands inside of it, where it is an object or a list of objects. */
  readonly inner: { readonly isList: boolean; readonly properties: readonly OfferedProperty[] } | undefined;
}

/** The arguments of a tool; nothing where it offers no schema with properties. */
export function readProperties({ parameters }: OfferedTool): OfferedProperty[] | undefined {
  return readFields(parameters ?? {}, true);
}

/** One level inside of an argument is read, too, and no deeper. */
function readFields(parameters: JsonObject, looksInside: boolean): OfferedProperty[] | undefined {
  const { properties, required = [] } = ParametersSchema.parse(parameters);
  if (properties === undefined || Object.keys(properties).length === 0) return undefined;
  return Object.entries(properties).map(([key, value]) => {
    const schema = PropertySchema.catch({}).parse(value);
    const { description = '' } = schema;
    return {
      key,
      description,
      isRequired: required.includes(key),
      takes: takesOf(schema),
      hasOwnValue: hasOwnValue(schema),
      choices: choicesOf(schema),
      schema,
      inner: looksInside ? innerOf(schema) : undefined,
    };
  });
}

function innerOf(schema: Property): OfferedProperty['inner'] {
  const isList = schema.properties === undefined;
  const properties = readFields(isList ? (schema.items ?? {}) : schema, false);
  return properties === undefined ? undefined : { isList, properties };
}

/**
 * What a required argument gets that no intent speaks of: null where that is allowed, else what its schema prescribes
 * or what its name suggests; `sentence` is its text where any text will do. All arguments of a call share a `budget`.
 */
export function fillProperty(
  property: OfferedProperty,
  { parameters = {} }: OfferedTool,
  sentence: string,
  budget: Budget,
): unknown {
  const { key, schema, takes } = property;
  const known = PropertySchema.parse(schema);
  if (schema['const'] === undefined && schema['default'] === undefined) {
    const types = typesOf(known);
    if (types.includes('null')) return null;
    if (takes === 'text' && PLACE.test(key)) return '.';
    if (types.includes('boolean')) return /entire|whole/i.test(key);
    if (types.includes('integer') || types.includes('number')) return suggestNumber(property);
  }
  // References in it are to the schema as a whole.
  const { $defs, definitions } = parameters;
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return instanceOfSchema({ ...schema, ...shared }, sentence, budget);
}

/**
 * Whether `fillProperty` gives a value that the tool can work with: what must name a thing that is there, the owner of
 * a repository or the id of a session, cannot be made up.
 */
export function isFillable({ key, description, takes, hasOwnValue, choices, schema }: OfferedProperty): boolean {
  if (hasOwnValue || choices.length > 0 || PLACE.test(key)) return true;
  const isThing = takes === 'other' && !typesOf(PropertySchema.parse(schema)).some((type) => NUMBERS.includes(type));
  if (isThing) return true;
  const named = [...wordsOf(key)];
  const said = [...wordsOf(firstSentence(description))];
  return !named.some((word) => THINGS.has(word)) && !said.some((word) => SAID_THINGS.has(word));
}

const NUMBERS: readonly string[] = ['number', 'integer'];

/** Names of arguments that say where something runs. */
const PLACE = /^(?:cd|cwd|work_?dir|working_?dir(?:ectory)?|dir|directory|folder|root)$/i;

function suggestFor(key: string, isMilliseconds: boolean): number {
  if (/time_?out/i.test(key)) return isMilliseconds ? 60_000 : 60;
  return /end|last|limit|max|count/i.test(key) ? 2000 : 1;
}

/** Everything, from the first, and long enough; within what the schema allows. */
function suggestNumber({ key, description, schema }: OfferedProperty): number {
  const isMilliseconds = /ms\b|milli/i.test(`${key} ${description}`);
  const wanted = suggestFor(key, isMilliseconds);
  const minimum = typeof schema['minimum'] === 'number' ? schema['minimum'] : Number.NEGATIVE_INFINITY;
  const maximum = typeof schema['maximum'] === 'number' ? schema['maximum'] : Number.POSITIVE_INFINITY;
  return Math.min(Math.max(wanted, minimum), maximum);
}

type Property = z.infer<typeof PropertySchema>;

function choicesOf({ enum: choices }: Property): string[] {
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
}

function hasOwnValue(schema: Property): boolean {
  return schema['const'] !== undefined || schema['default'] !== undefined || typesOf(schema).includes('null');
}

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
