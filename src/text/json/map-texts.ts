import { compareCodePoints } from '../compare-code-points.ts';

/** A JSON value with another text in place of each of its texts, keys included. */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value;
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [map(key), mapTexts(inner, map)]));
}

/** A JSON value with sorted keys, so that equal values are equal texts. */
export function sortKeys<Value>(value: Value): Value;
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => sortKeys(item));
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([left], [right]) => compareCodePoints(left, right));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, sortKeys(inner)]));
}
