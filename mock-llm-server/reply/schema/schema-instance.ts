import type { JsonObject } from '../../conversation/conversation.ts';
import { accepts } from './schema-accepts.ts';
import { type Budget, createBudget, isSpent, writeJson } from './schema-budget.ts';
import { numbersFor, textsFor } from './schema-leaves.ts';
import { asArray, asObject, numberOf, typesOf } from './schema-parts.ts';
import { type Variant, variantsOf } from './schema-variants.ts';

/** Below this depth optional properties are left out. */
const MAX_OPTIONAL_DEPTH = 6;
const MAX_DEPTH = 100;
const MAX_ITEMS = 1000;
/** The characters of a comma and of brackets, or of what stands for nothing. */
const AROUND_EACH = 4;
/** How many instances of one schema are tried. */
const MAX_TRIES = 20;

interface Context {
  readonly root: JsonObject;
  readonly text: string;
  readonly depth: number;
  /** Which one of many instances: other numbers give other ones, as far as there are some. */
  readonly number: number;
  readonly open: ReadonlySet<string>;
  readonly budget: Budget;
  /** What stands for what cannot be satisfied; without it there is no instance then. */
  readonly substitute?: null;
}

interface Found {
  readonly value: unknown;
}

/**
 * A small instance of a JSON Schema, or of Gemini's form of it with types in upper case; the same one each time. Where
 * a string may be anything it is `text`. Objects hold what is required, or everything where nothing is. Pure and total:
 * what nothing satisfies, and what would take too long, has `null` in it, and lists that would be too long are shorter.
 * Several instances for one answer share a `budget`.
 */
export function instanceOfSchema(schema: JsonObject, text: string, budget: Budget = createBudget()): unknown {
  if (Object.keys(schema).length === 0) return {};
  const context = { root: schema, text, depth: 0, number: 0, open: new Set(['#']) };
  const spared = { steps: budget.steps / 2, characters: budget.characters / 2 };
  budget.steps -= spared.steps;
  budget.characters -= spared.characters;
  const found = build(schema, { ...context, budget });
  budget.steps += spared.steps;
  budget.characters += spared.characters;
  return (found ?? build(schema, { ...context, budget, substitute: null }))?.value;
}

function build(raw: unknown, context: Context): Found | undefined {
  context.budget.characters -= AROUND_EACH;
  if (context.depth <= MAX_DEPTH) {
    for (const variant of variantsOf(raw, context)) {
      const found = buildVariant(variant, context);
      if (found !== undefined) return found;
    }
  }
  return context.substitute === undefined ? undefined : { value: context.substitute };
}

function buildVariant({ schema, references, exclusions }: Variant, context: Context): Found | undefined {
  const open = references.length === 0 ? context.open : new Set([...context.open, ...references]);
  context.budget.steps -= open.size;
  let tries = MAX_TRIES;
  for (const value of valuesOf(schema, { ...context, open })) {
    if (!exclusions.some((exclusion) => isAccepted(exclusion, value, context, false))) return { value };
    if (tries-- === 0) break;
  }
  return undefined;
}

/** Instances of a schema without references and choices, from the one with the number of the context on. */
function* valuesOf(schema: JsonObject, context: Context): Generator<unknown> {
  const { budget, number, text } = context;
  const { enum: stated, ...rest } = schema;
  const options = 'const' in schema ? [schema['const']] : asArray(stated);
  if (options.length > 0) {
    const rules = 'const' in schema ? schema : rest;
    let isFitting = false;
    const fits = (option: unknown) => isAccepted(rules, option, context, true);
    for (const option of from(number, { [Symbol.iterator]: () => filter(options, fits) })) {
      isFitting = true;
      yield pay(option, budget);
    }
    if (!isFitting && 'substitute' in context) for (const option of options) yield pay(option, budget);
    return;
  }
  if ('default' in schema && isAccepted(schema, schema['default'], context, true)) {
    yield pay(schema['default'], budget);
  }
  for (const type of wantedTypes(schema)) {
    switch (type) {
      case 'object':
        yield* objectsFor(schema, context);
        break;
      case 'array':
        yield* arraysFor(schema, context);
        break;
      case 'number':
      case 'integer':
        yield* from(number, { [Symbol.iterator]: () => numbersFor(schema, type === 'integer', budget) });
        break;
      case 'boolean':
        yield* from(number, [false, true]);
        break;
      case 'null':
        yield null;
        break;
      default:
        for (const made of textsFor(schema, { text, number, budget })) yield pay(made, budget);
    }
  }
}

/** The value, once its characters are paid for. */
function pay(value: unknown, budget: Budget): unknown {
  budget.characters -= writeJson(value, budget).length;
  return value;
}

function* filter(values: Iterable<unknown>, fits: (value: unknown) => boolean): Generator<unknown> {
  for (const value of values) if (fits(value)) yield value;
}

/** The values without the first ones, and then all of them. */
function* from(skipped: number, values: Iterable<unknown>): Generator<unknown> {
  let position = 0;
  for (const value of values) if (position++ >= skipped) yield value;
  if (skipped > 0) yield* values;
}

function* objectsFor(schema: JsonObject, context: Context): Generator<JsonObject> {
  for (let more = 0; more < MAX_TRIES; more++) {
    const inner = { ...context, depth: context.depth + 1, number: context.number + more };
    const found = buildObject(schema, inner);
    if (found === undefined) return;
    yield found;
  }
}

function buildObject(schema: JsonObject, context: Context): JsonObject | undefined {
  const properties = asObject(schema['properties']);
  const required = requiredNames(schema);
  const most = numberOf(schema['maxProperties']) ?? Number.POSITIVE_INFINITY;
  const least = Math.min(numberOf(schema['minProperties']) ?? 0, MAX_ITEMS);
  const isOpen = schema['required'] === undefined && context.depth <= MAX_OPTIONAL_DEPTH;
  const found = new Map<string, unknown>();
  for (const name of required) {
    const built = build(schemaOf(name, schema), context);
    if (built === undefined) return undefined;
    found.set(name, built.value);
  }
  const { substitute: _substitute, ...strict } = context;
  const add = (name: string) => {
    const built = found.has(name) ? undefined : build(schemaOf(name, schema), strict);
    if (built !== undefined) found.set(name, built.value);
  };
  for (const name of Object.keys(properties)) if (found.size < (isOpen ? most : least)) add(name);
  for (let number = 0; found.size < least && number < least + MAX_TRIES; number++) {
    const name = inventName(schema, { ...strict, text: 'key', number });
    if (name !== undefined) add(name);
  }
  if (found.size < least && !('substitute' in context)) return undefined;
  const names = [...Object.keys(properties), ...found.keys()].filter((name) => found.has(name));
  for (const name of names) context.budget.characters -= name.length;
  // From entries, so that a property may be called `__proto__`.
  return Object.fromEntries(names.map((name) => [name, found.get(name)]));
}

/** With the names that others bring with them. */
function requiredNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set(asArray(schema['required']).filter((name) => typeof name === 'string'));
  const dependents = asObject(schema['dependentRequired']);
  for (const name of names) {
    const brought = Object.hasOwn(dependents, name) ? asArray(dependents[name]) : [];
    for (const other of brought) if (typeof other === 'string') names.add(other);
  }
  return names;
}

function schemaOf(name: string, schema: JsonObject): unknown {
  const properties = asObject(schema['properties']);
  if (Object.hasOwn(properties, name)) return properties[name];
  const [pattern] = Object.values(asObject(schema['patternProperties']));
  return pattern ?? schema['additionalProperties'] ?? {};
}

function inventName(schema: JsonObject, context: Context): string | undefined {
  const [pattern] = Object.keys(asObject(schema['patternProperties']));
  const rules = [{ type: 'string', ...(pattern !== undefined && { pattern }) }, schema['propertyNames'] ?? true];
  const name = build({ allOf: rules }, context)?.value;
  return typeof name === 'string' ? name : undefined;
}

function* arraysFor(schema: JsonObject, context: Context): Generator<unknown[]> {
  const first = asArray(Array.isArray(schema['items']) ? schema['items'] : schema['prefixItems']);
  const contained = 'contains' in schema ? (numberOf(schema['minContains']) ?? 1) : 0;
  const stated = Math.max(numberOf(schema['minItems']) ?? 0, first.length + contained);
  const least = Math.min(stated, numberOf(schema['maxItems']) ?? stated, MAX_ITEMS);
  const most = Math.min(numberOf(schema['maxItems']) ?? MAX_ITEMS, MAX_ITEMS);
  // One of many lists is not empty, so that they can differ.
  for (let length = least === 0 && context.number > 0 ? 1 : least; length <= most; length++) {
    const found = buildArray(schema, first, { length, contained }, context);
    if (found === undefined) break;
    yield found;
  }
  if (least === 0 && context.number > 0) yield [];
}

interface ArraySize {
  readonly length: number;
  readonly contained: number;
}

function buildArray(
  schema: JsonObject,
  first: readonly unknown[],
  { length, contained }: ArraySize,
  context: Context,
): unknown[] | undefined {
  const items: unknown[] = [];
  const seen = new Set<string>();
  const others = (Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items']) ?? true;
  const { budget } = context;
  for (let index = 0; index < length; index++) {
    if (isSpent(budget)) return 'substitute' in context ? items : undefined;
    const isContained = index >= first.length && index < first.length + contained;
    const item = first[index] ?? (isContained ? { allOf: [others, schema['contains']] } : others);
    let number = context.number + Math.max(index - first.length + Math.min(first.length, 1), 0);
    const isRepeated = (found: Found) => schema['uniqueItems'] === true && seen.has(writeJson(found.value, budget));
    const inner = () => ({ ...context, depth: context.depth + 1, number });
    let found = build(item, inner());
    for (let tries = 0; found !== undefined && isRepeated(found) && tries < MAX_TRIES; tries++) {
      number++;
      found = build(item, inner());
    }
    if (found === undefined || isRepeated(found))
      return index >= (numberOf(schema['minItems']) ?? 0) ? items : undefined;
    items.push(found.value);
    if (schema['uniqueItems'] === true) seen.add(writeJson(found.value, budget));
  }
  return items;
}

function isAccepted(schema: unknown, value: unknown, { root, budget }: Context, guess: boolean): boolean {
  return accepts(schema, value, { root, guess, budget });
}

/** Something rather than nothing. */
function wantedTypes(schema: JsonObject): readonly string[] {
  const types = typesOf(schema);
  if (types.length > 0) return [...types.filter((type) => type !== 'null'), ...types.filter((type) => type === 'null')];
  const isAbout = (...keywords: readonly string[]) => keywords.some((keyword) => keyword in schema);
  if (isAbout('properties', 'required', 'additionalProperties', 'minProperties', 'patternProperties'))
    return ['object'];
  if (isAbout('items', 'prefixItems', 'minItems', 'contains')) return ['array'];
  return [isAbout('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf') ? 'number' : 'string'];
}
