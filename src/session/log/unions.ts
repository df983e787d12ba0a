import * as z from 'zod';
import type { PermissionRule } from '../../agent/ports/approver.ts';
import type { CallErrorCode, RunError } from '../../agent/ports/events.ts';
import type { ModelErrorCode } from '../../agent/ports/language-model.ts';
import type { ImageContent } from '../../agent/ports/messages.ts';

/** A schema of one of these names. The compiler requires all of them, so that a log is never stricter than the events. */
export function oneOf<Name extends string>(names: { readonly [Each in Name]: true }): z.ZodType<Name, Name> {
  return z.enum(Object.keys(names).filter((name): name is Name => Object.hasOwn(names, name)));
}

/** A schema of one of the variants of a tagged union. The compiler requires all of them. */
export const variants = <Union extends { readonly type: string }>(
  schemas: {
    readonly [Type in Union['type']]: z.ZodType<
      Extract<Union, { readonly type: Type }>,
      Extract<Union, { readonly type: Type }>
    >;
  },
): z.ZodType<Union, Union> => z.union(Object.values<z.ZodType<Union, Union>>(schemas));

export const imageType = oneOf<ImageContent['mediaType']>({
  'image/png': true,
  'image/jpeg': true,
  'image/gif': true,
  'image/webp': true,
});

/** The sessions besides this one in which a rule holds. */
export type KeptFor = 'directory' | 'everywhere';

/** A permission rule, as the session logs and the stored approvals have it. */
export const permissionRule = variants<PermissionRule>({
  edit_read_files: z.looseObject({ type: z.literal('edit_read_files') }),
  write_directory: z.looseObject({ type: z.literal('write_directory'), directory: z.string() }),
  exact_command: z.looseObject({ type: z.literal('exact_command'), command: z.string(), workingDirectory: z.string() }),
  command_prefix: z.looseObject({ type: z.literal('command_prefix'), words: z.array(z.string()) }),
  sandboxed_commands: z.looseObject({ type: z.literal('sandboxed_commands') }),
  hosts: z.looseObject({ type: z.literal('hosts'), hosts: z.array(z.string()) }),
  reads_of_tool: z.looseObject({ type: z.literal('reads_of_tool'), toolName: z.string() }),
  mcp: z.looseObject({ type: z.literal('mcp'), server: z.string(), tool: z.string().exactOptional() }),
  file_operations: z.looseObject({ type: z.literal('file_operations'), directory: z.string() }),
});

export const serverCall = z.looseObject({
  server: z.string(),
  tool: z.string().exactOptional(),
  input: z.string(),
  start: z.string().exactOptional(),
  changed: z.literal(true).exactOptional(),
});

const MODEL_ERRORS = {
  auth: true,
  rate_limit: true,
  overloaded: true,
  context_overflow: true,
  network: true,
  unreachable: true,
  bad_request: true,
  cut_off: true,
  incomplete_answer: true,
  budget_spent: true,
  unknown_model: true,
} as const;

/** The code of a failed request to a model. */
export const modelError = oneOf<ModelErrorCode>(MODEL_ERRORS);

export const runError = oneOf<RunError['code']>({
  ...MODEL_ERRORS,
  empty_answer: true,
  answer_cut: true,
  window_full: true,
  answer_too_long: true,
  content_filter: true,
  not_saved: true,
  internal: true,
});

export const callError = oneOf<CallErrorCode>({
  invalid_arguments: true,
  path_outside_workspace: true,
  path_blocked: true,
  not_found: true,
  is_directory: true,
  not_a_directory: true,
  not_a_file: true,
  binary_file: true,
  too_large: true,
  permission_denied: true,
  no_space: true,
  timed_out: true,
  edit_not_found: true,
  edit_ambiguous: true,
  file_changed: true,
  invalid_pattern: true,
  io_error: true,
  redaction_mark: true,
  denied_by_rule: true,
  denied_by_user: true,
  approval_unavailable: true,
  dry_run: true,
  not_started: true,
  interrupted: true,
  internal_error: true,
});

export const sandboxState = z.union([
  z.looseObject({
    type: z.literal('on'),
    program: z.string(),
    lacks: z.array(z.string()).exactOptional(),
    hosts: z.array(z.string()).exactOptional(),
    hidesHome: z.literal(true).exactOptional(),
  }),
  z.looseObject({
    type: z.literal('off'),
    reason: z.string(),
    advice: z.string().exactOptional(),
    chosen: z.literal(true).exactOptional(),
  }),
]);
