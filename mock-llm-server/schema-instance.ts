import type { JsonObject } from './conversation.ts';

/** Below this depth optional properties are left out, and below twice this depth everything is. */
const MAX_DEPTH = 6;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2025-01-01T00:00:00Z',
  date: '2025-01-01',
  time: '00:00:00Z',
  duration: 'PT1S',
  email: 'user@example.com',
  hostname: 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Tried in this order for a string with a pattern. */
const PATTERN_CANDIDATES = [
  'a',
  'A',
  '0',
  '1',
  'ab',
  'a-b',
  'a1',
  '2025-01-01',
  '1.0.0',
  '#000000',
  'https://example.com/',
];

interface Context {
  readonly root: JsonObject;
  readonly text: string;
  readonly depth: number;
}

/**
 * A small instance of a JSON Schema, or of Gemini's form of it with types in upper case; the same one each time. Where
 * a string may be anything it is `text`. Objects hold what is required, or everything where nothing is. Pure and total:
 * what cannot be satisfied is filled as well as can be.
 */
export function instanceOfSchema(schema: JsonObject, text: string): unknown {
  if (Object.keys(schema).length === 0) return {};
  return build(schema, { root: schema, text, depth: 0 });
}

function build(raw: unknown, context: Context): unknown {
  if (context.depth > 2 * MAX_DEPTH) return null;
  const schema = flatten(raw, context, 0);
  if (schema === undefined) return context.text;
  if ('const' in schema) return schema['const'];
  const options = schema['enum'];
  if (Array.isArray(options) && options.length > 0) return options[0];
  if ('default' in schema) return schema['default'];
  switch (typeOf(schema)) {
    case 'object':
      return buildObject(schema, context);
    case 'array':
      return buildArray(schema, context);
    case 'number':
      return buildNumber(schema, 0);
    case 'integer':
      return buildNumber(schema, 1);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return buildString(schema, context.text);
  }
}

/** The schema with its reference, its `allOf` and the first useful member of `anyOf` or `oneOf` put into it. */
function flatten(raw: unknown, context: Context, hops: number): JsonObject | undefined {
  if (!isObject(raw)) return undefined;
  const { $ref, allOf, anyOf, oneOf, ...own } = raw;
  const members: unknown[] = Array.isArray(allOf) ? [...allOf] : [];
  if (typeof $ref === 'string') members.push(resolve($ref, context.root));
  for (const choices of [anyOf, oneOf]) {
    if (!Array.isArray(choices)) continue;
    members.push(choices.find((choice) => isObject(choice) && typeOf(choice) !== 'null') ?? choices[0]);
  }
  // References may lead in a circle.
  if (hops > MAX_DEPTH) return own;
  return members.reduce<JsonObject>((merged, member) => {
    const inner = flatten(member, context, hops + 1);
    return inner === undefined ? merged : merge(merged, inner);
  }, own);
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const properties = { ...asObject(left['properties']), ...asObject(right['properties']) };
  const required = [...asArray(left['required']), ...asArray(right['required'])];
  return {
    ...right,
    ...left,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function resolve(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#')) return undefined;
  const keys = reference.slice(1).split('/').slice(1);
  return keys.reduce<unknown>((value, key) => {
    return asObject(value)[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')];
  }, root);
}

function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : [type]).flatMap((one) =>
    typeof one === 'string' ? [one.toLowerCase()] : [],
  );
  const stated = types.find((one) => one !== 'null') ?? types[0];
  if (stated !== undefined) return stated;
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

function buildObject(schema: JsonObject, context: Context): object {
  const properties = asObject(schema['properties']);
  const required = asArray(schema['required']).filter((name) => typeof name === 'string');
  const all = schema['required'] === undefined && context.depth < MAX_DEPTH;
  const names = all ? Object.keys(properties) : [...new Set(required)];
  const inner = { ...context, depth: context.depth + 1 };
  // From entries, so that a property may be called `__proto__`.
  return Object.fromEntries(names.map((name) => [name, build(properties[name] ?? {}, inner)]));
}

function buildArray(schema: JsonObject, context: Context): unknown[] {
  const inner = { ...context, depth: context.depth + 1 };
  const first = asArray(schema['prefixItems']);
  const length = Math.min(Math.max(numberOf(schema['minItems']) ?? 0, first.length), 100);
  return Array.from({ length }, (_, index) => {
    const text = index === 0 ? context.text : `${context.text} ${index + 1}`;
    return build(first[index] ?? schema['items'] ?? {}, { ...inner, text });
  });
}

function buildNumber(schema: JsonObject, step: number): number {
  const unit = numberOf(schema['multipleOf']) ?? step;
  const above = numberOf(schema['exclusiveMinimum']);
  const below = numberOf(schema['exclusiveMaximum']);
  const lowest = numberOf(schema['minimum']) ?? (above === undefined ? undefined : above + (unit || 0.5));
  const high = numberOf(schema['maximum']) ?? (below === undefined ? undefined : below - (unit || 0.5));
  const low = lowest ?? (high === undefined ? saidLowest(schema['description']) : undefined);
  if (low !== undefined && low > 0) return unit === 0 ? low : Math.ceil(low / unit) * unit;
  if (high !== undefined && high < 0) return unit === 0 ? high : Math.floor(high / unit) * unit;
  return 0;
}

/** The first number of a range that a description states: `a score from 1-100`. Not every client has it in the schema. */
function saidLowest(description: unknown): number | undefined {
  if (typeof description !== 'string') return undefined;
  const [, first, second] =
    /(?<![\w.-])(\d+(?:\.\d+)?)\s*(?:-|–|\.\.|to|and)\s*(\d+(?:\.\d+)?)(?![\w-])/.exec(description) ?? [];
  return Number(first) < Number(second) ? Number(first) : undefined;
}

function buildString(schema: JsonObject, text: string): string {
  const format = typeof schema['format'] === 'string' ? FORMATS[schema['format']] : undefined;
  if (format !== undefined) return format;
  const { pattern } = schema;
  if (typeof pattern === 'string') {
    const found = [text, ...PATTERN_CANDIDATES].find((candidate) => matches(pattern, candidate));
    if (found !== undefined) return found;
  }
  const shortest = Math.min(numberOf(schema['minLength']) ?? 0, 10_000);
  const longest = numberOf(schema['maxLength']) ?? Number.POSITIVE_INFINITY;
  const characters = [...text.padEnd(shortest, '.')];
  return characters.length <= longest ? characters.join('') : characters.slice(0, longest).join('');
}

function matches(pattern: string, candidate: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(candidate);
  } catch {
    return false;
  }
}

/** Gemini writes limits as texts. */
function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
