import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { decodePercent } from '../../text.ts';

/** What a reference within the document leads to. */
export function resolve(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#')) return undefined;
  const keys = reference.slice(1).split('/').slice(1);
  return keys.reduce<unknown>((value, key) => {
    const name = decodePercent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) return value[Number(name)];
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
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

/** The value where it is an object, else one without properties. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value where it is a list, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
