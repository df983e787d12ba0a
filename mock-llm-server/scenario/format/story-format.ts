import * as z from 'zod';
import { checked, strictObject } from './strict-object.ts';
import { ConditionSchema, NonBlank } from './trigger-format.ts';
import { CHECK_SECONDS } from './values.ts';

const RelativePath = checked(NonBlank, 'relative_path');

const ApprovalSchema = z.union([
  z.enum(['once', 'all', 'session', 'directory', 'workspace', 'prefix', 'sandbox', 'hosts', 'deny', 'timeout']),
  strictObject({ deny: NonBlank.describe('Text that the user types instead of yes; the model reads it') }),
  strictObject({ edit: NonBlank.describe('Command that the user types instead of the one in question') }),
]);

const CheckSchema = z.union([
  NonBlank,
  strictObject({
    command: NonBlank.describe('The command, as one would type it in the workspace'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(3_600)
      .optional()
      .describe(`Maximum time of the command; ${CHECK_SECONDS} by default`),
  }),
]);

const LimitsSchema = checked(
  strictObject({
    turns: z.int().min(1).optional().describe('Maximum number of requests to the model in all runs'),
    tokens: z.int().min(1).optional().describe('Maximum number of tokens of all requests and answers'),
  }),
  'limits',
);

const ForbidSchema = checked(
  strictObject({
    files: z.array(NonBlank).optional().describe('Patterns of the files that must not be created, changed or removed'),
    commands: z
      .array(ConditionSchema)
      .optional()
      .describe('Texts or expressions that no command that the agent runs may contain'),
  }),
  'forbid',
);

const PolicySchema = z.union([
  z.literal('always'),
  strictObject({
    usually: z.number().gt(0).max(1).describe('Fraction of the runs that must pass, such as 0.9'),
    runs: z.int().min(1).max(10_000).optional().describe('Number of runs, unless `--runs` names one'),
  }),
]);

/** A story: the user's side of a scenario, and its expected end. */
export const StorySchema = strictObject({
  prompts: z
    .array(NonBlank)
    .min(1)
    .describe('Texts that the user types in the chat: prompts, one per run, and commands such as `/rewind 1`'),
  approvals: z.array(ApprovalSchema).optional().describe("The user's answers to approval requests, in order"),
  session: RelativePath.optional().describe(
    'Log of a session that the first run resumes, as `ybs --resume` does, relative to the file',
  ),
  interrupt: z
    .enum(['answer', 'tool_call'])
    .optional()
    .describe(
      'Point at which the user presses Ctrl-C in the first run: its first text, or the start of its first tool call',
    ),
  expected_outcome: z
    .enum(['done', 'aborted', 'limit', 'stuck', 'denied', 'failed'])
    .optional()
    .describe('Expected outcome of the last run; `done` by default'),
  permission_mode: z
    .enum(['ask', 'accept-edits', 'plan', 'read-only', 'full-access'])
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
  expected_warning_contains: z
    .array(NonBlank)
    .optional()
    .describe('Texts that must occur in the warnings of the runs; for ybs only'),
  check: z
    .array(CheckSchema)
    .optional()
    .describe(
      'Commands that must succeed afterwards; without a directory of expected files, only they check the files',
    ),
  limits: LimitsSchema.optional().describe('Limits on the work of the agent'),
  forbid: ForbidSchema.optional().describe('Changes and commands that must not happen'),
  policy: PolicySchema.optional().describe(
    'When `ybs eval` passes: `always` (the default) requires every run to pass, `usually` a fraction of the runs',
  ),
  tool_protocol: z
    .enum(['native', 'xnl'])
    .optional()
    .describe('Protocol in which the model calls tools: with `xnl`, ybs reads the calls in its text'),
  dry_run: z.boolean().optional().describe('Plans every tool call and runs only those that read'),
  trust: z
    .boolean()
    .optional()
    .describe('Whether the user trusts the workspace: `true` by default; with `false`, nothing of it takes effect'),
  sandbox: z
    .enum(['off', 'required'])
    .optional()
    .describe(
      'Whether commands run in the sandbox: `off` by default, so that a story replays alike everywhere; a story with `required` is skipped where there is none',
    ),
});

export type Story = z.infer<typeof StorySchema>;
