import { ToolError } from '../../agent/errors.ts';
import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import { coerceArguments } from '../read-arguments.ts';
import { canonical } from './texts.ts';

const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 64;

/** The longest name of a parameter that every service accepts. */
const MAX_NAME = 64;

/**
 * The schema of the arguments of a tool, with sorted keys, or the reason why it cannot be used. The keys of its root are
 * read leniently: libraries write an empty list or object as `null`, use other names for the schema, or refer from the
 * root to a definition. All others stay as they are; the dialect of a service changes what it does not accept.
 */
export function readSchema({ inputSchema, input_schema, parameters }: JsonObject): JsonObject | string {
  const [given = {}] = [inputSchema, input_schema, parameters].filter((each) => each !== undefined && each !== null);
  const value = typeof given === 'string' ? jsonOr(given, given) : given;
  // A validator of Zod in place of its schema says nothing that can be read.
  const root = value === true || (isJsonObject(value) && '_def' in value) ? {} : value;
  if (!isJsonObject(root)) return 'its schema is not an object';
  if (isDeeper(root, MAX_DEPTH)) return 'its schema is nested too deeply';
  const { $schema: _dialect, $ref: reference, ...own } = root;
  const { type, properties, required, ...others } = { ...definitionIn(root, reference), ...own };
  const types: readonly JsonValue[] = Array.isArray(type) ? type : [type ?? 'object'];
  if (!types.includes('object')) return 'its schema is not of type object';
  const names = Array.isArray(required) ? required.filter((name: JsonValue) => typeof name === 'string') : [];
  const schema = canonical({
    ...others,
    ...(Array.isArray(required) && { required: [...new Set(names)] }),
    ...{ properties: Object.fromEntries(parametersIn(properties)), type: 'object' },
  });
  const kept = isJsonObject(schema) ? withoutLost(schema, schema) : schema;
  return JSON.stringify(kept).length <= MAX_LENGTH && isJsonObject(kept) ? kept : 'its schema is too large';
}

/** The parameters with their schemas. A list is none: some libraries put the required names there. */
function parametersIn(properties: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  const given = isJsonObject(properties) ? Object.entries(properties) : [];
  return given.flatMap(([name, value]) => {
    if (Array.isArray(value)) return [];
    return [[name, isJsonObject(value) || typeof value === 'boolean' ? value : {}]];
  });
}

function isDeeper(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner: JsonValue) => isDeeper(inner, depth - 1));
}

/** The part of a schema that a reference names; absent for a reference that leads nowhere, or to another place. */
export function definitionIn(root: JsonObject, reference: JsonValue | undefined): JsonObject | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  const keys = reference.slice(2).split('/');
  const plain = (key: string): string => key.replaceAll('%20', ' ').replaceAll('~1', '/').replaceAll('~0', '~');
  const found = keys.reduce<unknown>((part, key) => new Map(Object.entries(Object(part))).get(plain(key)), root);
  return isJsonObject(found) ? found : undefined;
}

/** A part of a schema without references that lead nowhere: services refuse the whole request for one of them. */
function withoutLost(part: JsonValue, root: JsonObject): JsonValue {
  if (Array.isArray(part)) return part.map((each) => withoutLost(each, root));
  if (!isJsonObject(part)) return part;
  const isLost = ([key, value]: readonly [string, JsonValue]): boolean =>
    key === '$ref' && String(value).startsWith('#/') && definitionIn(root, value) === undefined;
  const kept = Object.entries(part).filter((entry) => !isLost(entry));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutLost(value, root)]));
}

/** Parameters with names that every service accepts, and the arguments of a call for the server. These throw `ToolError`. */
export function withSafeNames(schema: JsonObject): {
  readonly parameters: JsonObject;
  readonly read: (args: unknown, name: string) => JsonObject;
} {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const written = new Map<string, string>();
  const safe = new Map<string, string>();
  for (const name of Object.keys(properties)) {
    const base = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_NAME) || '_';
    const isFree = (each: string): boolean => !written.has(each) && (each === name || !Object.hasOwn(properties, each));
    let free = base;
    for (let count = 2; !isFree(free); count += 1) free = `${base.slice(0, MAX_NAME - 4)}_${count}`;
    written.set(free, name);
    safe.set(name, free);
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const renamed = Object.entries(properties).map(([name, value]) => [safe.get(name) ?? name, value]);
  const parameters = {
    ...schema,
    ...(renamed.length > 0 && { properties: Object.fromEntries(renamed) }),
    ...(required.length > 0 && { required: required.map((name) => safe.get(String(name)) ?? String(name)) }),
  };
  return {
    parameters,
    read(args, name) {
      const given = coerceArguments(args, parameters);
      if (!isJsonObject(given))
        throw new ToolError('invalid_arguments', `The arguments of ${name} must be a JSON object.`);
      return Object.fromEntries(Object.entries(given).map(([key, value]) => [written.get(key) ?? key, value]));
    },
  };
}
