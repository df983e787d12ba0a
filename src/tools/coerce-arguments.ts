import type { JsonObject, JsonValue } from '../ports/json.ts';

/**
 * Arguments with the numbers and booleans that small models write as texts (`"limit": "10"`) turned into what the
 * schema asks for. Only a text that is exactly such a value is turned, and only where the schema says so. A `null` for
 * an argument that may be left out counts as left out: some providers make models fill in all of them.
 */
export function coerceArguments(args: unknown, schema: JsonObject): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const types = propertyTypes(schema);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isLeftOut = (key: string, value: unknown): boolean =>
    value === null && types.get(key) !== undefined && !required.includes(key);
  return Object.fromEntries(
    Object.entries(args)
      .filter(([key, value]) => !isLeftOut(key, value))
      .map(([key, value]) => [key, coerce(value, types.get(key))]),
  );
}

function coerce(value: unknown, type: JsonValue | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  return isNumber && (type === 'integer' || type === 'number') ? Number(value) : value;
}

function propertyTypes(schema: JsonObject): Map<string, JsonValue | undefined> {
  const properties = schema['properties'];
  return new Map(isObject(properties) ? Object.entries(properties).map(([key, value]) => [key, typeOf(value)]) : []);
}

function typeOf(property: JsonValue): JsonValue | undefined {
  return isObject(property) ? property['type'] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
