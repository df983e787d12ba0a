import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { type Budget, isSpent, spendOnSchema, spendOnValue, writeJson } from './schema-budget.ts';
import { asArray, asObject, numberOf, resolve, typesOf } from './schema-parts.ts';

/** One way to read a schema: without references, choices and conditions. */
export interface Variant {
  readonly schema: JsonObject;
  /** The references it was read through. */
  readonly references: readonly string[];
  /** Schemas that must not accept the value. */
  readonly exclusions: readonly unknown[];
}

/** The document, and the references that may not be followed again: one who does comes to no end. */
export interface VariantContext {
  readonly root: JsonObject;
  readonly open: ReadonlySet<string>;
  readonly budget: Budget;
}

/** Of references, compositions and the members of these, one in the other: each needs its part of the stack. */
const MAX_HOPS = 200;
/** Of members that must all hold; nothing is made of more. */
const MAX_GROUPS = 50;

const LIMITS: Readonly<Record<string, 'greatest' | 'least'>> = {
  minimum: 'greatest',
  exclusiveMinimum: 'greatest',
  minLength: 'greatest',
  minItems: 'greatest',
  minProperties: 'greatest',
  minContains: 'greatest',
  maximum: 'least',
  exclusiveMaximum: 'least',
  maxLength: 'least',
  maxItems: 'least',
  maxProperties: 'least',
};

/**
 * All ways to read a schema, the most telling first: a choice that is more than nothing, a condition that holds. None
 * for a schema that nothing satisfies, or that leads back to itself.
 */
export function* variantsOf(raw: unknown, context: VariantContext, hops = 0): Generator<Variant> {
  const { budget } = context;
  if (raw === false || hops > MAX_HOPS || isSpent(budget)) return;
  budget.steps--;
  if (!isJsonObject(raw)) {
    yield { schema: {}, references: [], exclusions: [] };
    return;
  }
  spendOnSchema(raw, budget);
  const { $ref, allOf, anyOf, oneOf, not, if: condition, then: consequence, else: alternative, ...own } = raw;
  const groups: Iterable<unknown>[] = asArray(allOf).map((member) => [member]);
  if (Array.isArray(anyOf) && anyOf.length > 0) groups.push(tellingFirst(anyOf));
  if (Array.isArray(oneOf) && oneOf.length > 0) {
    groups.push({ [Symbol.iterator]: () => eachAlone(oneOf, budget) });
  }
  if (condition !== undefined) {
    groups.push([{ allOf: [condition, consequence ?? true] }, { allOf: [alternative ?? true], not: condition }]);
  }
  if (groups.length > MAX_GROUPS) return;
  let inner = context;
  if (typeof $ref === 'string') {
    if (context.open.has($ref)) return;
    budget.steps -= context.open.size;
    inner = { ...context, open: new Set([...context.open, $ref]) };
    groups.unshift([resolve($ref, context.root) ?? true]);
  }
  yield* combine(
    {
      schema: own,
      references: typeof $ref === 'string' ? [$ref] : [],
      exclusions: not === undefined ? [] : [not],
    },
    groups,
    inner,
    hops + 1,
  );
}

function* combine(
  start: Variant,
  [group, ...rest]: readonly Iterable<unknown>[],
  context: VariantContext,
  hops: number,
): Generator<Variant> {
  if (group === undefined) {
    yield start;
    return;
  }
  for (const choice of group) {
    for (const { schema, references, exclusions } of variantsOf(choice, context, hops)) {
      spendOnSchema(start.schema, context.budget);
      const merged = merge(start.schema, schema, context.budget);
      if (merged === undefined) continue;
      const next = {
        schema: merged,
        references: [...start.references, ...references],
        exclusions: [...start.exclusions, ...exclusions],
      };
      yield* combine(next, rest, context, hops + 1);
    }
  }
}

function tellingFirst(choices: readonly unknown[]): readonly unknown[] {
  const isNothing = (choice: unknown) =>
    isJsonObject(choice) && (choice['type'] === 'null' || choice['const'] === null);
  return [...choices.filter((choice) => !isNothing(choice)), ...choices.filter(isNothing)];
}

/** Each choice, and none of the others. One after the other: together they would be as many as the square of them. */
function* eachAlone(choices: readonly unknown[], budget: Budget): Generator<JsonObject> {
  for (const choice of tellingFirst(choices)) {
    if (isSpent(budget)) return;
    spendOnValue(choices, budget);
    yield { allOf: [choice], not: { anyOf: choices.filter((other) => other !== choice) } };
  }
}

/** A schema for what satisfies both; nothing where no value can. */
function merge(left: JsonObject, right: JsonObject, budget: Budget): JsonObject | undefined {
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    merged[keyword] = keyword in left ? mergeKeyword(keyword, left[keyword], value, budget) : value;
  }
  const types = [typesOf(left), typesOf(right)];
  if (types.every((stated) => stated.length > 0) && typesOf(merged).length === 0) return undefined;
  return merged;
}

function mergeKeyword(keyword: string, left: unknown, right: unknown, budget: Budget): unknown {
  switch (keyword) {
    case 'type': {
      const [ours, theirs] = [typesOf({ type: left }), typesOf({ type: right })];
      return [
        ...ours.filter((type) => theirs.includes(type) || (type === 'integer' && theirs.includes('number'))),
        ...theirs.filter((type) => type === 'integer' && ours.includes('number') && !ours.includes('integer')),
      ];
    }
    case 'required':
      return [...asArray(left), ...asArray(right)];
    case 'enum':
      return common(asArray(left), asArray(right), budget);
    case 'properties':
      return mergeProperties(asObject(left), asObject(right));
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
      return { allOf: [left, right] };
    default:
      return mergeLimit(LIMITS[keyword], left, right);
  }
}

function common(left: readonly unknown[], right: readonly unknown[], budget: Budget): unknown[] {
  const known = new Set(right.map((option) => writeJson(option, budget)));
  return left.filter((option) => known.has(writeJson(option, budget)));
}

function mergeProperties(left: JsonObject, right: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Object.fromEntries(
    names.map((name) => {
      const both = [left, right].filter((each) => Object.hasOwn(each, name)).map((each) => each[name]);
      return [name, both.length === 1 ? both[0] : { allOf: both }];
    }),
  );
}

function mergeLimit(limit: 'greatest' | 'least' | undefined, left: unknown, right: unknown): unknown {
  const [ours, theirs] = [numberOf(left), numberOf(right)];
  if (limit === undefined || theirs === undefined) return left;
  if (ours === undefined) return right;
  return limit === 'greatest' ? Math.max(ours, theirs) : Math.min(ours, theirs);
}
