import * as z from 'zod';
import type { CallErrorCode, RunError } from '../../agent/ports/events.ts';
import type { ModelErrorCode } from '../../agent/ports/language-model.ts';

/** One of these names. The compiler requires all of them, so that a log is never stricter than the events. */
export const oneOf = <Name extends string>(names: { readonly [Each in Name]: Each }): z.ZodType<Name, Name> =>
  z.enum(Object.values<Name>(names));

/** The codes of failed requests to a model. */
export const MODEL_ERRORS: { readonly [Code in ModelErrorCode]: Code } = {
  auth: 'auth',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  context_overflow: 'context_overflow',
  network: 'network',
  unreachable: 'unreachable',
  bad_request: 'bad_request',
  cut_off: 'cut_off',
  budget_spent: 'budget_spent',
  unknown_model: 'unknown_model',
};
/** The codes of failed runs. */
export const RUN_ERRORS: { readonly [Code in RunError['code']]: Code } = {
  ...MODEL_ERRORS,
  empty_answer: 'empty_answer',
  answer_cut: 'answer_cut',
  answer_too_long: 'answer_too_long',
  content_filter: 'content_filter',
  not_saved: 'not_saved',
  internal: 'internal',
};
/** The codes of failed calls. */
export const CALL_ERRORS: { readonly [Code in CallErrorCode]: Code } = {
  invalid_arguments: 'invalid_arguments',
  path_outside_workspace: 'path_outside_workspace',
  path_blocked: 'path_blocked',
  not_found: 'not_found',
  is_directory: 'is_directory',
  not_a_directory: 'not_a_directory',
  not_a_file: 'not_a_file',
  binary_file: 'binary_file',
  too_large: 'too_large',
  permission_denied: 'permission_denied',
  no_space: 'no_space',
  timed_out: 'timed_out',
  edit_not_found: 'edit_not_found',
  edit_ambiguous: 'edit_ambiguous',
  file_changed: 'file_changed',
  invalid_pattern: 'invalid_pattern',
  io_error: 'io_error',
  redaction_mark: 'redaction_mark',
  denied_by_rule: 'denied_by_rule',
  denied_by_user: 'denied_by_user',
  approval_unavailable: 'approval_unavailable',
  dry_run: 'dry_run',
  not_started: 'not_started',
  interrupted: 'interrupted',
  internal_error: 'internal_error',
};
