import * as z from 'zod';
import { FailedRequest } from './http/failure.ts';

/** Describes why a value does not have the form of a schema, in one line. */
export function problemIn(value: unknown, schema: z.ZodType): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? 'unexpected value' : z.prettifyError(error).replace(/\s+/g, ' ');
}

/** A function that reads a value with a schema. It throws `FailedRequest` for one that does not have its form. */
export function readerOf<Schema extends z.ZodType>(schema: Schema): (value: unknown) => z.output<Schema> {
  return (value) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new FailedRequest({ type: 'garbled', detail: problemIn(value, schema) });
  };
}
