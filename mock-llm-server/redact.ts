const KEYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|fk|ghp|gho|ghs|github_pat|glpat|hf|xox[abeprs])[-_][\w-]{8,}/g, '[redacted]'],
  [/\bAIza[\w-]{20,}/g, '[redacted]'],
  [/\bAKIA[0-9A-Z]{12,}/g, '[redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[redacted]'],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/([?&](?:key|api[-_]?key|access_token)=)[^&\s"'\\]+/gi, '$1[redacted]'],
  [/("?(?:x-api-key|x-goog-api-key|api[-_]key|authorization)\\?"?\s*[:=]\s*\\?"?)[^\s"'\\,;]{8,}/gi, '$1[redacted]'],
];

/** Finds something in every text that one of the others does; nearly always it is the only one that is needed. */
const ANY_KEY = new RegExp(KEYS.map(([{ source }]) => source).join('|'), 'i');

/** The text without what looks like a key. */
export function redact(text: string): string {
  if (!ANY_KEY.test(text)) return text;
  return KEYS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
