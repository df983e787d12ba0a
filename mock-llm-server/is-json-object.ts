import type { JsonObject } from './conversation.ts';

/** Whether a value of a JSON text is an object: no list, and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
