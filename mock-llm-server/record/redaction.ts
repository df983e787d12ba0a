import { isJsonObject } from '../conversation/json.ts';
import { secretsOf } from '../journal/redact.ts';
import { findSecret, redactForFile } from '../journal/secret-patterns.ts';

/** Redacts texts. Idempotent. */
export interface Redaction {
  /** Learns the keys in the headers and the query of a request. */
  learn(headers: Readonly<Record<string, string>>, query: Readonly<Record<string, string>>): void;
  text(text: string): string;
  /** The same in every string of a JSON value, the names of fields included. */
  value<T>(value: T): T;
  /** The name of a secret in a text, also in an encoded form; undefined if it has none. */
  find(text: string): string | undefined;
}

/** Creates a redaction that knows some secrets from the start, such as the key of the upstream. */
export function createRedaction(known: readonly string[] = []): Redaction {
  const secrets = new Set(known.filter((secret) => secret.length >= MIN_SECRET));
  let sorted = [...secrets];
  const clean = (text: string): string => redactForFile(text, sorted);
  return {
    learn(headers, query) {
      const before = secrets.size;
      for (const secret of secretsOf(headers, query)) secrets.add(secret);
      // A key may contain another one, which must not be replaced first.
      if (secrets.size > before) sorted = [...secrets].sort((one, other) => other.length - one.length);
    },
    text: clean,
    value: (value) => mapStrings(value, clean),
    find(text) {
      const name = findSecret(text);
      if (name !== undefined) return name;
      for (const secret of sorted) {
        const form = ENCODINGS.find(([, encode]) => text.includes(encode(secret)));
        if (form !== undefined) return `a key of a request${form[0]}`;
      }
      return undefined;
    },
  };
}

/** Shorter values are placeholders. */
const MIN_SECRET = 8;

/** Forms of a secret that a text may hold. Base64 loses its padding and up to two characters at a boundary. */
const ENCODINGS: readonly (readonly [name: string, encode: (secret: string) => string])[] = [
  ['', (secret) => secret],
  [' in Base64', (secret) => Buffer.from(secret).toString('base64').replace(/.?=*$/, '')],
  [' in Base64', (secret) => Buffer.from(secret).toString('base64url').slice(0, -1)],
  [' in hexadecimal form', (secret) => Buffer.from(secret).toString('hex')],
  [' in the form of a URL', encodeURIComponent],
];

function mapStrings<T>(value: T, map: (text: string) => string): T;
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]));
}
