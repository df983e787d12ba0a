import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { type Budget, isSpent, spendOnSchema, spendOnValue, writeJson } from './schema-budget.ts';
import { asArray, asObject, numberOf, resolve, typesOf } from './schema-parts.ts';

/** References may lead in a circle. */
const MAX_DEPTH = 100;

/** What a schema is read with. `guess` is the answer where a schema is not understood, or too much. */
export interface Acceptance {
  readonly root: JsonObject;
  readonly budget: Budget;
  readonly guess: boolean;
}

/**
 * Whether a JSON Schema accepts a value, as far as that can be told quickly: patterns and formats are guessed, because
 * a pattern of a client can take for ever. Pure but for the budget.
 */
export function accepts(schema: unknown, value: unknown, context: Acceptance, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema)) return true;
  if (isSpent(context.budget) || depth > MAX_DEPTH) return context.guess;
  spendOnSchema(schema, context.budget);
  spendOnValue(value, context.budget);
  const inner: Inner = { ...context, schema, depth: depth + 1 };
  return Object.entries(schema).every(([keyword, wanted]) => holds(keyword, wanted, value, inner));
}

interface Inner extends Acceptance {
  readonly schema: JsonObject;
  readonly depth: number;
}

function holds(keyword: string, wanted: unknown, value: unknown, context: Inner): boolean {
  const { root, budget, schema, depth } = context;
  switch (keyword) {
    case '$ref':
      return typeof wanted !== 'string' || accepts(resolve(wanted, root), value, context, depth);
    case 'allOf':
      return asArray(wanted).every((each) => accepts(each, value, context, depth));
    case 'anyOf':
      return asArray(wanted).some((each) => accepts(each, value, context, depth));
    case 'oneOf':
      return asArray(wanted).filter((each) => accepts(each, value, context, depth)).length === 1;
    case 'not':
      return !accepts(wanted, value, { ...context, guess: !context.guess }, depth);
    case 'if':
      return accepts(schema[accepts(wanted, value, context, depth) ? 'then' : 'else'] ?? true, value, context, depth);
    case 'const':
      return isOneOf(value, [wanted], budget);
    case 'enum':
      return isOneOf(value, asArray(wanted), budget);
    case 'type':
      return typesOf(schema).includes(typeOf(value)) || (isWhole(value) && typesOf(schema).includes('integer'));
    case 'pattern':
      return typeof value !== 'string' || context.guess;
    default:
      return holdsOfKind(keyword, wanted, value, context);
  }
}

function holdsOfKind(keyword: string, wanted: unknown, value: unknown, context: Inner): boolean {
  if (typeof value === 'number') return holdsOfNumber(keyword, numberOf(wanted), value);
  if (typeof value === 'string') return holdsOfSize(keyword, 'Length', numberOf(wanted), () => countCharacters(value));
  if (Array.isArray(value)) {
    return (
      holdsOfSize(keyword, 'Items', numberOf(wanted), () => value.length) &&
      holdsOfItems(keyword, wanted, value, context)
    );
  }
  if (!isJsonObject(value)) return true;
  return (
    holdsOfSize(keyword, 'Properties', numberOf(wanted), () => Object.keys(value).length) &&
    holdsOfProperties(keyword, wanted, value, context)
  );
}

function holdsOfNumber(keyword: string, limit: number | undefined, value: number): boolean {
  if (limit === undefined) return true;
  switch (keyword) {
    case 'minimum':
      return value >= limit;
    case 'maximum':
      return value <= limit;
    case 'exclusiveMinimum':
      return value > limit;
    case 'exclusiveMaximum':
      return value < limit;
    case 'multipleOf':
      return isWhole(Number((value / limit).toPrecision(12))) || !Number.isFinite(value / limit);
    default:
      return true;
  }
}

function holdsOfSize(keyword: string, of: string, limit: number | undefined, count: () => number): boolean {
  if (limit === undefined) return true;
  return keyword === `min${of}` ? count() >= limit : keyword !== `max${of}` || count() <= limit;
}

function holdsOfItems(
  keyword: string,
  wanted: unknown,
  items: readonly unknown[],
  { schema, depth, ...context }: Inner,
): boolean {
  const first = asArray(schema['prefixItems']);
  switch (keyword) {
    case 'prefixItems':
      return first.every((each, index) => index >= items.length || accepts(each, items[index], context, depth));
    case 'items':
      return items.slice(first.length).every((item) => accepts(wanted, item, context, depth));
    default:
      return true;
  }
}

function holdsOfProperties(
  keyword: string,
  wanted: unknown,
  value: JsonObject,
  { schema, depth, ...context }: Inner,
): boolean {
  switch (keyword) {
    case 'required':
      return asArray(wanted).every((name) => typeof name !== 'string' || Object.hasOwn(value, name));
    case 'properties':
      return Object.entries(asObject(wanted)).every(
        ([name, inner]) => !Object.hasOwn(value, name) || accepts(inner, value[name], context, depth),
      );
    case 'additionalProperties': {
      const known = asObject(schema['properties']);
      return Object.entries(value).every(
        ([name, inner]) => Object.hasOwn(known, name) || accepts(wanted, inner, context, depth),
      );
    }
    default:
      return true;
  }
}

/** Whether a value is the same as an option, as JSON. */
function isOneOf(value: unknown, options: readonly unknown[], budget: Budget): boolean {
  if (typeof value !== 'object' || value === null) return options.includes(value);
  const json = writeJson(value, budget);
  return options.some((option) => typeof option === 'object' && writeJson(option, budget) === json);
}

/** Of which a pair of surrogates is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value);
}
