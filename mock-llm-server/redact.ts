const KEYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk|fk|ghp|gho|ghs|github_pat|glpat|hf|xox[abeprs])[-_][\w-]{8,}/g, '[redacted]'],
  [/\bAIza[\w-]{20,}/g, '[redacted]'],
  [/\bAKIA[0-9A-Z]{12,}/g, '[redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[redacted]'],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, '$1[redacted]'],
  [/([?&](?:key|api[-_]?key|access_token)=)[^&\s"'\\]+/gi, '$1[redacted]'],
  [/("?(?:x-api-key|x-goog-api-key|api[-_]key|authorization)\\?"?\s*[:=]\s*\\?"?)[^\s"'\\,;]{8,}/gi, '$1[redacted]'],
];

/** The text without what looks like a key. */
export function redact(text: string): string {
  return KEYS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
