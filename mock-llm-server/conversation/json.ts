import { errorText } from '../text.ts';
import type { JsonObject } from './conversation.ts';

/** Whether a value of a JSON text is an object, neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `JSON.parse` with a `SyntaxError` that quotes nothing of the text: redaction would not recognize half a key. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(errorText(error).replace(QUOTE, '$1 in JSON'));
  }
}

/** The quotation that follows the character at fault. */
const QUOTE = /^(Unexpected token '[\s\S]'), [\s\S]*$/;

/** Message of the syntax error in a JSON text; undefined if it has none. */
export function jsonErrorOf(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** Maximum depth of nested objects and lists in scenarios; recursion over deeper ones would overflow the stack. */
export const MAX_NESTING = 100;

/** The start of the path to a value that is nested deeper than `MAX_NESTING`; undefined if there is none. Pure. */
export function findDeepNesting(value: unknown, maxKeys = 8): readonly PropertyKey[] | undefined {
  const path: PropertyKey[] = [];
  const isTooDeep = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return false;
    if (path.length >= MAX_NESTING) return true;
    const isList = Array.isArray(inner);
    for (const [key, item] of Object.entries(inner)) {
      path.push(isList ? Number(key) : key);
      if (isTooDeep(item)) return true;
      path.pop();
    }
    return false;
  };
  return isTooDeep(value) ? path.slice(0, maxKeys) : undefined;
}
