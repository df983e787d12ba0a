import * as z from 'zod';
import { meantName } from './meant-name.ts';
import { problemText } from './problem-text.ts';

/** Fields that an object cannot have, but that are meant now and then, each with a `problemText`. */
export type Misplaced = Readonly<Record<string, string>>;

/**
 * An object without further fields, whose error says which one was meant. `also` are fields of another form of the same
 * object, which may have been meant, too.
 */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { also = [], misplaced = {} }: { readonly also?: readonly string[]; readonly misplaced?: Misplaced } = {},
) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownFields(issue.keys, Object.keys(shape), also, misplaced) : undefined,
  });
}

function unknownFields(
  keys: readonly string[],
  fields: readonly string[],
  also: readonly string[],
  misplaced: Misplaced,
): string {
  if (keys.includes('<<')) {
    return problemText(
      'merge keys (<<) are not taken',
      'write the fields out, or make the whole value an alias (*name)',
    );
  }
  const [, said] = Object.entries(misplaced).find(([field]) => keys.includes(field)) ?? [];
  if (said !== undefined) return said;
  const meant = keys.map((key) => ({ key, name: meantName(key, [...fields, ...also]) }));
  const corrections = meant.flatMap(({ key, name }) => (name === undefined ? [] : [{ key, name }]));
  const first = corrections.map(({ key, name }) => `write "${name}" instead of "${key}"`);
  const unknown = meant.filter(({ name }) => name === undefined);
  // The fields of another form are right as soon as its own name is.
  const isOtherForm = corrections.some(({ name }) => also.includes(name));
  const rest = isOtherForm ? [] : unknown.map(({ key }) => `take "${key}" out`);
  const list = unknown.length > 0 && !isOtherForm ? `; the fields here are ${fields.join(', ')}` : '';
  const wrong = isOtherForm ? corrections.map(({ key }) => key) : keys;
  const reason = `there is no field ${wrong.map((key) => `"${key}"`).join(' or ')} here`;
  return problemText(reason, [...first, ...rest].join(', ') + list);
}
