import type { JsonObject } from './conversation.ts';

/** What a reference within the document leads to. */
export function resolve(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#')) return undefined;
  const keys = reference.slice(1).split('/').slice(1);
  return keys.reduce<unknown>((value, key) => {
    const name = decode(key).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) return value[Number(name)];
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The types that a schema states, in lower case. */
export function typesOf({ type }: JsonObject): string[] {
  return (Array.isArray(type) ? type : [type]).flatMap((one) => (typeof one === 'string' ? [one.toLowerCase()] : []));
}

/** Gemini writes limits as texts. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether two values are the same as JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') return left === right;
  return JSON.stringify(left) === JSON.stringify(right);
}
