import type { JsonObject, JsonValue } from '../../agent/ports/json.ts';
import { isJsonObject } from '../../text/json/json.ts';
import type { SchemaDialect } from './service-rules.ts';

/** The keywords that hold schemas by name, those that hold a list of schemas, and those that hold one. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'patternProperties', 'dependentSchemas']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SINGLE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames']);

/** Keywords of older drafts, or about the document, which say nothing to a model. */
const DROPPED: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$comment', 'definitions', 'dependencies']);

/** The keywords of Gemini's subset; it refuses, or reads as nothing, all others. */
const GEMINI_KEYWORDS: ReadonlySet<string> = new Set(
  'type,title,description,enum,format,items,minItems,maxItems,properties,required,anyOf,minimum,maximum,minLength,maxLength,pattern,nullable,default,example,propertyOrdering,minProperties,maxProperties'.split(
    ',',
  ),
);

/** The formats of Gemini's strings and numbers. */
const GEMINI_FORMATS: ReadonlySet<JsonValue> = new Set(['enum', 'date-time', 'float', 'double', 'int32', 'int64']);

const TYPES: ReadonlySet<JsonValue> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Keywords that make a type unnecessary. */
const TYPED_BY = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not'] as const;

/** The dialects that differ from JSON Schema. */
type Dialect = Exclude<SchemaDialect, 'plain'>;

const cache = new Map<SchemaDialect, WeakMap<object, JsonObject>>();

/**
 * The schema of a tool's parameters in a dialect that a service accepts. It says as much as the dialect can: a keyword
 * that is left out only tells the model less, because the arguments are checked with the schema of the tool. `typed` is
 * JSON Schema 2020-12 in which each part has a type and each list has items.
 */
export function schemaFor(parameters: JsonObject, dialect: SchemaDialect): JsonObject {
  if (dialect === 'plain') return parameters;
  const known = cache.get(dialect) ?? new WeakMap<object, JsonObject>();
  cache.set(dialect, known);
  const made = known.get(parameters) ?? rootFor(parameters, dialect);
  known.set(parameters, made);
  return JSON.stringify(made) === JSON.stringify(parameters) ? parameters : made;
}

function rootFor(parameters: JsonObject, dialect: Dialect): JsonObject {
  const root = withoutReferences(parameters, dialect === 'typed' || dialect === 'moonshot');
  const schema = partFor(root, dialect);
  const { anyOf: _any, oneOf: _one, allOf: _all, not: _not, enum: _enum, ...rest } = schema;
  const properties = isJsonObject(rest['properties']) ? rest['properties'] : {};
  return { ...rest, type: 'object', properties: { ...choicesOf(schema), ...properties } };
}

/** The properties in the choices at a root, where several services accept none. */
function choicesOf(schema: JsonObject): JsonObject {
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(schema[name]));
  const named = choices.flatMap((choice) =>
    isJsonObject(choice) && isJsonObject(choice['properties']) ? [choice['properties']] : [],
  );
  return Object.assign({}, ...named);
}

function partFor(part: JsonValue, dialect: Dialect): JsonObject {
  // `true` accepts everything, and nothing can be said about `false`.
  if (!isJsonObject(part)) return typed({});
  const renamed = isJsonObject(part['definitions']) ? { $defs: part['definitions'], ...part } : part;
  const entries = Object.entries(modern(renamed)).flatMap(([name, value]) => {
    if (DROPPED.has(name)) return [];
    return [[name, childrenFor(name, value, dialect)] as const];
  });
  const schema: JsonObject = Object.fromEntries(entries);
  switch (dialect) {
    case 'typed':
      return typed(schema);
    case 'moonshot':
      return moonshot(schema);
    case 'gemini':
      return gemini(schema);
    case 'bare':
      return bare(schema);
  }
}

function childrenFor(name: string, value: JsonValue, dialect: Dialect): JsonValue {
  if (name === '$ref' && typeof value === 'string') return value.replace('#/definitions/', '#/$defs/');
  if (NAMED.has(name) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, innerFor(part, dialect)]));
  }
  if (LISTS.has(name)) return listOf(value).map((part) => innerFor(part, dialect));
  return SINGLE.has(name) && typeof value !== 'boolean' ? innerFor(value, dialect) : value;
}

/** A part below the root. Vertex AI refuses any keyword beside choices, so each choice gets them. */
function innerFor(part: JsonValue, dialect: Dialect): JsonObject {
  const schema = partFor(part, dialect);
  const { anyOf, ...others } = schema;
  if (dialect !== 'gemini' || anyOf === undefined) return schema;
  return { anyOf: listOf(anyOf).map((choice) => gemini(Object.assign({}, others, choice))) };
}

/** The keywords of older drafts as those of 2020-12 say the same. */
function modern(schema: JsonObject): JsonObject {
  const { items, exclusiveMinimum, exclusiveMaximum, additionalItems, required, type, nullable, ...rest } = schema;
  const types = listOf(type ?? [])
    .concat(typeof type === 'string' ? [type] : [])
    .filter((name) => TYPES.has(name));
  const all = nullable === true && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types;
  const [only] = all;
  const lower = numeric({ exclusiveMinimum: exclusiveMinimum === true ? rest['minimum'] : exclusiveMinimum });
  const upper = numeric({ exclusiveMaximum: exclusiveMaximum === true ? rest['maximum'] : exclusiveMaximum });
  return {
    ...(only === undefined ? {} : { type: all.length === 1 ? only : all }),
    ...rest,
    ...(Array.isArray(items) ? { prefixItems: items } : items === undefined ? {} : { items }),
    ...(additionalItems !== undefined && isJsonObject(additionalItems) && Array.isArray(items)
      ? { items: additionalItems }
      : {}),
    ...lower,
    ...upper,
    ...(Array.isArray(required) ? { required } : {}),
  };
}

function numeric(limits: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
  );
}

/** The schema with a type, and with items if it is a list. */
function typed(schema: JsonObject): JsonObject {
  const type = schema['type'] ?? guessType(schema);
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return {
    ...(type === undefined ? {} : { type }),
    ...schema,
    ...(isList && schema['items'] === undefined ? { items: firstOf(schema) } : {}),
  };
}

/** The type of the first item, or text. */
function firstOf(schema: JsonObject): JsonValue {
  const [first = { type: 'string' }] = listOf(schema['prefixItems']);
  return first;
}

/** The type that the other keywords of a schema imply; for a schema that says nothing, text holds any value as JSON. */
function guessType(schema: JsonObject): JsonValue | undefined {
  if (TYPED_BY.some((name) => schema[name] !== undefined)) return undefined;
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  const values = [...listOf(schema['enum']), ...(schema['const'] === undefined ? [] : [schema['const']])];
  const [value] = values;
  if (value !== undefined && values.every((each) => typeof each === typeof value)) return nameOfType(value);
  return schema['minimum'] !== undefined || schema['maximum'] !== undefined ? 'number' : 'string';
}

function nameOfType(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** https://platform.kimi.ai/docs/guide/mfjs: no type beside choices, no tuples, nothing beside a reference. */
function moonshot(schema: JsonObject): JsonObject {
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { oneOf, prefixItems: _tuple, anyOf = oneOf, const: only, ...rest } = schema;
  const plain = only === undefined ? rest : { ...rest, enum: [only] };
  if (anyOf !== undefined) {
    const { type, ...others } = plain;
    const choices = listOf(anyOf).map((choice) =>
      isJsonObject(choice) && type !== undefined ? { type, ...choice } : choice,
    );
    return { ...others, anyOf: choices };
  }
  const withType = typed(plain);
  return withType['type'] === 'object' ? { ...withType, required: requiredOf(withType) } : withType;
}

/** https://ai.google.dev/api/caching#Schema */
function gemini(schema: JsonObject): JsonObject {
  const { oneOf, allOf, anyOf = oneOf, const: only, type, ...others } = schema;
  const merged: JsonObject = Object.assign({}, ...listOf(allOf).filter(isJsonObject), others);
  const types = listOf(type ?? []).filter((name) => name !== 'null');
  const single = typeof type === 'string' ? type : types[0];
  const plain: JsonObject = {
    ...merged,
    ...(anyOf === undefined ? {} : { anyOf }),
    ...(single === undefined ? {} : { type: single }),
    ...(Array.isArray(type) && type.includes('null') ? { nullable: true } : {}),
    ...(only === undefined ? {} : { enum: [only] }),
  };
  const known = typed(plain);
  const isText = known['type'] === 'string';
  const entries = Object.entries(known).flatMap(([name, value]): (readonly [string, JsonValue])[] => {
    if (!GEMINI_KEYWORDS.has(name) || (name === 'format' && !GEMINI_FORMATS.has(value))) return [];
    if ((name === 'properties' || name === 'required') && known['type'] !== 'object') return [];
    if (name === 'items' && known['type'] !== 'array') return [];
    if (name === 'required') return [[name, requiredOf(known)]];
    // Only text has an enumeration, of texts that are not empty.
    if (name === 'enum')
      return isText
        ? [
            [
              name,
              listOf(value)
                .map(String)
                .filter((each) => each !== ''),
            ],
          ]
        : [];
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** The keywords that every service knows. */
const BARE_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'items', 'properties', 'required']);

/** Types, names and descriptions alone, for a service that refuses the schema of a tool for something else. */
function bare(schema: JsonObject): JsonObject {
  const { oneOf, allOf, anyOf = oneOf, const: only, type, ...others } = schema;
  const choice = listOf(anyOf).find((each) => isJsonObject(each) && each['type'] !== 'null');
  const [single] = listOf(type ?? []).filter((name) => name !== 'null');
  const plain: JsonObject = {
    ...Object.assign({}, ...listOf(allOf).filter(isJsonObject), isJsonObject(choice) ? choice : {}),
    ...others,
    ...(typeof type === 'string' ? { type } : single === undefined ? {} : { type: single }),
    ...(only === undefined ? {} : { enum: [only] }),
  };
  const full = typed(plain);
  const isListed = listOf(full['enum']).every((value) => typeof value === 'string');
  const entries = Object.entries(full).filter(([name]) => BARE_KEYWORDS.has(name) && (name !== 'enum' || isListed));
  const known: JsonObject = Object.fromEntries(entries);
  return known['required'] === undefined ? known : { ...known, required: requiredOf(known) };
}

/** The required names that are properties. */
function requiredOf(schema: JsonObject): readonly JsonValue[] {
  const properties = schema['properties'];
  return listOf(schema['required']).filter(
    (name) => isJsonObject(properties) && Object.hasOwn(properties, String(name)),
  );
}

/** References to definitions, which most services support. Few support references to other places. */
const DEFINED = /^#\/(?:\$defs|definitions)\//;

/** The maximum number of references that are replaced: definitions that name each other twice would grow forever. */
const MAX_REFERENCES = 500;

/**
 * The schema with the targets of references in their place, except references to definitions if `keepsDefinitions`. A
 * reference within its own target becomes an object.
 */
function withoutReferences(root: JsonObject, keepsDefinitions: boolean): JsonValue {
  let left = MAX_REFERENCES;
  const replace = (value: JsonValue, within: readonly string[]): JsonValue => {
    if (Array.isArray(value)) return value.map((part) => replace(part, within));
    if (!isJsonObject(value)) return value;
    const { $ref: reference, $defs, definitions, ...others } = value;
    if (typeof reference === 'string' && !(keepsDefinitions && DEFINED.test(reference))) {
      left -= 1;
      if (within.includes(reference) || left < 0) return { type: 'object', ...others };
      const steps = reference.split('/').slice(1);
      const step = (part: JsonValue, key: string) => new Map(Object.entries<JsonValue>(Object(part))).get(key) ?? {};
      return Object.assign({}, replace(steps.reduce(step, root), [...within, reference]), others);
    }
    const kept = Object.entries(keepsDefinitions ? value : others);
    return Object.fromEntries(kept.map(([name, part]) => [name, replace(part, within)]));
  };
  return replace(root, []);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
