import * as z from 'zod';
import { dataSchema } from '../../schema/data-schema.ts';

const writtenFile = z.object({ version: z.literal(1), workspace: z.string(), files: z.array(z.string()) });

/** The files that sessions in a workspace have written; all are real paths. */
export type WrittenFile = z.infer<typeof writtenFile>;

/** The content of their file. The build replaces this module by its values. */
export const WRITTEN_FILE = dataSchema<WrittenFile>(writtenFile);
