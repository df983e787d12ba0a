import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';

const NONE: readonly JsonObject[] = [];

/** The value as a list; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

/** The value as a list of objects; empty if it is not a list. Other items become empty objects, to keep the indexes. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return NONE;
  return value.every(isJsonObject) ? value : value.map((item) => (isJsonObject(item) ? item : {}));
}

/** The value as an object; an empty one for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value as a text; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function setFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads something from a body once, because several rules need it for each request. */
export function oncePerBody<Read>(read: (body: JsonObject) => Read): (body: JsonObject) => Read {
  const kept = new WeakMap<JsonObject, { readonly value: Read }>();
  return (body) => {
    const known = kept.get(body);
    if (known !== undefined) return known.value;
    const value = read(body);
    kept.set(body, { value });
    return value;
  };
}
