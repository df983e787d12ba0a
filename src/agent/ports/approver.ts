import type { Digest } from './digest.ts';
import type { JsonObject } from './json.ts';
import type { SandboxState } from './shell.ts';
import type { PlannedEffect } from './tool.ts';

/** The permission modes: how much the agent may do without asking. */
export const PERMISSION_MODES = ['ask', 'accept-edits', 'plan', 'read-only', 'full-access'] as const;

/** One of the permission modes. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** The permission levels of a tool, from the least strict to the strictest. */
export const PERMISSION_LEVELS = ['automatic', 'ask_once', 'ask_always', 'denied'] as const;

/** One of the permission levels. */
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/**
 * A stored answer that applies for the rest of the session. Each covers exactly:
 * - `edit_read_files`: edits of files that were read in this session and have not changed since
 * - `write_directory`: the same for writes below a real directory of the workspace, and new files there
 * - `exact_command`: one literal command in one real directory
 * - `reads_of_tool`: calls of a tool that neither change a file nor run a command; `mcp`: those of a server, or of one tool
 * - `command_prefix`: plain commands of which each begins with these words
 * - `sandboxed_commands`: commands in the sandbox, also of code that the model wrote; no network, nothing that destroys
 * - `hosts`: no call by itself; commands in the sandbox reach these servers
 * - `file_operations`: calls that change files below a real directory of the workspace, also files that were not read
 */
export type PermissionRule =
  | { readonly type: 'edit_read_files' }
  | { readonly type: 'write_directory'; readonly directory: string }
  | { readonly type: 'exact_command'; readonly command: string; readonly workingDirectory: string }
  | { readonly type: 'command_prefix'; readonly words: readonly string[] }
  | { readonly type: 'sandboxed_commands' }
  | { readonly type: 'hosts'; readonly hosts: readonly string[] }
  | { readonly type: 'reads_of_tool'; readonly toolName: string }
  | { readonly type: 'mcp'; readonly server: string; readonly tool?: string }
  | { readonly type: 'file_operations'; readonly directory: string };

/** The facts of a question that the rules know: the rules that it offers to add to the session, and the sandbox. */
export interface QuestionFacts {
  /** For a command or program: the sandbox that it would run in. */
  readonly sandbox?: SandboxState;
  /** The rule of the answer `session`. */
  readonly offers?: PermissionRule;
  /** The rule of the answer `session` for the directory. */
  readonly offersDirectory?: PermissionRule;
  /** Other rules that the answer `session` may name; the user may change the words of `command_prefix`. */
  readonly offersMore?: readonly PermissionRule[];
}

/**
 * Decision of the rules on a planned call. `rule` names for people what the decision rests on, such as a setting;
 * `decidedBy` is the name of the row in the table of the rules. Absent in logs of older versions.
 */
export type PermissionDecision = { readonly rule: string; readonly decidedBy?: string } & (
  | { readonly type: 'allow'; readonly inView?: true }
  | { readonly type: 'deny'; readonly reason: string }
  | ({ readonly type: 'ask'; readonly reason: string } & QuestionFacts)
);

/** The name of the rule of a call that a hook has decided. */
export const HOOK_RULE = 'hook';

/** One question to the user. */
export interface ApprovalRequest extends QuestionFacts {
  readonly callId: string;
  readonly toolName: string;
  readonly effect: PlannedEffect;
  readonly reason: string;
  /**
   * Digest of the tool, its arguments and the effect. A yes holds for the plan with this digest only. Absent in logs of
   * older versions.
   */
  readonly digest?: Digest;
  /** The answer `edit` can replace the command. */
  readonly editable?: true;
  /** The questions about later calls of the same answer of the model, which a yes to all answers, too. */
  readonly pending?: readonly ApprovalRequest[];
}

/**
 * The user's answer. `once` with `all` is a yes to the pending questions, too; with `mode` it says how to carry out a
 * plan, which is `ask` without it; `session` adds the `rule`, or else the offered one, and `keep`s it for later sessions;
 * `edit` replaces the command, and `change` all arguments: the call is then planned and checked again, which may ask
 * again; the model sees what was changed as `shown`. `unavailable` denies the call: nobody can be asked, nobody answered
 * within `afterSeconds`, or the `host` closed its input.
 */
export type ApprovalDecision =
  | { readonly type: 'once'; readonly all?: true; readonly mode?: PermissionMode }
  | { readonly type: 'session'; readonly rule?: PermissionRule; readonly keep?: 'directory' | 'everywhere' }
  | CallEdit
  | { readonly type: 'deny'; readonly feedback?: string }
  | { readonly type: 'unavailable'; readonly afterSeconds?: number; readonly host?: true };

/** An answer that changes a call. */
export type CallEdit =
  | { readonly type: 'edit'; readonly command: string; readonly shown?: string }
  | { readonly type: 'change'; readonly arguments: JsonObject; readonly shown?: string };

/** Asks the user. Contract: resolves once, and rejects soon after `signal` aborts. */
export interface Approver {
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
