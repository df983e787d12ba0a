import { mapStrings } from '../conversation/json.ts';
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
  /** Kinds of the forms of all secrets. */
  const forms = new Map<string, string>();
  let sorted: readonly string[] = [];
  const add = (secrets: readonly string[]): void => {
    const before = forms.size;
    for (const [form, kind] of secrets.flatMap(formsOf)) if (!forms.has(form)) forms.set(form, kind);
    // A form may contain another one, which must not be replaced first.
    if (forms.size > before) sorted = [...forms.keys()].sort((one, other) => other.length - one.length);
  };
  add(known.filter((secret) => secret.length >= MIN_SECRET));
  const clean = (text: string): string => redactForFile(text, sorted);
  return {
    learn: (headers, query) => add(secretsOf(headers, query)),
    text: clean,
    value: (value) => mapStrings(value, clean),
    find(text) {
      const form = sorted.find((each) => text.includes(each));
      return findSecret(text) ?? (form === undefined ? undefined : `a key of a request${forms.get(form)}`);
    },
  };
}

/** Shorter values are placeholders. */
const MIN_SECRET = 8;

/** Forms of a secret that a text may hold, each with its kind: the secret itself first. */
function formsOf(secret: string): readonly (readonly [form: string, kind: string])[] {
  const hex = Buffer.from(secret).toString('hex');
  const inUrl = encodeURIComponent(secret);
  const lowerInUrl = inUrl.replaceAll(/%../g, (byte) => byte.toLowerCase());
  return [
    [secret, ''],
    ...[0, 1, 2].flatMap((offset) => base64Forms(secret, offset)),
    ...[hex, hex.toUpperCase()].map((form) => [form, ' in hexadecimal form'] as const),
    ...[inUrl, lowerInUrl].map((form) => [form, ' in the form of a URL'] as const),
  ];
}

/** The characters that a secret alone decides in a longer text in Base64, which has `offset` bytes before it. */
function base64Forms(secret: string, offset: number): readonly (readonly [form: string, kind: string])[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return (['base64', 'base64url'] as const).map((encoding) => {
    return [bytes.toString(encoding).slice(start, end), ' in Base64'];
  });
}
