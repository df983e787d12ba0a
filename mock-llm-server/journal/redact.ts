import { escapeForJson } from '../scenario/templates.ts';

/** Replacement for a key. */
export const REDACTED = '[redacted]';

/** A pattern for words in any case. The search below is three times as fast with it as with the flag `i`. */
const anyCase = (words: string) => words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const API_KEY = `${anyCase('api')}[-_]?${anyCase('key')}`;
const PARAMETER = `${anyCase('key')}|${API_KEY}|${anyCase('access_token')}`;

/**
 * Start of a value that may be a key. Code and documentation have references and names such as `${key}`,
 * `process.env.API_KEY` and `ACCESS_TOKEN` in its place, or a word about keys. A dot may end the sentence.
 */
const likeKey = (characters: string) =>
  String.raw`(?![$<{[]|%5[Bb]|(?:process|os|import|ENV)\.|(?:[A-Z_]{1,64}|${WORDS})(?!\.?(?!\.)${characters}))`;
const WORDS = 'certificates|credentials|authentication|authorization';

const KEYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|fk|ghp|gho|ghs|github_pat|glpat|hf|xox[abeprs])[-_][\w-]{8,}/g, REDACTED],
  [/\bAIza[\w-]{20,}/g, REDACTED],
  [/\bAKIA[0-9A-Z]{12,}/g, REDACTED],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  ...(
    [
      [String.raw`\b${anyCase('bearer')}\s+`, String.raw`[\w.~+/=-]`, '{8,}'],
      [String.raw`[?&](?:${PARAMETER})=`, String.raw`[^&\s"'\\]`, '+'],
      [String.raw`(?:${API_KEY}|${anyCase('authorization')})\\?"?\s*[:=]\s*\\?"?`, String.raw`[^\s"'\\,;]`, '{8,}'],
    ] as const
  ).map(([name, characters, count]): [RegExp, string] => [
    new RegExp(`(${name})${likeKey(characters)}${characters}${count}`, 'g'),
    `$1${REDACTED}`,
  ]),
];

/** Matches every text that one of `KEYS` matches, in one search. */
const ANY_KEY = new RegExp(KEYS.map(([{ source }]) => source).join('|'));

/** True if a text holds one of `secrets` or something that looks like an API key. */
export function holdsKey(text: string, secrets: readonly string[] = []): boolean {
  return secrets.some((secret) => text.includes(secret)) || ANY_KEY.test(text);
}

/** The text with `secrets` and everything that looks like an API key replaced. */
export function redact(text: string, secrets: readonly string[] = []): string {
  if (!holdsKey(text, secrets)) return text;
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return KEYS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), clean);
}

/** Characters searched beyond a cut, so that a key across it is recognized: the longest keys are JWTs. */
const MARGIN = 2048;

/**
 * The first characters of the redacted text, usually more than `length`. They end before the last characters searched,
 * which may hold the start of a key, even if redaction shortens what precedes. `secrets` are sorted longest first.
 */
export function redactFirst(text: string, length: number, secrets: readonly string[] = []): string {
  const margin = marginFor(secrets);
  const end = length + 2 * margin;
  return text.length <= end ? redact(text, secrets) : redact(text.slice(0, end), secrets).slice(0, -margin);
}

/** The last characters of the redacted text, at most `length`, found like the first. */
export function redactLast(text: string, length: number, secrets: readonly string[] = []): string {
  const margin = marginFor(secrets);
  const size = length + 2 * margin;
  const end = text.length <= size ? redact(text, secrets) : redact(text.slice(-size), secrets).slice(margin);
  return end.slice(-length);
}

function marginFor([longest = '']: readonly string[]): number {
  return Math.max(MARGIN, longest.length);
}

/**
 * Redacts a text and cuts it to at most `length` characters, `MAX_KEPT` or less, followed by an ellipsis if characters
 * were cut.
 */
export type Redact = (text: string, length?: number) => string;

/** Maximum length of a text in the log and in the journal. */
const MAX_KEPT = 4096;

/** Texts of which at most `length` characters are kept. */
export interface Excerpts {
  readonly texts: readonly string[];
  readonly length: number;
}

/** Characters searched beyond the cut of a text. A word that reaches further is treated as a key. */
const CUT_MARGIN = 64;

/**
 * Creates a `Redact` for `texts` and `excerpts`. It searches the kept parts of all of them at once. `isClean` is true
 * if certainly none of them holds a key, as is nearly always the case.
 */
export function createRedact(
  texts: readonly string[],
  secrets: readonly string[],
  excerpts: readonly Excerpts[] = [],
): { readonly redact: Redact; readonly isClean: boolean } {
  const margin = Math.max(CUT_MARGIN, secrets[0]?.length ?? 0);
  let searched = '';
  let isWordCut = false;
  const search = (text: string, length: number) => {
    if (text.length <= length + margin) {
      searched += `${text}\n`;
      return;
    }
    const start = text.slice(0, length + margin);
    isWordCut ||= !WORD_END.test(start.slice(length));
    searched += `${start}\n`;
  };
  for (const text of texts) search(text, MAX_KEPT);
  for (const { texts: long, length } of excerpts) for (const text of long) search(text, length);
  const isClean = !isWordCut && !holdsKey(searched, secrets);
  const redactAndCut: Redact = (text, length = MAX_KEPT) => {
    if (text.length <= length) return isClean ? text : redact(text, secrets);
    const start = isClean ? text : redactFirst(text, length, secrets);
    return `${copyOf(start.slice(0, length))}…`;
  };
  return { redact: redactAndCut, isClean };
}

/**
 * A copy of a text. A slice would keep the whole text in memory, and an ellipsis that is joined to it before it is
 * copied would double its size.
 */
function copyOf(slice: string): string {
  return ` ${slice}`.slice(1);
}

/** A character that no key contains. */
const WORD_END = /[\s"'\\,;]/;

const KEY_NAME = /key|token|secret|authorization|cookie/i;
/** Minimum length of a secret; shorter values are placeholders such as `unused`. */
const MIN_SECRET = 12;

/** True if a header or query parameter of this name holds a key. */
export function isKeyName(name: string): boolean {
  return KEY_NAME.test(name);
}

/** Headers and keys of a request. Messages must not quote the keys. */
export interface RequestFields {
  /** Names are lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Result of `secretsOf`. */
  readonly secrets?: readonly string[];
}

type Fields = Readonly<Record<string, string>>;

/** The keys in the headers and query parameters of a request, in every form that a text may hold, longest first. */
export function secretsOf(headers: Fields, query: Fields): readonly string[] {
  const found = new Set<string>();
  for (const fields of [headers, query]) {
    for (const name of Object.keys(fields)) {
      const value = fields[name] ?? '';
      if (value.length < MIN_SECRET || !isKeyName(name)) continue;
      for (const candidate of candidatesOf(value)) {
        if (candidate.length >= MIN_SECRET) for (const form of formsOf(candidate)) found.add(form);
      }
    }
  }
  // A key may contain another one, which must not be replaced first.
  return [...found].sort((one, other) => other.length - one.length);
}

/** The credentials after an authentication scheme, or the whole value; the parts as well if there are several words. */
function candidatesOf(value: string): readonly string[] {
  const scheme = /^\S+\s+/.exec(value)?.[0] ?? '';
  const credentials = value.slice(scheme.length);
  if (/^basic\s/i.test(scheme)) {
    const pair = Buffer.from(credentials, 'base64').toString();
    const colon = pair.indexOf(':');
    return [credentials, pair, pair.slice(0, colon), pair.slice(colon + 1)];
  }
  const isOneKey = !/[\s,;="']/.test(credentials) && scheme.length < MIN_SECRET;
  return isOneKey ? [credentials] : [value, credentials, ...value.split(/[\s,;]+/), ...value.split(/[\s,;="']+/)];
}

/** A key verbatim, escaped for JSON, and escaped twice, as in an error that quotes JSON. */
function formsOf(key: string): readonly string[] {
  const quoted = escapeForJson(key);
  return quoted === key ? [key] : [key, quoted, escapeForJson(quoted)];
}
