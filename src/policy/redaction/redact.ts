import {
  SECRET_LABELS,
  SECRET_SHAPE_STARTS,
  SECRET_SHAPES,
  SECRET_SHAPES_BEGUN,
  TOKEN_STARTS,
} from './known-secrets.ts';

/** The kinds of secrets, as the marks in their place name them. `secret`: a value that is known to be one. */
type SecretKind = 'secret' | 'key' | 'token' | 'private-key' | 'password' | 'credentials';

/** The mark that replaces a secret. It names the kind, so that it is neither taken for text nor for another secret. */
export function redactionMark(kind: SecretKind): string {
  return `[redacted:${kind}]`;
}

/** Every mark. */
const MARK = /\[redacted:(?:secret|key|token|private-key|password|credentials)\]/g;

export function countMarks(text: string): number {
  return text.match(MARK)?.length ?? 0;
}

/** A value that looks like a secret: with small and capital letters and a digit, or a long number in hexadecimal. */
const VALUE =
  /(?:(?=[a-z\d+/=~-]{0,80}[A-Z])(?=[A-Z\d+/=~-]{0,80}[a-z])(?=[a-zA-Z+/=~-]{0,80}\d)[A-Za-z\d+/=~-]{16,}|[\da-f]{32,})(?![\w.([])/
    .source;

/** Between the name of a secret and its value, which may begin with the name of a scheme: `Authorization: token x`. */
const TO_VALUE = String.raw`["']?\s{0,3}(?:=>|[:=])\s{0,3}["']?(?:[A-Za-z]{1,12}\s)?`;

/** The names of variables that hold a secret, as files with environments write them. */
const VARIABLE = String.raw`[A-Z][A-Z\d_]{0,60}`;
const SECRET_VARIABLE = `${VARIABLE}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)`;

const LABELS = SECRET_LABELS.map((label) =>
  label.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
).join('|');

/** Texts that look like secrets, and their kinds. `$1` stays in front of the mark. Every expression takes linear time. */
const PATTERNS: readonly (readonly [pattern: RegExp, kind: SecretKind])[] = [
  // First, because the end of one may look like a part of another secret.
  [/(-{4,5} ?BEGIN [A-Z\d ]*PRIVATE KEY(?: BLOCK)? ?-{4,5})[\s\S]*?(?=-{4,5} ?END |$)/g, 'private-key'],
  [/(\bPrivate-Lines: \d+)[\s\S]*?(?=\nPrivate-MAC|$)/g, 'private-key'],
  // OpenAI, Anthropic, OpenRouter, Stripe and others; the digit keeps names such as CSS classes.
  [/()\b[spr]k-(?=[\w-]*\d)[\w-]{20,}/g, 'key'],
  // Names of variables and functions begin alike, but have more underscores.
  [/()\b[spr]k_(?:live_|test_)?(?=[A-Za-z\d]{0,80}\d)[A-Za-z\d]{20,}/g, 'key'],
  [/()\bgithub_pat_\w{30,}/g, 'token'],
  [
    new RegExp(
      String.raw`()\b(?:${startsOf('_')})(?=[A-Za-z\d]{0,80}\d)[A-Za-z\d]{22,}[\w=-]*|()\b(?:${startsOf('')})(?=[\w.=-]{0,80}\d)(?:(?=[\w.=-]{0,80}[A-Z])|(?=[\w.=-]{0,24}[a-z\d]{16}))[\w.=-]{16,}`,
      'g',
    ),
    'token',
  ],
  [/()\bxox[abeoprs]-[\w-]{10,}/g, 'token'],
  [/()\bAIza[\w-]{30,}/g, 'key'],
  [/()\bA[KS]IA[0-9A-Z]{16}\b/g, 'key'],
  // A JSON Web Token.
  [/()\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, 'token'],
  // The password of a URL.
  [/(:\/\/[^\s/:@]*:)[^\s/@[\]]{3,}(?=@)/g, 'password'],
  [/(\b(?:bearer|basic)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, 'credentials'],
  ...SECRET_SHAPES.map((shape) => [shape, 'token'] as const),
  [new RegExp(String.raw`(\b(?:${SECRET_VARIABLE}|${LABELS})${TO_VALUE})${VALUE}`, 'g'), 'credentials'],
];

/** The beginnings of tokens that end with `_`, or the others, as an expression. */
function startsOf(end: '_' | ''): string {
  return TOKEN_STARTS.filter((start) => start.endsWith('_') === (end === '_'))
    .map((start) => start.replaceAll('.', String.raw`\.`))
    .join('|');
}

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
  ...['xox', 'aiza', 'akia', 'asia', 'eyj', 'bearer', 'basic', ...SECRET_LABELS],
  ...[...TOKEN_STARTS, ...SECRET_SHAPE_STARTS].map((start) => start.toLowerCase()),
];
const LONGEST_WORD = Math.max(...WORDS.map(({ length }) => length));
/** The proper beginnings of these words. */
const BEGUN_WORDS: ReadonlySet<string> = new Set(
  WORDS.flatMap((word) => [...word].slice(1).map((_, index) => word.slice(0, index + 1))),
);

/** The beginnings and the ends of private keys. */
const PRIVATE_KEYS = [
  ['-----BEGIN ', '-----END '],
  ['---- BEGIN ', '---- END '],
  ['Private-Lines: ', 'Private-MAC'],
] as const;

/** The end of a text that one of the patterns could match, if more follows. */
const UNFINISHED = new RegExp(
  String.raw`(?:\b(?:[spr]k[-_]|${startsOf('_')}|${startsOf('')}|xox|AIza|A[KS]IA|eyJ)[\w.=-]*|:\/\/[^\s/:@]*(?::[^\s/@[\]]*)?|\b(?:bearer|basic)(?:\s+[\w.~+/=-]*)?|${SECRET_SHAPES_BEGUN})$`,
  'i',
);
/** The same for a name with its value. */
const UNFINISHED_VALUE = new RegExp(
  String.raw`\b(?:${VARIABLE}|${LABELS})(?:["']?\s{0,3}(?:(?:=>?|:)\s{0,3}["']?(?:[A-Za-z]{1,12}\s)?[A-Za-z\d+/=~-]*)?)?$`,
);

function unfinishedPattern(text: string): number {
  const offset = Math.max(0, text.length - MAX_UNFINISHED);
  const end = text.slice(offset);
  const found = [UNFINISHED, UNFINISHED_VALUE].map((pattern) => end.search(pattern)).filter((index) => index >= 0);
  return Math.min(
    ...[text.length, begunWord(text), ...found.map((index) => offset + index)],
    ...PRIVATE_KEYS.map(([begin, close]) => text.indexOf(begin, endOfLast(text, close))).filter((index) => index >= 0),
    ...['://', ...PRIVATE_KEYS.map(([begin]) => begin)].map((start) => startOfEnd(text, start)),
  );
}

/** The index at which the beginning of such a word ends the text, or the length of the text. */
function begunWord(text: string): number {
  for (let index = Math.max(0, text.length - LONGEST_WORD); index < text.length; index += 1) {
    const isStart = /\w/.test(text.charAt(index)) && !/\w/.test(text.charAt(index - 1));
    if (isStart && BEGUN_WORDS.has(text.slice(index).toLowerCase())) return index;
  }
  return text.length;
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
