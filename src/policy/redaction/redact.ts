/** The kinds of secrets, as the marks in their place name them. `secret`: a value that is known to be one. */
type SecretKind = 'secret' | 'key' | 'token' | 'private-key' | 'password' | 'credentials';

/** The mark that replaces a secret. It names the kind, so that it is neither taken for text nor for another secret. */
export function redactionMark(kind: SecretKind): string {
  return `[redacted:${kind}]`;
}

/** Every mark. */
const MARK = /\[redacted:(?:secret|key|token|private-key|password|credentials)\]/g;

/** The number of marks in a text. */
export function countMarks(text: string): number {
  return text.match(MARK)?.length ?? 0;
}

/** Texts that look like secrets, and their kinds. `$1` stays in front of the mark. Every expression takes linear time. */
const PATTERNS: readonly (readonly [pattern: RegExp, kind: SecretKind])[] = [
  // First, because the end of one may look like a part of another secret.
  [/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END |$)/g, 'private-key'],
  // OpenAI, Anthropic, OpenRouter, Stripe and others; the digit keeps names such as CSS classes.
  [/()\b[spr]k[-_](?=[\w-]*\d)[\w-]{20,}/g, 'key'],
  // Names of variables and functions begin alike, but have more underscores.
  [/()\b(?:(?:gh[opusr]_|hf_|npm_)[A-Za-z0-9]{30,}|github_pat_\w{30,})/g, 'token'],
  [/()\bglpat-[\w-]{16,}/g, 'token'],
  [/()\bxox[abeoprs]-[\w-]{10,}/g, 'token'],
  [/()\bAIza[\w-]{30,}/g, 'key'],
  [/()\bA[KS]IA[0-9A-Z]{16}\b/g, 'key'],
  // A JSON Web Token.
  [/()\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, 'token'],
  // The password of a URL.
  [/(:\/\/[^\s/:@]*:)[^\s/@[\]]{3,}(?=@)/g, 'password'],
  [/(\b(?:bearer|basic)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, 'credentials'],
];

/** Matches every text that one of the patterns matches, in one search. */
const ANY = new RegExp(PATTERNS.map(([{ source }]) => anyCase(source)).join('|'));

/** Encoded bytes, such as a picture or a signature. They are not searched for patterns, which they match by chance. */
const ENCODED = /^[\w+/=-]{200,}$/;

/** Replaces the given secrets, and everything that looks like a secret, by marks. */
export interface Redactor {
  /** The text with marks in place of secrets. Pure and idempotent. */
  redact(text: string): string;
  /** The index from which a text may hold the beginning of a secret, whose end would be in the text that follows. */
  unfinishedStart(text: string): number;
}

/** The redactor of texts without secrets. */
export const NOTHING_SECRET: Redactor = { redact: (text) => text, unfinishedStart: (text) => text.length };

/** Creates a redactor. Values of `secrets` are also found in Base64, in a URL and in JSON. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((one, other) => other.length - one.length);
  return {
    redact(text) {
      let clean = text;
      for (const form of forms) clean = clean.replaceAll(form, redactionMark('secret'));
      if (ENCODED.test(clean) || !ANY.test(clean)) return clean;
      for (const [pattern, kind] of PATTERNS) clean = clean.replace(pattern, `$1${redactionMark(kind)}`);
      return clean;
    },
    unfinishedStart(text) {
      const ends = forms.map((form) => endOfLast(text, form));
      const started = forms.map((form, index) => startOfEnd(text, form, ends[index]));
      const end = Math.max(0, ...ends);
      // A word begins after a mark, whatever the character before it was.
      const afterMark = end + unfinishedPattern(text.slice(end));
      return Math.min(unfinishedPattern(text), afterMark, ...started);
    },
  };
}

/** The longest text that can wait for the end of a secret, save a private key: a long JSON Web Token. */
const MAX_UNFINISHED = 16 * 1024;

/** The words with which secrets begin, in lower case. */
const WORDS: readonly string[] = [
  ...['s', 'p', 'r'].flatMap((letter) => [`${letter}k-`, `${letter}k_`]),
  ...['o', 'p', 'r', 's', 'u'].map((letter) => `gh${letter}_`),
  ...['github_pat_', 'hf_', 'npm_', 'glpat-', 'xox', 'aiza', 'akia', 'asia', 'eyj', 'bearer', 'basic'],
];
/** The beginning of such a word at the end of a text. */
const BEGUN_WORD = new RegExp(`\\b(?:${beginnings(WORDS).join('|')})$`, 'i');

/** The end of a text that one of the patterns could match, if more follows. */
const UNFINISHED =
  /(?:\b(?:[spr]k[-_]|gh[opusr]_|github_pat_|hf_|npm_|glpat-|xox|AIza|A[KS]IA|eyJ)[\w.-]*|:\/\/[^\s/:@]*(?::[^\s/@[\]]*)?|\b(?:bearer|basic)(?:\s+[\w.~+/=-]*)?)$/i;

function unfinishedPattern(text: string): number {
  const offset = Math.max(0, text.length - MAX_UNFINISHED);
  const end = text.slice(offset);
  const match = end.search(UNFINISHED);
  const key = text.indexOf('-----BEGIN ', endOfLast(text, '-----END '));
  const word = text.search(BEGUN_WORD);
  return Math.min(
    ...[match < 0 ? match : offset + match, key, word].map((start) => (start < 0 ? text.length : start)),
    ...['://', '-----BEGIN '].map((start) => startOfEnd(text, start)),
  );
}

/** The proper beginnings of words, each once. */
function beginnings(words: readonly string[]): readonly string[] {
  return [...new Set(words.flatMap((word) => [...word].map((_, index) => word.slice(0, index))))].filter(Boolean);
}

/** The index at which the longest end of `text` after `from` begins that `secret` goes on from, or the length of `text`. */
function startOfEnd(text: string, secret: string, from = 0): number {
  const first = secret.charAt(0);
  let start = text.indexOf(first, Math.max(from, text.length - secret.length));
  while (start >= 0 && !secret.startsWith(text.slice(start))) start = text.indexOf(first, start + 1);
  return start < 0 ? text.length : start;
}

/** The index at which the last whole `secret` in `text` ends, or 0. */
function endOfLast(text: string, secret: string): number {
  let end = 0;
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, end)) end = at + secret.length;
  return end;
}

const SECRET_NAME = /key|token|secret|passw|passphrase|credential/i;
/** Names of variables that hold a place, not a secret: `SSH_KEY_FILE`. */
const PLACE_NAME = /(?:dir|directory|path|file|sock|home|url)$/i;
/** Shorter values are placeholders. */
const MIN_SECRET = 8;
/** A value of a variable that is only named like a secret, and is a word or a path. */
const PLAIN_VALUE = /^(?:[a-z]{1,15}|[A-Z]{1,15}|\/.*)$/;

/** The secrets in an environment: the values of `variables`, and of all variables that are named like a secret. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value.length < MIN_SECRET) return [];
    const isNamedLike = SECRET_NAME.test(name) && !PLACE_NAME.test(name) && !PLAIN_VALUE.test(value);
    return variables.includes(name) || isNamedLike ? [value] : [];
  });
}

/** A secret as it is, in Base64, in a URL and in JSON. */
function formsOf(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  return [
    secret,
    btoa(String.fromCharCode(...bytes)).replace(/=+$/, ''),
    encodeURIComponent(new TextDecoder().decode(bytes)),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** The expression with `bearer` and `basic`, which no other pattern contains, in any case. */
function anyCase(source: string): string {
  return source.replace(/bearer|basic/g, (word) =>
    word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
  );
}
