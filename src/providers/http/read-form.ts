import { conforms, type ExplainedSchema } from '../../schema/conforms.ts';
import { explain } from '../../schema/explain.ts';
import { FailedRequest } from './failure.ts';

/**
 * Rejects with a `FailedRequest` that says why a value does not conform to a schema. Loads zod, which only an unusual
 * server needs.
 */
export async function garbled(value: unknown, schema: ExplainedSchema<unknown>): Promise<never> {
  throw new FailedRequest({ type: 'garbled', detail: (await explain(value, schema)).replace(/\s+/g, ' ') });
}

/** A function that reads a value of this form. It rejects with `FailedRequest` for any other, see `garbled`. */
export function formReader<Value>(form: ExplainedSchema<Value>): (value: unknown) => Value | Promise<never> {
  return (value) => (conforms(value, form) ? value : garbled(value, form));
}
