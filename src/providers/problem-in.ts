import * as z from 'zod';

/** Describes why a value does not have the form of a schema, in one line. */
export function problemIn(value: unknown, schema: z.ZodType): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? 'unexpected value' : z.prettifyError(error).replace(/\s+/g, ' ');
}
