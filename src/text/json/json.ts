/** Any value that survives `JSON.stringify` followed by `JSON.parse` unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; used for tool arguments, JSON Schemas and event details. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for an object, and not for an array or `null`. The value is JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; `otherwise` for any other text. */
export function jsonOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** The object of a JSON text; empty for any other text. */
export function jsonObjectIn(text: string): JsonObject {
  const value = jsonOr(undefined, text);
  return isJsonObject(value) ? value : {};
}

/** A string of JSON, also without its end, and a bracket. */
const STRING_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gs;

/** True for a JSON text whose arrays and objects are nested deeper than `max`: a value that recursive code cannot take. */
export function nestsDeeper(text: string, max: number): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(STRING_OR_BRACKET)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > max) return true;
  }
  return false;
}
