import type { PlannedEffect } from './tool.ts';

/** The permission modes: how much the agent may do without asking. */
export const PERMISSION_MODES = ['ask', 'accept-edits', 'read-only', 'full-access'] as const;

/** One of the permission modes. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The permission levels of a tool, from the least strict to the strictest. */
export const PERMISSION_LEVELS = ['automatic', 'ask_once', 'ask_always', 'denied'] as const;

/** One of the permission levels. */
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/**
 * A stored answer that applies for the rest of the session. Each covers exactly:
 * - `edit_read_files`: edits of files that were read in this session and have not changed since
 * - `write_directory`: writes of new files, and of files that were read in this session and have not changed since,
 *   below a real directory of the workspace
 * - `exact_command`: one literal command in one real directory
 * - `reads_of_tool`: calls of a tool that neither change a file nor run a command
 */
export type PermissionRule =
  | { readonly type: 'edit_read_files' }
  | { readonly type: 'write_directory'; readonly directory: string }
  | { readonly type: 'exact_command'; readonly command: string; readonly workingDirectory: string }
  | { readonly type: 'reads_of_tool'; readonly toolName: string };

/**
 * Decision of the rules on a planned call. `rule` is the name of the rule that decided. The session keeps `offers` only
 * when the user answers for the session.
 */
export type PermissionDecision =
  | { readonly type: 'allow'; readonly rule: string }
  | { readonly type: 'deny'; readonly rule: string; readonly reason: string }
  | {
      readonly type: 'ask';
      readonly rule: string;
      readonly reason: string;
      readonly offers?: PermissionRule;
    };

/** One question to the user. `offers` is the rule that the answer `session` adds. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly effect: PlannedEffect;
  readonly reason: string;
  readonly offers?: PermissionRule;
}

/** The user's answer; `unavailable` when there is nobody to ask, which denies the call. */
export type ApprovalDecision =
  | { readonly type: 'once' }
  | { readonly type: 'session' }
  | { readonly type: 'deny'; readonly feedback?: string }
  | { readonly type: 'unavailable' };

/** Asks the user. Contract: resolves once, and rejects soon after `signal` aborts. */
export interface Approver {
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
