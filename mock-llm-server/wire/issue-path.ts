import type * as z from 'zod';

/** Where in a request a schema found something: `messages[0].content`. Empty for the request as a whole. */
export function issuePath(issue: z.core.$ZodIssue | undefined): string {
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return path.replace(/^\./, '');
}
