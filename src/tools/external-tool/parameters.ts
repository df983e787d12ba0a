import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { ownEntry } from '../../text/json/own-entry.ts';

/** A description of a tool that cannot be used. The message says why, as the end of a sentence. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

/** The types of JSON Schema. Providers refuse a request with any other. */
const TYPES: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** Names of parameters that every provider accepts. */
const PARAMETER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Deeper than any schema. More would exceed the stack. */
const MAX_DEPTH = 32;

/**
 * The JSON Schema of a tool's arguments from its description of them: a JSON Schema of type object, or a map from each
 * name to the schema of that parameter, which may say `"required": true`. Throws `DefinitionError` for anything that a
 * provider would refuse, because one bad schema makes every request fail.
 */
export function parametersSchema(parameters: JsonObject): JsonObject {
  const { $schema: _dialect, ...described } = parameters;
  const isSchema = typeof described['type'] === 'string';
  if (isSchema && described['type'] !== 'object') throw new DefinitionError('its parameters must have the type object');
  const schema = isSchema ? described : { properties: described };
  return { ...readSchema({ properties: {}, ...schema }, 'parameters'), type: 'object' };
}

function readSchema(schema: JsonObject, place: string): JsonObject {
  const { required, properties, ...rest } = schema;
  const fields = Object.entries(rest).map(([key, value]) => [key, readField(key, value, `${place}.${key}`)] as const);
  const named = readProperties(properties, `${place}.properties`);
  const names = [...new Set([...requiredNames(required, place), ...named.required])];
  return {
    ...Object.fromEntries(fields),
    ...(named.properties !== undefined && { properties: named.properties }),
    ...(names.length > 0 && { required: names }),
  };
}

function readField(key: string, value: JsonValue, place: string): JsonValue {
  switch (key) {
    case 'type': {
      const types = Array.isArray(value) ? value : [value];
      if (types.length > 0 && types.every((type) => TYPES.has(type))) return value;
      throw new DefinitionError(`${place} must be one of ${[...TYPES].join(', ')}`);
    }
    case 'items':
      return isJsonObject(value) ? readSchema(value, place) : value;
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      if (!Array.isArray(value)) throw new DefinitionError(`${place} must be a list of schemas`);
      return value.map((each: JsonValue, index) =>
        isJsonObject(each) ? readSchema(each, `${place}[${index}]`) : each,
      );
    default:
      return value;
  }
}

/** The schemas of properties, without the `"required": true` of the map form, and the names of those that had it. */
function readProperties(
  properties: JsonValue | undefined,
  place: string,
): { readonly properties?: JsonObject; readonly required: readonly string[] } {
  if (properties === undefined) return { required: [] };
  if (!isJsonObject(properties)) throw new DefinitionError(`${place} must be an object`);
  const entries = Object.entries(properties).map(([name, schema]) => {
    if (name === '__proto__' || !PARAMETER_NAME.test(name)) {
      throw new DefinitionError(`${JSON.stringify(name)} cannot be the name of a parameter; use letters, digits and _`);
    }
    if (!isJsonObject(schema))
      throw new DefinitionError(`${place}.${name} must be an object, such as {"type": "string"}`);
    return { name, schema: readSchema(schema, `${place}.${name}`), isRequired: schema['required'] === true };
  });
  return {
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    required: entries.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  };
}

/** The names of a `required` list. A boolean belongs to the parameter itself, in the map form. */
function requiredNames(required: JsonValue | undefined, place: string): readonly string[] {
  if (required === undefined || typeof required === 'boolean') return [];
  const list: readonly JsonValue[] = Array.isArray(required) ? required : [required];
  const names = list.filter((name) => typeof name === 'string');
  if (Array.isArray(required) && names.length === list.length) return names;
  throw new DefinitionError(`${place}.required must be true, false or a list of names`);
}

/** Throws `DefinitionError` for a value that is nested so deeply that reading it would exceed the stack. */
export function requireShallow(value: JsonValue): void {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new DefinitionError('its description is nested too deeply');
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
}

/**
 * Describes the first argument that is missing or of a wrong type, for the model; `undefined` if there is none. Checks
 * only the outermost level, because the tool itself knows the rest.
 */
export function findArgumentProblem(args: JsonObject, schema: JsonObject): string | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find((name) => !Object.hasOwn(args, String(name)));
  if (missing !== undefined) return `${String(missing)} is missing`;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, value] of Object.entries(args)) {
    const property = ownEntry(properties, name);
    const type = isJsonObject(property) ? property['type'] : undefined;
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (types.length > 0 && !types.some((each: JsonValue) => hasType(value, each))) {
      return `${name} must be of type ${types.join(' or ')}`;
    }
  }
  return undefined;
}

function hasType(value: JsonValue, type: JsonValue): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

/** Arguments for a trial call: each required parameter with its default, its first choice or a plain value. */
export function sampleArguments(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      required.includes(name) && isJsonObject(property) ? [[name, sampleOf(property)]] : [],
    ),
  );
}

function sampleOf(schema: JsonObject): JsonValue {
  const [choice] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const [example] = Array.isArray(schema['examples']) ? schema['examples'] : [];
  const explicit = schema['default'] ?? example ?? choice;
  if (explicit !== undefined) return explicit;
  const [type] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  switch (type) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return sampleArguments(schema);
    case 'null':
      return null;
    default:
      return 'example';
  }
}
