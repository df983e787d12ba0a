import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import { decodePercent, startOfText } from '../text.ts';
import { valueOfFormat, variantOf, withMovedKeywords } from './schema-values.ts';

/** Maximum length of an instance as JSON, in characters. It bounds the work, too. */
const MAX_LENGTH = 50_000;
/** Larger minimum lengths are clamped, and longer patterns are too expensive. */
const MAX_COUNT = 1000;
/** Keywords whose values the library generates. */
const DEMANDING = ['pattern', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
/** All keywords that the library gets: others could make it generate a value without a limit. */
const GENERATED = new Set([...DEMANDING, 'type', 'minLength', 'maxLength', 'minimum', 'maximum']);
/** The cost of a value of the library, which may try several times. */
const GENERATION_COST = 50;

interface Context {
  readonly root: JsonObject;
  readonly text: string;
  /** Number of times that the value occurs in the instance. */
  readonly copies: number;
  /** The references that lead here. Following one of them again would never end. */
  readonly references: readonly string[];
  readonly budget: { left: number };
}

let library: typeof import('json-schema-faker') | undefined;

/** Loads the library that `jsonFromSchema` needs. Most servers never get a request that does. */
export async function loadJsonFromSchema(): Promise<void> {
  library ??= await import('json-schema-faker');
}

/**
 * A small instance of a JSON Schema, the same one each time, with `text` as its unconstrained strings. `{}` for the empty
 * schema, and for a schema that has no instance or costs too much. Ignores `not` and `if`. Await
 * `loadJsonFromSchema` first.
 */
export function jsonFromSchema(schema: JsonObject, text: string): unknown {
  if (library === undefined) throw new Error('Await loadJsonFromSchema() before jsonFromSchema().');
  if (Object.keys(schema).length === 0) return {};
  try {
    const context = { root: schema, text, copies: 1, references: ['#'], budget: { left: MAX_LENGTH } };
    const instance = instanceOf(schema, context);
    return instance === undefined ? {} : instance;
  } catch {
    return {};
  }
}

/** An instance of a schema; undefined if it has none. Throws if it costs too much. */
function instanceOf(raw: unknown, context: Context): unknown {
  if (raw === false) return undefined;
  const schema = isJsonObject(raw) ? withMovedKeywords(raw) : {};
  spend(1 + Object.keys(schema).length + context.references.length, context);
  const { $ref, ...beside } = schema;
  if (typeof $ref === 'string') {
    if (context.references.includes($ref)) return undefined;
    const references = [...context.references, $ref];
    const target = $ref.length > MAX_COUNT ? {} : resolveReference($ref, context.root);
    return instanceOf(merge(beside, target, context), { ...context, references });
  }
  const { allOf, ...single } = schema;
  if (Array.isArray(allOf)) {
    const merged = allOf.reduce((one, other) => merge(one, other, context), single);
    return instanceOf(merged, context);
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const { [keyword]: members, ...common } = schema;
    if (Array.isArray(members) && members.length > 0) return firstInstance(members, common, context);
  }
  if (schema['type'] === 'object' || 'properties' in schema || 'required' in schema) return objectFor(schema, context);
  if (schema['type'] === 'array' || 'items' in schema || 'prefixItems' in schema) return arrayFor(schema, context);
  const value = valueFor(schema, context);
  spend(JSON.stringify(value).length, context);
  return value;
}

function resolveReference(reference: string, root: JsonObject): unknown {
  const [, ...path] = reference.split('/');
  return path.reduce<unknown>((value, step) => {
    const key = decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/** A schema that has the keywords of both, with the properties of both. */
function merge(one: unknown, other: unknown, context: Context): unknown {
  if (one === false || other === false) return false;
  if (!isJsonObject(one) || !isJsonObject(other)) return isJsonObject(one) ? one : other;
  const required = [...asArray(one['required']), ...asArray(other['required'])];
  const properties = { ...propertiesOf(one), ...propertiesOf(other) };
  spend(required.length + Object.keys(properties).length, context);
  return { ...one, ...other, ...(required.length > 0 && { required }), ...('properties' in one && { properties }) };
}

/** An instance of the first member that has one; null only if no other has. */
function firstInstance(members: readonly unknown[], common: JsonObject, context: Context): unknown {
  const isNull = (member: unknown) => isJsonObject(member) && (member['type'] === 'null' || member['const'] === null);
  for (const member of members.toSorted((one, other) => Number(isNull(one)) - Number(isNull(other)))) {
    const instance = instanceOf(merge(common, member, context), context);
    if (instance !== undefined) return instance;
  }
  return undefined;
}

/** Objects have the required properties, or all if the schema does not list any. */
function objectFor(schema: JsonObject, context: Context): unknown {
  const properties = propertiesOf(schema);
  const required = asArray(schema['required']).filter((name) => typeof name === 'string');
  const names = schema['required'] === undefined ? Object.keys(properties) : required;
  const schemaOf = (name: string) =>
    Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
  const entries = names.map((name) => [name, instanceOf(schemaOf(name), context)] as const);
  if (entries.some(([name, value]) => value === undefined && required.includes(name))) return undefined;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** Arrays are as short as possible. */
function arrayFor({ items, prefixItems, minItems, uniqueItems }: JsonObject, context: Context): unknown {
  const prefix = asArray(Array.isArray(items) ? items : prefixItems);
  const values = prefix.map((item) => instanceOf(item, context));
  const copies = Math.max(count(minItems) - prefix.length, 0);
  if (copies > 0) {
    const item = instanceOf(items, { ...context, copies: context.copies * copies });
    for (let copy = 0; copy < copies; copy++) values.push(uniqueItems === true ? variantOf(item, copy, items) : item);
  }
  return values.includes(undefined) ? undefined : values;
}

function valueFor(schema: JsonObject, context: Context): unknown {
  const [type] = [schema['type']].flat().sort((one, other) => Number(one === 'null') - Number(other === 'null'));
  const options = 'const' in schema ? [schema['const']] : asArray(schema['enum']);
  if (options.length > 0) return options.find((option) => option !== null) ?? null;
  // Generators of schemas write `default: null` beside a choice that allows null.
  if (schema['default'] !== undefined && schema['default'] !== null) return schema['default'];
  const formatted = valueOfFormat(schema);
  if (formatted !== undefined) return formatted;
  if (DEMANDING.some((keyword) => keyword in schema)) {
    spend(GENERATION_COST, context);
    return generate({ ...schema, type });
  }
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return false;
    case 'integer':
    case 'number': {
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
      const number = Math.min(Math.max(describedMinimum(schema['description']), Number(minimum)), Number(maximum));
      return type === 'integer' ? Math.ceil(number) : number;
    }
    default: {
      const { maxLength } = schema;
      const start = typeof maxLength === 'number' ? startOfText(context.text, maxLength) : context.text;
      return start.padEnd(count(schema['minLength']), '.');
    }
  }
}

function generate(schema: JsonObject): unknown {
  const { pattern } = schema;
  if (typeof pattern === 'string' && patternCost(pattern) > MAX_LENGTH)
    throw new RangeError('The pattern costs too much.');
  const known = Object.entries(schema).filter(([keyword]) => GENERATED.has(keyword));
  return library?.generateSync({ ...Object.fromEntries(known), minLength: count(schema['minLength']) }, { seed: 1 });
}

/** Upper bound of the characters that a pattern generates: repeated characters add up, repeated groups multiply. */
function patternCost(pattern: string): number {
  let cost = pattern.length;
  for (const [, group, min = 0] of pattern.matchAll(/(\)?)(?:\{(\d+)(?:,\d*)?\}|[*+])/g)) {
    // The library adds at most five repetitions to the minimum.
    const repeats = Number(min) + 6;
    cost = group === '' ? cost + repeats : cost * repeats;
  }
  return cost;
}

/** Start of the range in a description: Gemini CLI asks for a `score from 1-100` without `minimum`. */
function describedMinimum(description: unknown): number {
  const text = typeof description === 'string' ? description.slice(0, MAX_COUNT) : '';
  return Number(/\b(\d+)(?:-|–| to )\d+\b/.exec(text)?.[1] ?? 0);
}

function count(value: unknown): number {
  return typeof value === 'number' ? Math.min(Math.max(value, 0), MAX_COUNT) : 0;
}

function spend(cost: number, { copies, budget }: Context): void {
  budget.left -= cost * copies;
  if (budget.left < 0) throw new RangeError('The instance is too expensive.');
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
