import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../conversation/json.ts';

/**
 * A value of each format of JSON Schema, and of those that pydantic and zod add, that their parsers accept. A format
 * without a value here is any text.
 */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2025-01-01T00:00:00Z',
  'iso-date-time': '2025-01-01T00:00:00Z',
  date: '2025-01-01',
  time: '00:00:00Z',
  'iso-time': '00:00:00Z',
  duration: 'PT0S',
  email: 'user@example.com',
  'idn-email': 'user@example.com',
  'name-email': 'User <user@example.com>',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv4interface: '192.0.2.1/24',
  ipv4network: '192.0.2.0/24',
  ipv6: '2001:db8::1',
  ipv6interface: '2001:db8::1/32',
  ipv6network: '2001:db8::/32',
  ipvanyaddress: '192.0.2.1',
  ipvanyinterface: '192.0.2.1/24',
  ipvanynetwork: '192.0.2.0/24',
  cidrv4: '192.0.2.0/24',
  cidrv6: '2001:db8::/32',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': 'https://example.com/',
  'iri-reference': 'https://example.com/',
  'uri-template': 'https://example.com/{id}',
  'multi-host-uri': 'postgresql://user@localhost:5432/app',
  uuid: '11111111-1111-4111-8111-111111111111',
  guid: '11111111-1111-4111-8111-111111111111',
  uuid1: '11111111-1111-1111-8111-111111111111',
  uuid3: '11111111-1111-3111-8111-111111111111',
  uuid4: '11111111-1111-4111-8111-111111111111',
  uuid5: '11111111-1111-5111-8111-111111111111',
  uuid6: '11111111-1111-6111-8111-111111111111',
  uuid7: '11111111-1111-7111-8111-111111111111',
  uuid8: '11111111-1111-8111-8111-111111111111',
  'json-pointer': '/a',
  'json-pointer-uri-fragment': '#/a',
  'relative-json-pointer': '0/a',
  'json-string': '{}',
  regex: '.*',
  path: 'file.txt',
  byte: 'dGV4dA==',
  base64: 'dGV4dA==',
  base64url: 'dGV4dA==',
  color: '#000000',
  e164: '+15550100',
};

/** A value of the format of a schema that its pattern and its lengths accept, too; undefined if there is none. */
export function valueOfFormat({
  format,
  contentMediaType,
  pattern,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: JsonObject): string | undefined {
  // pydantic's Json is a text with this media type.
  const name = format ?? (contentMediaType === 'application/json' ? 'json-string' : undefined);
  const value = typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (value === undefined || value.length < Number(minLength) || value.length > Number(maxLength)) return undefined;
  return typeof pattern === 'string' && !isMatch(pattern, value) ? undefined : value;
}

/** A pattern may be written for another engine, such as that of Python or Rust. */
function isMatch(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return false;
  }
}

/** The keywords that Anthropic's SDKs move into descriptions, because the API does not know them. */
const MOVED = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'default',
] as const;

const NEXT_KEYWORD = /, (?=[A-Za-z$]+: )/;

/** Longer descriptions have no keywords at their end. Bounds the work. */
const MAX_DESCRIPTION = 4000;

/**
 * A schema with the keywords that its description ends with: `The score.\n\n{minimum: 1, maximum: 100}`. The Python SDK
 * writes texts without quotes, the one for TypeScript as JSON.
 */
export function withMovedKeywords(schema: JsonObject): JsonObject {
  const { description } = schema;
  if (typeof description !== 'string' || !description.endsWith('}') || description.length > MAX_DESCRIPTION) {
    return schema;
  }
  const start = description.startsWith('{') ? 0 : description.lastIndexOf('\n\n{') + 2;
  if (description[start] !== '{') return schema;
  const found = description
    .slice(start + 1, -1)
    .split(NEXT_KEYWORD)
    .flatMap((entry) => {
      const colon = entry.indexOf(': ');
      const keyword = MOVED.find((name) => name === entry.slice(0, colon));
      if (keyword === undefined) return [];
      const text = entry.slice(colon + 2);
      return text === 'None' ? [] : [[keyword, readMoved(text)] as const];
    });
  return { ...Object.fromEntries(found), ...schema };
}

function readMoved(text: string): unknown {
  if (text === 'True' || text === 'False') return text === 'True';
  return tryJson(text) ?? text;
}

/** The n-th of several different items, for lists whose items must differ: a number or a text that the schema allows. */
export function variantOf(value: unknown, n: number, schema: unknown): unknown {
  if (n === 0) return value;
  const options = isJsonObject(schema) && Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (options.length > 0) return options[n % options.length];
  if (typeof value === 'number') return value + n;
  return typeof value === 'string' ? `${value} ${n + 1}` : value;
}
