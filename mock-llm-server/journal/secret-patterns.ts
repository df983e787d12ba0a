import { isJsonObject } from '../conversation/json.ts';
import { REDACTED, redact } from './redact.ts';

/**
 * Expressions that match secrets, by name. Each pattern takes linear time. The text of a group named `kept` is no
 * secret. They are stricter than those of `redact`, because files that hold such a text are refused.
 */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'a private key':
    /(?<kept>-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?!\[redacted\])[\s\S]*?(?=-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  'an API key': /\b(?:sk|pk|rk|fk)[-_](?=[\w-]*\d)[\w-]{16,}/g,
  'a GitHub token': /\b(?:gh[opusr]_|github_pat_)\w{20,}/g,
  'a GitLab token': /\bglpat-[\w-]{16,}/g,
  'a Hugging Face token': /\bhf_(?=\w*\d)\w{20,}/g,
  'an npm token': /\bnpm_\w{20,}/g,
  'a Slack token': /\bxox[abeoprs]-[\w-]{8,}/g,
  'a Google API key': /\bAIza[\w-]{30,}/g,
  'an AWS access key': /\bA[KS]IA[0-9A-Z]{16}\b/g,
  'a JSON Web Token': /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  'a bearer token': /(?<kept>\b[Bb](?:earer|EARER)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/g,
  'a password in a URL': /(?<kept>:\/\/[^\s/:@]{1,100}:)[^\s/@[\]"]{3,100}(?=@)/g,
};

/**
 * Redacts a text that is kept in a file: `secrets`, what `redact` finds, and the secrets of the patterns above, whose
 * search takes longer. Idempotent.
 */
export function redactForFile(text: string, secrets: readonly string[] = []): string {
  let rest = redact(text, secrets);
  for (const pattern of Object.values(PATTERNS)) {
    rest = rest.replace(pattern, (...match) => {
      const groups: unknown = match.at(-1);
      const kept = isJsonObject(groups) ? groups['kept'] : undefined;
      return `${typeof kept === 'string' ? kept : ''}${REDACTED}`;
    });
  }
  return rest;
}

/** The name of the first pattern that finds a secret in a text: `a private key`; undefined if none does. */
export function findSecret(text: string): string | undefined {
  return Object.entries(PATTERNS).find(([, pattern]) => text.search(pattern) !== -1)?.[0];
}
