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
