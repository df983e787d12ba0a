import * as z from 'zod';
import { dataSchema } from '../../schema/data-schema.ts';

/** The content of `trust.json`: the trusted projects by real path, and when the user declined others. The build replaces this module by its values. */
export const TRUST_FILE = dataSchema(
  z.object({
    version: z.literal(1),
    projects: z.record(
      z.string(),
      z.object({ trusted_at: z.string(), parts: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)) }),
    ),
    declined: z.record(z.string(), z.string()).optional(),
  }),
);
