import { errorText } from '../text.ts';
import type { JsonObject } from './conversation.ts';

/** True if a value of a JSON text is an object, neither a list nor null. */
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

/** The value of a JSON text; undefined for any other text. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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

/** A JSON value with each of its strings changed, the names of fields included. */
export function mapStrings<T>(value: T, map: (text: string) => string): T;
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]));
}

/** A place in a JSON value, as `messages[1].tool_calls[0]`; '' is the whole value. */
export function bracketPath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '');
}

/** Maximum depth of nested objects and lists in scenarios; recursion over deeper ones would overflow the stack. */
export const MAX_NESTING = 100;

/** True if a value has more than this many levels of nested objects and lists. */
export function isNestedDeeper(value: unknown, levels = MAX_NESTING): boolean {
  if (Array.isArray(value)) return levels === 0 || value.some((item) => isNestedDeeper(item, levels - 1));
  if (!isJsonObject(value)) return false;
  if (levels === 0) return true;
  // Object.values takes seven times as long, which shows in the time of a large request.
  for (const key in value) if (isNestedDeeper(value[key], levels - 1)) return true;
  return false;
}

/** The type of a value by its name in JSON; `undefined` for an absent one. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
