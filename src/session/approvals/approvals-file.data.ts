import * as z from 'zod';
import { dataSchema } from '../../schema/data-schema.ts';
import { rule } from './rule-schema.ts';

const approvalsFile = z.object({ version: z.literal(1), workspace: z.string(), rules: z.array(rule) });

/** The approvals that are kept for a workspace, a real path. */
export type ApprovalsFile = z.infer<typeof approvalsFile>;

/** The content of their file. The build replaces this module by its values. */
export const APPROVALS_FILE = dataSchema<ApprovalsFile>(approvalsFile);
