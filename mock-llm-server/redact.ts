const KEYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|fk|ghp|gho|ghs|github_pat|glpat|hf|xox[abeprs])[-_][\w-]{8,}/g, '[redacted]'],
  [/\bAIza[\w-]{20,}/g, '[redacted]'],
  [/\bAKIA[0-9A-Z]{12,}/g, '[redacted]'],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[redacted]'],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/([?&](?:key|api[-_]?key|access_token)=)[^&\s"'\\]+/gi, '$1[redacted]'],
  [/("?(?:x-api-key|x-goog-api-key|api[-_]?key|authorization)\\?"?\s*[:=]\s*\\?"?)[^\s"'\\,;]{8,}/gi, '$1[redacted]'],
];

/** Finds something in every text that one of the others does; nearly always it is the only one that is needed. */
const ANY_KEY = new RegExp(KEYS.map(([{ source }]) => source).join('|'), 'i');

/** The text without what looks like a key, and without `secrets`. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
  if (!ANY_KEY.test(clean)) return clean;
  return KEYS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), clean);
}

/** The start of a text, at most `length` characters and a sign that there was more. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : copyOf(`${text.slice(0, length)}…`);
}

/** A slice of a text holds the whole of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** A key that long is seen as one where a text is cut inside of it. */
const MARGIN = 4096;

/** The start of a text without keys, at most `length` characters and a sign that there was more. */
export function redactStart(text: string, length: number, secrets: readonly string[] = []): string {
  if (text.length <= length) return redact(text, secrets);
  return copyOf(`${redact(text.slice(0, length + MARGIN), secrets).slice(0, length)}…`);
}

const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];
/** What is shorter is a word that stands for a key: `unused`. */
const MIN_SECRET = 12;

/** The keys that a request brings, whatever they look like. Names of headers are lower-case. */
export function secretsOf(
  headers: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): readonly string[] {
  const secrets: string[] = [];
  for (const name of KEY_HEADERS) {
    const value = headers[name]?.replace(/^\S+ +/, '');
    if (value !== undefined && value.length >= MIN_SECRET) secrets.push(value);
  }
  const { key } = query;
  return key !== undefined && key.length >= MIN_SECRET ? [...secrets, key] : secrets;
}
