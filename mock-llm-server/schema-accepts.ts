import type { JsonObject } from './conversation.ts';
import { isJsonObject } from './is-json-object.ts';
import { asArray, asObject, isSame, numberOf, resolve, typesOf } from './schema-parts.ts';

/** References may lead in a circle. */
const MAX_DEPTH = 100;

/** What is left to do before a question is given up; shared by all that belongs to one answer. */
export interface Budget {
  left: number;
}

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
  if (context.budget.left-- <= 0 || depth > MAX_DEPTH) return context.guess;
  const inner: Inner = { ...context, schema, depth: depth + 1 };
  return Object.entries(schema).every(([keyword, wanted]) => holds(keyword, wanted, value, inner));
}

interface Inner extends Acceptance {
  readonly schema: JsonObject;
  readonly depth: number;
}

function holds(keyword: string, wanted: unknown, value: unknown, context: Inner): boolean {
  const { root, schema, depth } = context;
  const all = (schemas: unknown) => asArray(schemas).every((each) => accepts(each, value, context, depth));
  const count = (schemas: unknown) => asArray(schemas).filter((each) => accepts(each, value, context, depth)).length;
  switch (keyword) {
    case '$ref':
      return typeof wanted !== 'string' || accepts(resolve(wanted, root), value, context, depth);
    case 'allOf':
      return all(wanted);
    case 'anyOf':
      return count(wanted) > 0;
    case 'oneOf':
      return count(wanted) === 1;
    case 'not':
      return !accepts(wanted, value, { ...context, guess: !context.guess }, depth);
    case 'if':
      return accepts(schema[accepts(wanted, value, context, depth) ? 'then' : 'else'] ?? true, value, context, depth);
    case 'const':
      return isSame(wanted, value);
    case 'enum':
      return asArray(wanted).some((option) => isSame(option, value));
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
  if (typeof value === 'string') return holdsOfSize(keyword, 'Length', numberOf(wanted), [...value].length);
  if (Array.isArray(value)) {
    return (
      holdsOfSize(keyword, 'Items', numberOf(wanted), value.length) && holdsOfItems(keyword, wanted, value, context)
    );
  }
  if (!isJsonObject(value)) return true;
  return (
    holdsOfSize(keyword, 'Properties', numberOf(wanted), Object.keys(value).length) &&
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
      return Number.isInteger(Number((value / limit).toPrecision(12)));
    default:
      return true;
  }
}

function holdsOfSize(keyword: string, of: string, limit: number | undefined, size: number): boolean {
  if (limit === undefined) return true;
  return keyword === `min${of}` ? size >= limit : keyword !== `max${of}` || size <= limit;
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

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isWhole(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value);
}
