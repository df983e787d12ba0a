import * as z from 'zod';
import { problemText, strictObject } from '../problems.ts';
import { NonBlank } from './trigger-format.ts';

const RelativePath = NonBlank.refine((path) => !/^([/\\]|[A-Za-z]:)/.test(path), {
  error: problemText('must be a relative path', 'write it relative to the directory of the file'),
});

const ApprovalSchema = z.union([
  z.enum(['once', 'session', 'deny']),
  strictObject({ deny: NonBlank.describe('What the user types in place of a yes; the model reads it') }),
]);

/** A story: the user's side of a scenario, and its expected end. */
export const StorySchema = strictObject({
  prompts: z.array(NonBlank).min(1).describe('What the user types, one prompt per run'),
  approvals: z.array(ApprovalSchema).optional().describe("The user's answers to approval requests, in order"),
  expected_outcome: z
    .enum(['done', 'aborted', 'limit', 'stuck', 'denied', 'failed'])
    .optional()
    .describe('Expected outcome of the last run; `done` by default'),
  permission_mode: z
    .enum(['ask', 'accept-edits', 'read-only', 'full-access'])
    .optional()
    .describe('Permission mode of the runs'),
  workspace: RelativePath.optional().describe(
    'Directory to copy before the first run, relative to the file; by default `workspace` beside it, if that exists',
  ),
  expected: RelativePath.optional().describe(
    'Directory of files that must exist afterwards, byte for byte; by default `expected` beside the file, if that exists',
  ),
  expected_result_contains: z
    .array(NonBlank)
    .optional()
    .describe('Texts that must occur in the tool results that the model receives'),
  tool_protocol: z
    .enum(['native', 'xnl'])
    .optional()
    .describe('Protocol in which the model calls tools: with `xnl`, ybs reads the calls in its text'),
  dry_run: z.boolean().optional().describe('Plans every tool call and runs only those that read'),
});

/** A story in a file. */
export type Story = z.infer<typeof StorySchema>;
