import type * as z from 'zod';
import { parseJson } from '../conversation/json.ts';

/** How deep arrays and objects of a body may be nested; far above what anybody sends, far below what ends a stack. */
const MAX_DEPTH = 1000;

/**
 * The value of a JSON body. Throws a `SyntaxError` for what is none, or nested too deeply to be worked with; it quotes
 * nothing of the body.
 */
export function parseBody(body: string): unknown {
  const value = parseJson(body);
  // Each level has two brackets.
  if (body.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH)) {
    throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
  }
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true;
  }
  return false;
}

/** Where in a request a schema found something: `messages[0].content`. Empty for the request as a whole. */
export function issuePath(issue: z.core.$ZodIssue | undefined): string {
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return path.replace(/^\./, '');
}
