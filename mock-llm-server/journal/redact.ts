import { escapeForJson } from '../scenario/templates.ts';

/** What stands in the place of a key. */
export const REDACTED = '[redacted]';

const KEYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|fk|ghp|gho|ghs|github_pat|glpat|hf|xox[abeprs])[-_][\w-]{8,}/g, REDACTED],
  [/\bAIza[\w-]{20,}/g, REDACTED],
  [/\bAKIA[0-9A-Z]{12,}/g, REDACTED],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${REDACTED}`],
  [/([?&](?:key|api[-_]?key|access_token)=)[^&\s"'\\]+/gi, `$1${REDACTED}`],
  [/("?(?:x-api-key|x-goog-api-key|api[-_]?key|authorization)\\?"?\s*[:=]\s*\\?"?)[^\s"'\\,;]{8,}/gi, `$1${REDACTED}`],
];

/** Finds something in every text that one of the others does; nearly always it is the only one that is needed. */
const ANY_KEY = new RegExp(KEYS.map(([{ source }]) => source).join('|'), 'i');

/** The text without what looks like a key, and without `secrets`. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, REDACTED);
  if (!ANY_KEY.test(clean)) return clean;
  return KEYS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), clean);
}

/** A slice of a text holds the whole of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** A key that looks like one is seen as that up to this length, where a text is cut inside of it. */
const MARGIN = 4096;

/**
 * The first `length` characters of a text without keys, and more where there is more: what is cut from it has no part of
 * a key. `secrets` have the longest first.
 */
export function redactFirst(text: string, length: number, secrets: readonly string[] = []): string {
  return redact(text.slice(0, length + marginFor(secrets)), secrets);
}

/** The last `length` characters of a text without keys. `secrets` have the longest first. */
export function redactLast(text: string, length: number, secrets: readonly string[] = []): string {
  return redact(text.slice(-length - marginFor(secrets)), secrets).slice(-length);
}

function marginFor([longest = '']: readonly string[]): number {
  return Math.max(MARGIN, longest.length);
}

/** As `redactFirst`, at most `length` characters and a sign that there was more. */
export function redactStart(text: string, length: number, secrets: readonly string[] = []): string {
  if (text.length <= length) return redact(text, secrets);
  return copyOf(`${redactFirst(text, length, secrets).slice(0, length)}…`);
}

/** Names of headers and of parameters of the query that hold keys. */
const KEY_NAME = /key|token|secret|authorization|cookie/i;
/** What is shorter is a word that stands for a key: `unused`. */
const MIN_SECRET = 12;

/** Whether a header or a parameter of the query is one for keys. */
export function isKeyName(name: string): boolean {
  return KEY_NAME.test(name);
}

/** What a request brings beside its body, keys among it. Names of headers are lower-case. */
export interface RequestFields {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** The keys that a request brings, whatever they look like and in all their forms, the longest first. */
export function secretsOf(
  headers: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): readonly string[] {
  const found = new Set<string>();
  for (const fields of [headers, query]) {
    for (const name of Object.keys(fields)) {
      if (isKeyName(name)) addSecrets(fields[name] ?? '', found);
    }
  }
  const secrets = [...found].filter(({ length }) => length >= MIN_SECRET).flatMap(formsOf);
  // A key may hold another, which would leave the rest of it.
  return secrets.sort((one, other) => other.length - one.length);
}

/** What divides a list of keys, and names from their values. */
const DIVIDER = /[\s,;="']/;
const SCHEME = /^(\S+)\s+/;

/** Adds what may be the key in a value: all of it, what follows a scheme, and every part. */
function addSecrets(value: string, found: Set<string>): void {
  const [start = '', scheme = ''] = SCHEME.exec(value) ?? [];
  const rest = value.slice(start.length);
  found.add(rest);
  if (scheme.toLowerCase() === 'basic') addCredentials(rest, found);
  if (!DIVIDER.test(rest) && start.length < MIN_SECRET) return;
  found.add(value);
  for (const word of value.split(/[\s,;]+/)) {
    found.add(word);
    for (const part of word.split(/[="']+/)) found.add(part);
  }
}

/** User and password, as the scheme `Basic` has them. */
function addCredentials(encoded: string, found: Set<string>): void {
  const credentials = Buffer.from(encoded, 'base64').toString();
  const colon = credentials.indexOf(':');
  found
    .add(credentials)
    .add(credentials.slice(0, colon))
    .add(credentials.slice(colon + 1));
}

/** A key as it is, in a JSON text, and in a JSON text that holds that one: an error with a quotation, in a body. */
function formsOf(key: string): readonly string[] {
  const quoted = escapeForJson(key);
  return quoted === key ? [key] : [key, quoted, escapeForJson(quoted)];
}
