import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { ownEntry } from '../../text/json/own-entry.ts';

/**
 * Reports whether arguments have all properties that a JSON Schema requires, and values of the types that it states.
 * Other keywords, and the insides of lists and objects, are left to the tool.
 */
export function fitsSchema(args: unknown, schema: JsonObject): boolean {
  if (!isJsonObject(args)) return false;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return (
    required.every((key) => Object.hasOwn(args, String(key))) &&
    Object.entries(args).every(([key, value]) => {
      const property = propertyOf(schema, key);
      if (property === undefined) return schema['additionalProperties'] !== false;
      const types = typesOf(property);
      return types.length === 0 || types.some((type) => hasType(value, type));
    })
  );
}

/** The value of a parameter that was written without quotes; `undefined` when it does not have the type of its schema. */
export function readParameter(text: string, schema: JsonObject, key: string): JsonValue | undefined {
  const types = typesOf(propertyOf(schema, key));
  if (types.length === 0 || types.includes('string')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function propertyOf(schema: JsonObject, key: string): JsonValue | undefined {
  const properties = schema['properties'];
  return isJsonObject(properties) ? ownEntry(properties, key) : undefined;
}

/** The types that a schema allows; none when it states no type. */
function typesOf(schema: unknown): readonly unknown[] {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  return type === undefined ? [] : [type].flat();
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
