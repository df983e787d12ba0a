/** Texts shorter than this are too common to be taken for a secret. */
const SHORTEST_SECRET = 8;
const REPLACEMENT = '[redacted]';

/**
 * Replaces every occurrence of a known secret, longest first, by `[redacted]`. Applying it twice changes nothing more.
 * Secrets under 8 characters are left alone.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
  if (known.length === 0) return text;
  // What was replaced before comes first, so that a secret like "redacted" does not eat its own replacement.
  const pattern = [REPLACEMENT, ...known].map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return text.replace(new RegExp(pattern, 'g'), REPLACEMENT);
}
