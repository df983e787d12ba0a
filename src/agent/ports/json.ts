/** Any value that survives `JSON.stringify` followed by `JSON.parse` unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; used for tool arguments, JSON Schemas and event details. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
