import type { JsonSchema } from 'json-schema-faker';
import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import { decodePercent, startOfText } from '../text.ts';

type SchemaObject = Exclude<JsonSchema, boolean>;

/** Maximum cost of one instance: the characters that the library generates, and the keywords that it looks at. */
const MAX_COST = 50_000;
const MAX_DEPTH = 64;
/** The library merges all members of `allOf`, in quadratic time. */
const MAX_MEMBERS = 50;
/** Larger minimum lengths, and longer patterns, are clamped or ignored. */
const MAX_COUNT = 1000;
/** How often the library retries for a unique item, or for a string of the right length. */
const RETRIES = 50;
/** All other keywords are annotations, or not supported. */
const CONSTRAINTS =
  /^(?:type|enum|const|format|pattern|not|if|(?:prefixI|uniqueI|i)tems|required|(?:additionalP|p)roperties|multipleOf|(?:min|max|exclusiveM)\w+)$/;

interface Context {
  readonly root: JsonObject;
  /** Value of unconstrained strings; undefined where values must differ, or satisfy several schemas at once. */
  readonly text: string | undefined;
  /** How many values of the schema the library may generate. */
  readonly copies: number;
  /** The references that lead here. Following one of them again would never end. */
  readonly references: readonly string[];
  readonly depth: number;
  readonly budget: { left: number };
}

let library: typeof import('json-schema-faker') | undefined;

/** Loads the library that `jsonFromSchema` needs. Most servers never get a request that does. */
export async function loadJsonFromSchema(): Promise<void> {
  library ??= await import('json-schema-faker');
}

/**
 * A small instance of a JSON Schema, the same one each time, with `text` as its unconstrained strings. `{}` for the empty
 * schema, and for a schema that has no instance or costs too much. Await `loadJsonFromSchema` first.
 */
export function jsonFromSchema(schema: JsonObject, text: string): unknown {
  if (library === undefined) throw new Error('Await loadJsonFromSchema() before jsonFromSchema().');
  if (Object.keys(schema).length === 0) return {};
  const context = { root: schema, text, copies: 1, references: ['#'], depth: 0, budget: { left: MAX_COST } };
  const options = { seed: 1, maxDepth: MAX_DEPTH, maxDefaultItems: 0, optionalsProbability: 0, useDefaultValue: true };
  try {
    return library.generateSync(simplify(schema, context), options);
  } catch {
    // Both functions throw if the schema has no instance.
    return {};
  }
}

/**
 * The schema in a form that the library handles in bounded time: references and choices are resolved, limits are
 * clamped, and keywords that it does not support are left out. False if no value satisfies the schema.
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
  if (choices.length === 1 && !keywords.some((keyword) => CONSTRAINTS.test(keyword))) {
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
  // The library generates such a value again if it turns out to be excluded, or if a branch has no instance.
  const tries = 'not' in own ? 20 : 'if' in own ? 3 : 1;
  const inner = { ...context, copies: context.copies * tries };
  const types = [own['type']].flat().filter((type) => typeof type === 'string');
  const type = types.find((name) => name !== 'null') ?? types[0];
  const isObject = type === 'object' || 'properties' in own || 'required' in own;
  const object = isObject ? simplifyProperties(own, inner) : {};
  if (object === false) return false;
  const simple: SchemaObject = {
    ...(type !== undefined && { type }),
    ...object,
    ...(type === 'array' || 'items' in own || 'prefixItems' in own ? simplifyItems(own, inner) : {}),
    ...simplifyString(own, inner),
    ...simplifyOptions(own, inner),
  };
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']) {
    if (typeof own[keyword] === 'number') simple[keyword] = own[keyword];
  }
  for (const keyword of ['not', 'if', 'then', 'else']) {
    const condition = keyword in own && simplify(own[keyword], { ...inner, text: undefined });
    if (condition !== false) simple[keyword] = condition;
  }
  const value = preferredValue(own, simple, context.text);
  if (value === undefined) return simple;
  spend(JSON.stringify(value).length, inner);
  return { ...simple, default: value };
}

/** Arrays are as short as possible, so that no upper limit matters. */
function simplifyItems(own: JsonObject, context: Context): SchemaObject {
  const { items = true, prefixItems } = own;
  const prefix = asArray(Array.isArray(items) ? items : prefixItems);
  const minItems = Math.max(count(own['minItems']), prefix.length);
  const uniqueItems = own['uniqueItems'] === true;
  const copies = context.copies * Math.max(minItems, 1) * (uniqueItems ? RETRIES : 1);
  return {
    minItems,
    uniqueItems,
    ...(prefix.length > 0 && { prefixItems: prefix.map((item) => simplify(item, context)) }),
    items: simplify(items, { ...context, copies, text: uniqueItems ? undefined : context.text }),
  };
}

/** Objects have the required properties, or all if the schema does not list any. False if one has no value. */
function simplifyProperties(own: JsonObject, context: Context): SchemaObject | false {
  const required = new Set(asArray(own['required']).filter((name) => typeof name === 'string'));
  const properties = Object.entries(isJsonObject(own['properties']) ? own['properties'] : {}).map(
    ([name, property]) => [name, simplify(property, context)] as const,
  );
  if (properties.some(([name, property]) => property === false && required.has(name))) return false;
  const possible = properties.filter(([, property]) => property !== false);
  const listsNone = own['required'] === undefined && context.text !== undefined;
  const minProperties = count(own['minProperties']);
  const copies = context.copies * (1 + required.size + minProperties);
  return {
    properties: Object.fromEntries(possible),
    required: listsNone ? possible.map(([name]) => name) : [...required],
    additionalProperties: simplify(own['additionalProperties'] ?? true, { ...context, copies }),
    minProperties,
  };
}

function simplifyString(own: JsonObject, context: Context): SchemaObject {
  const { pattern, format, maxLength } = own;
  const minLength = count(own['minLength']);
  const hasPattern = typeof pattern === 'string' && pattern.length <= MAX_COUNT;
  const tries = minLength > 0 || maxLength !== undefined ? RETRIES : 1;
  spend(minLength + (hasPattern ? patternCost(pattern) * tries : 0), context);
  return {
    ...(minLength > 0 && { minLength }),
    // The library generates at most ten characters more than it must.
    ...(typeof maxLength === 'number' && maxLength < minLength + 10 && { maxLength }),
    ...(typeof format === 'string' && { format }),
    ...(hasPattern && { pattern }),
  };
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

/** The first option, or all of them if other keywords or schemas may exclude it. */
function simplifyOptions(own: JsonObject, context: Context): SchemaObject {
  const all = 'const' in own ? [own['const']] : asArray(own['enum']);
  const isOpen = context.text === undefined || 'not' in own || 'if' in own;
  const first = all.find((option) => option !== null) ?? null;
  const options = isOpen || all.length === 0 ? all : [first];
  spend(JSON.stringify(options).length, context);
  return options.length === 0 ? {} : { enum: [...options] };
}

/** The default of the schema, or the text, false or the number nearest to 0 if the schema allows it. */
function preferredValue(own: JsonObject, simple: SchemaObject, text: string | undefined): unknown {
  if (text === undefined || 'enum' in simple || 'not' in simple || 'if' in simple) return undefined;
  if (own['default'] !== undefined) return own['default'];
  const demanding = ['pattern', 'format', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
  if (demanding.some((keyword) => keyword in simple)) return undefined;
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
