import type { JsonSchema } from 'json-schema-faker';
import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import { decodePercent, startOfText } from '../text.ts';

type SchemaObject = Exclude<JsonSchema, boolean>;

/** Cost of one instance at most: its characters, and the schemas that the library walks to generate it. */
const MAX_COST = 50_000;
const MAX_DEPTH = 64;
const MAX_MEMBERS = 50;
const MAX_COUNT = 1000;
/** How often the library tries again for an item that differs, or for a string of the right length. */
const RETRIES = 50;
const ANNOTATIONS = /^(?:\$(?:schema|id|comment|defs)|definitions|title|description|default|examples)$/;

interface Context {
  readonly root: JsonObject;
  /** Value of strings that may be anything; undefined where values must differ or satisfy several schemas at once. */
  readonly text: string | undefined;
  /** How many values of the schema the library may generate. */
  readonly copies: number;
  /** The references that lead here. Following one of them again would never end. */
  readonly references: readonly string[];
  readonly depth: number;
  readonly budget: { left: number };
}

let library: typeof import('json-schema-faker') | undefined;

/** Loads the library that `jsonFromSchema` needs. Few servers ever do. */
export async function loadJsonFromSchema(): Promise<void> {
  library ??= await import('json-schema-faker');
}

/**
 * A small instance of a JSON Schema, the same one each time; strings that may be anything are `text`. `{}` for the
 * empty schema, and for one that has no instance or costs too much. Await `loadJsonFromSchema` first.
 */
export function jsonFromSchema(schema: JsonObject, text: string): unknown {
  if (library === undefined) throw new Error('Await loadJsonFromSchema() before jsonFromSchema().');
  if (Object.keys(schema).length === 0) return {};
  const context = { root: schema, text, copies: 1, references: ['#'], depth: 0, budget: { left: MAX_COST } };
  const options = { seed: 1, maxDepth: MAX_DEPTH, maxDefaultItems: 0, optionalsProbability: 0, useDefaultValue: true };
  try {
    return library.generateSync(simplify(schema, context), options);
  } catch {
    // Both functions throw for a schema without an instance.
    return {};
  }
}

/**
 * The schema in a form that the library handles in bounded time: references and choices are resolved, limits are
 * clamped, and keywords that it does not know are left out. False if no value satisfies the schema.
 */
function simplify(raw: unknown, context: Context): JsonSchema {
  if (raw === false) return false;
  if (context.depth > MAX_DEPTH) throw new RangeError('The schema is nested too deeply.');
  const { $ref, allOf, anyOf, oneOf, ...own } = isJsonObject(raw) ? raw : {};
  const inner = { ...context, depth: context.depth + 1 };
  const groups = [asArray(anyOf), asArray(oneOf), ...asArray(allOf).map((member) => [member])];
  if (typeof $ref === 'string') groups.push([{ $ref }]);
  const choices = groups.filter((members) => members.length > 0);
  const keywords = Object.keys(own);
  spend(1 + keywords.length + choices.flat().length, context);
  if (choices.length === 0) return simplifyKeywords(own, inner);
  if (choices.length === 1 && keywords.every((keyword) => ANNOTATIONS.test(keyword))) {
    return typeof $ref === 'string' ? follow($ref, inner) : choose(choices[0], inner);
  }
  if (choices.length > MAX_MEMBERS) throw new RangeError('The schema has too many members.');
  const shared = { ...inner, text: undefined };
  const members = [simplifyKeywords(own, shared), ...choices.map((group) => choose(group, shared))];
  return !members.includes(false) && { allOf: members };
}

function follow(reference: string, context: Context): JsonSchema {
  const { references, root } = context;
  spend(reference.length, context);
  if (references.includes(reference)) return false;
  const [, ...path] = reference.split('/');
  const target = path.reduce<unknown>((value, step) => {
    const key = decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
  return simplify(target, { ...context, references: [...references, reference] });
}

/** The first member that has an instance; null only if no other has one. */
function choose(members: readonly unknown[] = [], context: Context): JsonSchema {
  const isNull = (member: unknown) => isJsonObject(member) && (member['type'] === 'null' || member['const'] === null);
  for (const member of [...members.filter((one) => !isNull(one)), ...members.filter(isNull)]) {
    const simple = simplify(member, context);
    if (simple !== false) return simple;
  }
  return false;
}

function simplifyKeywords(own: JsonObject, context: Context): JsonSchema {
  const types = [own['type']].flat().filter((type) => typeof type === 'string');
  const type = types.find((name) => name !== 'null') ?? types[0];
  const simple: SchemaObject = type === undefined ? {} : { type };
  if (type === 'array' || 'items' in own || 'prefixItems' in own) simplifyItems(own, simple, context);
  if ((type === 'object' || 'properties' in own || 'required' in own) && !simplifyProperties(own, simple, context)) {
    return false;
  }
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']) {
    if (typeof own[keyword] === 'number') simple[keyword] = own[keyword];
  }
  for (const keyword of ['not', 'if', 'then', 'else']) {
    const condition = keyword in own && simplify(own[keyword], { ...context, text: undefined });
    if (condition !== false) simple[keyword] = condition;
  }
  simplifyString(own, simple, context);
  simplifyOptions(own, simple, context);
  const value = preferValue(own, simple, context.text);
  if (value === undefined) return simple;
  spend(JSON.stringify(value).length, context);
  return { ...simple, default: value };
}

/** Arrays are as short as possible, so that no upper limit matters. */
function simplifyItems(own: JsonObject, simple: SchemaObject, context: Context): void {
  const prefix = asArray(own['prefixItems']);
  const minItems = Math.max(count(own['minItems']), prefix.length);
  const isUnique = own['uniqueItems'] === true;
  const copies = context.copies * Math.max(minItems, 1) * (isUnique ? RETRIES : 1);
  const text = isUnique ? undefined : context.text;
  if (prefix.length > 0) simple.prefixItems = prefix.map((item) => simplify(item, context));
  simple.items = simplify(own['items'] ?? true, { ...context, copies, text });
  Object.assign(simple, { minItems, uniqueItems: isUnique });
}

/** Objects have the required properties, or all if the schema does not say which. Returns whether that is possible. */
function simplifyProperties(own: JsonObject, simple: SchemaObject, context: Context): boolean {
  const required = new Set(asArray(own['required']).filter((name) => typeof name === 'string'));
  const properties = Object.entries(isJsonObject(own['properties']) ? own['properties'] : {}).map(
    ([name, property]) => [name, simplify(property, context)] as const,
  );
  if (properties.some(([name, property]) => property === false && required.has(name))) return false;
  const possible = properties.filter(([, property]) => property !== false);
  const minProperties = count(own['minProperties']);
  const copies = context.copies * (1 + required.size + minProperties);
  simple.properties = Object.fromEntries(possible);
  simple.required =
    own['required'] === undefined && context.text !== undefined ? possible.map(([name]) => name) : [...required];
  simple.additionalProperties = simplify(own['additionalProperties'] ?? true, { ...context, copies });
  simple.minProperties = minProperties;
  return true;
}

function simplifyString(own: JsonObject, simple: SchemaObject, context: Context): void {
  const { pattern, format, minLength, maxLength } = own;
  const length = count(minLength);
  const hasLimits = length > 0 || maxLength !== undefined;
  spend(length, context);
  if (length > 0) simple.minLength = length;
  // The library generates at most ten characters more than it must.
  if (typeof maxLength === 'number' && maxLength < length + 10) simple.maxLength = maxLength;
  if (typeof format === 'string') simple.format = format;
  if (typeof pattern !== 'string' || pattern.length > MAX_COUNT) return;
  spend(patternCost(pattern) * (hasLimits ? RETRIES : 1), context);
  simple.pattern = pattern;
}

/** Upper bound of the characters that a pattern generates: repeated characters add up, repeated groups multiply. */
function patternCost(pattern: string): number {
  let characters = pattern.length + MAX_COUNT * (pattern.match(/[^\x20-\x7e]/g) ?? []).length;
  let factor = 1;
  for (const [, group, min = 0] of pattern.matchAll(/(\)?)(?:\{(\d+)(?:,\d*)?\}|[*+])/g)) {
    // The library repeats at most five times more often than it must.
    const repeats = Number(min) + 6;
    if (group === '') characters += repeats;
    else factor *= repeats;
  }
  return characters * factor;
}

/** Keeps the first option only, unless another schema may exclude it. */
function simplifyOptions(own: JsonObject, simple: SchemaObject, context: Context): void {
  const options = 'const' in own ? [own['const']] : asArray(own['enum']);
  const first = options.find((option) => option !== null) ?? options[0];
  const kept = context.text === undefined ? options : options.slice(0, 1).map(() => first);
  spend(JSON.stringify(kept).length, context);
  if (kept.length > 0) simple.enum = [...kept];
}

/** Prefers the default, the text, false or the number nearest to 0 where the schema leaves a choice. */
function preferValue(own: JsonObject, simple: SchemaObject, text: string | undefined): unknown {
  if (text === undefined || 'enum' in simple || 'not' in simple || 'if' in simple) return undefined;
  if (own['default'] !== undefined) return own['default'];
  const open = ['pattern', 'format', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
  if (open.some((keyword) => keyword in simple)) return undefined;
  const { type, minLength = 0, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = simple;
  if (type === 'boolean') return false;
  if (type === 'string' || Object.keys(simple).length === 0) {
    const cut = typeof own['maxLength'] === 'number' ? startOfText(text, own['maxLength']) : text;
    return cut.length < minLength ? undefined : cut;
  }
  const nearest = Math.min(Math.max(describedMinimum(own['description']), minimum), maximum);
  return type === 'number' || (type === 'integer' && Number.isInteger(nearest)) ? nearest : undefined;
}

/** Start of the range that a description states: Gemini CLI asks for a `score from 1-100` without `minimum`. */
function describedMinimum(description: unknown): number {
  const [, minimum = 0] =
    /\b(\d+)(?:-|–| to )\d+\b/.exec(typeof description === 'string' ? description.slice(0, MAX_COUNT) : '') ?? [];
  return Number(minimum);
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
