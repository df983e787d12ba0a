import { ToolError } from '../agent/errors.ts';
import { conforms, type ExplainedSchema, withDefaults } from '../schema/conforms.ts';
import { explain } from '../schema/explain.ts';
import { isJsonObject, jsonObjectIn } from '../text/json/json.ts';
import { readLenientObject } from '../text/json/lenient-json.ts';

/** The arguments of a call, converted and with defaults. Throws `ToolError` `invalid_arguments` if they do not fit. */
export async function readArguments<Arguments>(
  toolName: string,
  args: unknown,
  schema: ExplainedSchema<Arguments>,
): Promise<Arguments> {
  const converted = coerceArguments(args, schema.json);
  const filled = withDefaults(converted, schema.json);
  const isFit = conforms(filled, schema);
  const place = isFit ? findLoneSurrogate(filled) : undefined;
  if (isFit && place === undefined) return filled;
  const problems = place === undefined ? await explain(converted, schema) : `${LONE_SURROGATE}\n  → at ${place}`;
  throw new ToolError('invalid_arguments', `The arguments of ${toolName} do not fit its schema:\n${problems}`);
}

const LONE_SURROGATE = '✖ contains a lone surrogate (\\ud800 to \\udfff)';

/** The place of a string that UTF-8 cannot encode: a lone surrogate would become another character in a file. */
function findLoneSurrogate(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? place : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const placeOf = (key: string): string => {
    if (Array.isArray(value)) return `${place}[${key}]`;
    return place === '' ? key : `${place}.${key}`;
  };
  return Object.entries(value)
    .map(([key, part]) => findLoneSurrogate(part, placeOf(key)))
    .find((found) => found !== undefined);
}

/**
 * Converts values to the types in the schema, at any depth: numbers, booleans, lists and objects that small models write
 * as strings (`"limit": "10"`, `"tasks": "[…]"`), and integers where a string belongs (`"id": 1`). Converts only strings
 * that are exactly such a value. Removes a `null` for an optional argument, because some providers make models fill in every argument.
 */
export function coerceArguments(args: unknown, schema: unknown): unknown {
  if (!isJsonObject(schema)) return args;
  const { type, items } = schema;
  if (typeof args === 'string' && (type === 'array' || type === 'object')) {
    const { value } = jsonObjectIn(readLenientObject(`{"value":${args}}`) ?? '');
    const isMeant = type === 'array' ? Array.isArray(value) : isJsonObject(value);
    return isMeant ? coerceArguments(value, schema) : args;
  }
  // A model with one item to give may leave out the list.
  if (type === 'array' && isJsonObject(args) && isJsonObject(items) && items['type'] === 'object') {
    return [coerceArguments(args, items)];
  }
  if (Array.isArray(args)) return items === undefined ? args : args.map((item) => coerceArguments(item, items));
  if (typeof args !== 'object' || args === null) return coerceScalar(args, type);
  const properties = new Map(isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isOmitted = (key: string, value: unknown): boolean =>
    value === null && hasType(properties.get(key)) && !required.includes(key);
  return Object.fromEntries(
    Object.entries(args)
      .filter(([key, value]) => !isOmitted(key, value))
      .map(([key, value]) => [key, coerceArguments(value, properties.get(key))]),
  );
}

function coerceScalar(value: unknown, type: unknown): unknown {
  if (typeof value === 'number') return type === 'string' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  return isNumber && (type === 'integer' || type === 'number') ? Number(value) : value;
}

function hasType(schema: unknown): boolean {
  return isJsonObject(schema) && schema['type'] !== undefined;
}
