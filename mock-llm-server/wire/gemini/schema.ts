import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';

/** Keywords whose value is a number, which the JSON of protobuf writes as a string. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);
const MAX_DEPTH = 64;

/**
 * Converts a schema in Google's dialect to JSON Schema: types in lower case, `nullable` as a type of its own, counts as
 * numbers. JSON Schema stays as it is, and so does everything deeper than 64 levels.
 */
export function toJsonSchema(schema: JsonObject, depth = 0): JsonObject {
  const { nullable, ...rest } = schema;
  const converted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) {
    const next = convertKeyword(keyword, value, depth);
    if (next !== undefined) converted[keyword] = next;
  }
  if (nullable !== true || converted['type'] === undefined) return converted;
  const types = Array.isArray(converted['type']) ? converted['type'] : [converted['type']];
  return { ...converted, type: types.includes('null') ? types : [...types, 'null'] };
}

function convertKeyword(keyword: string, value: unknown, depth: number): unknown {
  if (depth === MAX_DEPTH) return value;
  switch (keyword) {
    case 'type':
      return Array.isArray(value) ? value.map(convertType) : convertType(value);
    case 'properties':
    case '$defs':
    case 'definitions':
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convertAny(inner, depth)]))
        : value;
    case 'items':
    case 'additionalProperties':
    case 'not':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value) ? value.map((inner) => convertAny(inner, depth)) : convertAny(value, depth);
    default:
      return COUNTS.has(keyword) && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  }
}

function convertAny(value: unknown, depth: number): unknown {
  return isJsonObject(value) ? toJsonSchema(value, depth + 1) : value;
}

function convertType(type: unknown): unknown {
  if (typeof type !== 'string') return type;
  return type === 'TYPE_UNSPECIFIED' ? undefined : type.toLowerCase();
}
