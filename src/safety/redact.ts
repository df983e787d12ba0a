/** The text that replaces a secret. */
export const REDACTED = '[redacted]';

/** What secrets look like, and what remains of each. Every expression takes linear time. */
const PATTERNS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // OpenAI, Anthropic, OpenRouter, Stripe and others; the digit keeps names such as CSS classes.
  [/\b[spr]k[-_](?=[\w-]*\d)[\w-]{20,}/g, REDACTED],
  [/\b(?:gh[opusr]_|github_pat_|hf_|npm_)\w{20,}/g, REDACTED],
  [/\bglpat-[\w-]{16,}/g, REDACTED],
  [/\bxox[abeoprs]-[\w-]{10,}/g, REDACTED],
  [/\bAIza[\w-]{30,}/g, REDACTED],
  [/\bA[KS]IA[0-9A-Z]{16}\b/g, REDACTED],
  // A JSON Web Token.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END [A-Z ]*PRIVATE KEY-----|$)/g, `$1${REDACTED}`],
  // The password of a URL.
  [/(:\/\/[^\s/:@]+:)[^\s/@[\]]{3,}(?=@)/g, `$1${REDACTED}`],
  [/(\b(?:bearer|basic)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, `$1${REDACTED}`],
];

/** Matches every text that one of the patterns matches, in one search. */
const ANY = new RegExp(PATTERNS.map(([{ source }]) => anyCase(source)).join('|'));

/** Encoded bytes, such as a picture or a signature. They are not searched for patterns, which they match by chance. */
const ENCODED = /^[\w+/=-]{200,}$/;

/**
 * Creates a function that replaces the given secrets, and everything that looks like a secret, in a text. Pure and
 * idempotent.
 */
export function createRedact(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((one, other) => other.length - one.length);
  return (text) => {
    let clean = text;
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, REDACTED);
    if (ENCODED.test(clean) || !ANY.test(clean)) return clean;
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
    return clean;
  };
}

const SECRET_NAME = /key|token|secret|passw|passphrase|credential/i;
/** Names of variables that hold a place, not a secret: `SSH_KEY_FILE`. */
const PLACE_NAME = /(?:dir|directory|path|file|sock|home|url)$/i;
/** Shorter values are placeholders. */
const MIN_SECRET = 8;

/** The secrets in an environment: the values of `variables`, and of all variables that are named like a secret. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const isSecret = variables.includes(name) || (SECRET_NAME.test(name) && !PLACE_NAME.test(name));
    return isSecret && value.length >= MIN_SECRET ? [value] : [];
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
