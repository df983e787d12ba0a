import { isJsonObject } from '../conversation/json.ts';
import { REDACTED, redact, secretsOf } from '../journal/redact.ts';

/** What secrets look like, by name. Each pattern takes linear time. The text of a group named `kept` is no secret. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'a private key':
    /(?<kept>-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?!\[redacted\])[\s\S]*?(?=-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  'an API key': /\b(?:sk|pk|rk|fk)[-_][\w-]{8,}/g,
  'a GitHub token': /\b(?:gh[opusr]_|github_pat_)\w{8,}/g,
  'a GitLab token': /\bglpat-[\w-]{8,}/g,
  'a Hugging Face token': /\bhf_\w{8,}/g,
  'an npm token': /\bnpm_\w{20,}/g,
  'a Slack token': /\bxox[abeoprs]-[\w-]{8,}/g,
  'a Google API key': /\bAIza[\w-]{20,}/g,
  'an AWS access key': /\bA[KS]IA[0-9A-Z]{12,}/g,
  'a JSON Web Token': /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  'a bearer token': /(?<kept>\b[Bb](?:earer|EARER)\s+)[\w.~+/=-]{8,}/g,
  'a password in a URL': /(?<kept>:\/\/[^\s/:@]{1,100}:)[^\s/@[\]]{3,100}(?=@)/g,
};

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
  const clean = (text: string): string => {
    let rest = redact(text, sorted);
    for (const pattern of Object.values(PATTERNS)) {
      rest = rest.replace(pattern, (...match) => {
        const groups: unknown = match.at(-1);
        const kept = isJsonObject(groups) ? groups['kept'] : undefined;
        return `${typeof kept === 'string' ? kept : ''}${REDACTED}`;
      });
    }
    return rest;
  };
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
      for (const [name, pattern] of Object.entries(PATTERNS)) if (text.search(pattern) !== -1) return name;
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
