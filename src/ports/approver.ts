import type { PlannedEffect } from './tool.ts';

/** The permission modes, which settle what the agent may do without asking. */
export const PERMISSION_MODES = ['ask', 'accept-edits', 'read-only', 'full-access'] as const;

/** One of the permission modes. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/**
 * An answer that is kept for the session. Each covers exactly what its text says:
 * - `edit_read_files`: edits of files that were read in this session and have not changed since
 * - `write_directory`: writes of ordinary files beneath a real directory of the workspace
 * - `exact_command`: one command, to the letter, in one real directory
 */
export type PermissionRule =
  | { readonly type: 'edit_read_files' }
  | { readonly type: 'write_directory'; readonly directory: string }
  | { readonly type: 'exact_command'; readonly command: string; readonly workingDirectory: string };

/**
 * What the rules say of a planned call. `rule` names the rule that decided.
 * `offers` is kept when the user answers for the session, `grants` also when the user answers once.
 */
export type PermissionDecision =
  | { readonly type: 'allow'; readonly rule: string }
  | { readonly type: 'deny'; readonly rule: string; readonly reason: string }
  | {
      readonly type: 'ask';
      readonly rule: string;
      readonly reason: string;
      readonly offers?: PermissionRule;
      readonly grants?: PermissionRule;
    };

/** One question to the user: this call, this plan, for this reason. `offers` is the rule that `session` would keep. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly effect: PlannedEffect;
  readonly reason: string;
  readonly offers?: PermissionRule;
}

/** The user's answer; `unavailable` when there is nobody to ask, which counts as no. */
export type ApprovalDecision =
  | { readonly type: 'once' }
  | { readonly type: 'session' }
  | { readonly type: 'deny'; readonly feedback?: string }
  | { readonly type: 'unavailable' };

/** Asks the user. Contract: resolves once, and rejects soon after `signal` aborts. */
export interface Approver {
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
