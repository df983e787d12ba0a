import type * as z from 'zod';
import { conforms, type DataSchema } from '../../schema/conforms.ts';
import { FailedRequest } from './failure.ts';

/**
 * Rejects with a `FailedRequest` that says why a value does not have the form of a schema. Loads zod, which only an
 * unusual server needs.
 */
export async function garbled(value: unknown, loadSchema: () => Promise<z.ZodType>): Promise<never> {
  const [schema, { problemIn }] = await Promise.all([loadSchema(), import('../problem-in.ts')]);
  throw new FailedRequest({ type: 'garbled', detail: problemIn(value, schema) });
}

/** A function that reads a value of this form. It rejects with `FailedRequest` for any other, see `garbled`. */
export function formReader<Value>(
  form: DataSchema<Value>,
  loadSchema: () => Promise<z.ZodType>,
): (value: unknown) => Value | Promise<never> {
  return (value) => (conforms(value, form) ? value : garbled(value, loadSchema));
}
