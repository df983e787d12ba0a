import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';

/** Keywords whose value is a number, which the JSON of protobuf writes as a string. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);
/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS = new Set(['items', 'additionalProperties', 'not', 'anyOf', 'oneOf', 'allOf', 'prefixItems']);
/** Keywords whose value is an object of schemas. */
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions']);

/** Keywords of Google's `Schema` in the other spelling that the JSON of protobuf accepts. Other names are properties. */
const CAMEL_CASE: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
  property_ordering: 'propertyOrdering',
  additional_properties: 'additionalProperties',
};

/** JSON Schema for a schema in Google's dialect: types in lower case, `nullable` as a type, counts as numbers. */
export function toJsonSchema({ nullable, ...schema }: JsonObject): JsonObject {
  const keywords = Object.entries(schema).map(([name, value]) => {
    const keyword = CAMEL_CASE[name] ?? name;
    return [keyword, convertKeyword(keyword, value)] as const;
  });
  const converted = Object.fromEntries(keywords.filter(([, value]) => value !== undefined));
  if (nullable !== true || converted['type'] === undefined) return converted;
  const types = Array.isArray(converted['type']) ? converted['type'] : [converted['type']];
  return { ...converted, type: types.includes('null') ? types : [...types, 'null'] };
}

function convertKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'type') return Array.isArray(value) ? value.map(convertType) : convertType(value);
  if (SCHEMAS.has(keyword)) return Array.isArray(value) ? value.map(convertInner) : convertInner(value);
  if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convertInner(inner)]));
  }
  const isCount = COUNTS.has(keyword) && typeof value === 'string' && /^\d+$/.test(value);
  return isCount ? Number(value) : value;
}

function convertInner(value: unknown): unknown {
  return isJsonObject(value) ? toJsonSchema(value) : value;
}

function convertType(type: unknown): unknown {
  if (typeof type !== 'string') return type;
  return type === 'TYPE_UNSPECIFIED' ? undefined : type.toLowerCase();
}
