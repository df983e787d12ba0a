import type { ExplainedSchema } from './conforms.ts';

/** Explains why a value does not conform to a schema, one problem per line. Loads zod. */
export async function explain(value: unknown, { zod }: ExplainedSchema<unknown>): Promise<string> {
  const [schema, { problemsIn }] = await Promise.all([zod(), import('./data-schema.ts')]);
  return problemsIn(value, schema);
}
