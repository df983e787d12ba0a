import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { isSet } from '../checks/fields.ts';
import { findSchema, functionsOf, isDeeper, refuseFunction } from '../checks/tools.ts';
import { objectOf } from '../raw.ts';
import type { Check } from '../service.ts';

/** The limit of the service by anomalyco/opencode#25495; that of its validator is 30 by default. */
const MAX_DEPTH = 10;
/** The keys that may stand beside several types. */
const BESIDE_TYPES = new Set(['type', 'description', 'title', '$defs', '$id']);

/** Reports whether a value of JSON has a type of JSON Schema. */
function isOfType(value: unknown, type: string): boolean {
  if (value === null) return type === 'null';
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && (type !== 'object' || isJsonObject(value));
}

/** Refuses schemas that are no objects, that have a type beside `anyOf`, or a list as `items`. */
export const refuseDialect: Check = (request) => {
  const format = objectOf(objectOf(request.body['response_format'])['json_schema'])['schema'];
  const schemas = [
    ...functionsOf(request).map(({ schema }) => ['tools.function.parameters', schema] as const),
    ['response_format.json_schema', format] as const,
  ];
  for (const [place, schema] of schemas) {
    if (!isJsonObject(schema)) continue;
    const say = (details: string) => ({
      message: `Invalid request: ${place} is not a valid moonshot flavored json schema, details: ${details}`,
    });
    if (isDeeper(schema, MAX_DEPTH)) return say(`schema depth exceeds maximum limit of ${MAX_DEPTH}`);
    const found = findSchema(schema, (node) => reasonOf(node) !== undefined);
    if (found === undefined) continue;
    const [reason, inside = []] = reasonOf(found.node) ?? [];
    return say(`<At path '${[...found.context, ...inside].join('.') || 'root'}': ${reason}>`);
  }
  return undefined;
};

/** The fault of a schema, and the place in it that the error names. */
function reasonOf(
  node: Readonly<Record<string, unknown>>,
): readonly [reason: string, inside?: readonly string[]] | undefined {
  const { anyOf, type, items, properties, required, enum: values, $ref: reference, default: preset } = node;
  if (isSet(anyOf) && preset !== undefined) return ["keyword 'default' is not allowed at the same level as anyOf"];
  if (isSet(anyOf) && isSet(type))
    return ['when using anyOf, type should be defined in anyOf items instead of the parent schema'];
  if (isSet(reference) && isSet(type))
    return ['when using $ref, type should be defined in the referenced schema instead of the parent schema'];
  const beside =
    Array.isArray(type) && type.length > 1 ? Object.keys(node).find((key) => !BESIDE_TYPES.has(key)) : undefined;
  if (beside !== undefined && !isSet(values))
    return [`keyword ${beside} is not allowed in combination with multiple types`];
  if (isSet(values) && !Array.isArray(values)) return ['enum must be an array', ['enum']];
  if (Array.isArray(values)) {
    if (values.length === 0) return ['enum array cannot be empty', ['enum']];
    if (!isSet(type)) return ['type is not defined'];
    const types = [type].flat().map(String);
    const other = values.find((value) => !types.some((name) => isOfType(value, name)));
    if (other !== undefined)
      return [`enum value (${other ?? '<nil>'}) does not match any type in [${types.join(' ')}]`, ['enum']];
  }
  if (Array.isArray(items)) return ['items must be an object'];
  if (required !== undefined && !Array.isArray(required)) return ['required must be an array', ['required']];
  const wrong = Object.entries(objectOf(properties)).find(([, value]) => !isJsonObject(value));
  if (wrong !== undefined) return [`property schema for '${wrong[0]}' must be an object`, ['properties']];
  const names = Array.isArray(required) ? required.map(String) : [];
  const absent = names.find((name) => objectOf(properties)[name] === undefined);
  if (absent !== undefined) return [`required property '${absent}' is not defined in properties`, ['required']];
  const untyped = Object.entries(objectOf(properties)).find(([, value]) => isUntyped(objectOf(value)));
  return untyped === undefined ? undefined : [`type is not defined for property '${untyped[0]}'`];
}

/** Refuses references that the dialect does not have. */
export const refuseReferences = refuseFunction(({ schema }) => {
  const root = objectOf(schema);
  const found = findSchema(schema, (node) => faultOfReference(root, node) !== undefined);
  if (found === undefined) return undefined;
  const details = `<At path '${found.context.join('.')}${faultOfReference(root, found.node)}>`;
  return {
    message: `Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: ${details}`,
  };
});

function faultOfReference(root: JsonObject, { $ref: reference, ...rest }: JsonObject): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(reference)?.[1];
  if (name === undefined) return ".$ref': references must start with #/$defs/";
  const definition = objectOf(objectOf(root['$defs'] ?? root['definitions'])[name]);
  const both = Object.keys(rest).find((key) => definition[key] !== undefined);
  return both === undefined ? undefined : `': conflicting keywords found after $ref expansion: ${both}`;
}

/** A schema that says nothing of its values. */
function isUntyped(node: Readonly<Record<string, unknown>>): boolean {
  return !['type', 'anyOf', '$ref', 'enum', 'const', 'oneOf', 'allOf'].some((key) => isSet(node[key]));
}
