import type {
  ApprovalDecision,
  ApprovalRequest,
  PermissionDecision,
  PermissionMode,
  PermissionRule,
} from './approver.ts';
import type { Digest } from './digest.ts';
import type { JsonValue } from './json.ts';
import type { FinishReason, ModelErrorCode, ModelEvent, ModelIdentity, TokenUsage } from './language-model.ts';
import type { AssistantMessage, ImageContent, Message, ToolCall } from './messages.ts';
import type { CommandEnd, SandboxState } from './shell.ts';
import type { FileRecord, PlannedEffect, Task, ToolEffect, ToolErrorCode } from './tool.ts';

/** Outcome of a run; the command line maps it to its exit code. */
export type RunOutcome = 'done' | 'aborted' | 'limit' | 'stuck' | 'denied' | 'failed';

/**
 * Outcome of a call. `failed`: the tool reported an error, or its arguments were invalid. `denied`: by a rule or by the
 * user. `not_run`: never started. `interrupted`: stopped while running, effects are possible.
 */
export type CallOutcome = 'ok' | 'failed' | 'denied' | 'not_run' | 'interrupted';

/** Reason of a call that did not run to its end. The text for the model says what happened and what to do next. */
export type CallErrorCode = ToolErrorCode | NotRunCode | 'interrupted' | 'internal_error';
type NotRunCode = 'denied_by_rule' | 'denied_by_user' | 'approval_unavailable' | 'dry_run' | 'not_started';

/**
 * Reason of a failed run: the code is for scripts, the message for people. `not_saved`: an event could not be stored.
 */
export interface RunError {
  readonly code:
    | ModelErrorCode
    | 'empty_answer'
    | 'answer_cut'
    | 'window_full'
    | 'answer_too_long'
    | 'content_filter'
    | 'not_saved'
    | 'internal';
  readonly message: string;
}

/** The part of a call that the model has written so far. */
export interface WrittenCall {
  /** The effect of the tool, if it is known. */
  readonly effect?: ToolEffect;
  /** The name of the tool, and the path among the arguments. */
  readonly name?: string;
  readonly path?: string;
  /** Size of the value that is being written, or was written last, in bytes of UTF-8. */
  readonly size: number;
  /** The end of this value. */
  readonly tail: string;
}

/** A place in the log of a session to which the user has gone back. */
export interface RewindPlace {
  /** The number of prompts in the log before it. Absent if unknown. */
  readonly prompt?: number;
}

/** Effects of a run, from its events and the disk. */
export interface RunReceipt {
  /** The files that the tools wrote and that differ from what they were before the run; no counts for binary files. */
  readonly files: readonly {
    readonly realPath: string;
    readonly change: 'created' | 'changed' | 'deleted' | 'unknown';
    readonly added?: number;
    readonly removed?: number;
  }[];
  readonly commands: readonly { readonly command: string; readonly exit?: CommandEnd }[];
  /**
   * The last test command; absent if a file other than prose was written since.
   * `hidden`: its exit code may be that of another command than the tests, as in `npm test | tail`.
   * `followedBy`: the first command since that may have written files.
   */
  readonly tests?: RunReceipt['commands'][number] & { readonly hidden?: true; readonly followedBy?: string };
}

/**
 * Everything that the agent reports, in the order in which it happened. The state of a session is a fold over these
 * events; terminal, JSON output and tests read the same stream.
 */
export type AgentEvent =
  | {
      readonly type: 'session_start';
      readonly sessionId: string;
      readonly time: string;
      readonly model: string;
      readonly workspace: string;
      readonly permissionMode: string;
      /** The sandbox of commands; absent if it is not known, and in logs of older versions. */
      readonly sandbox?: SandboxState;
    }
  | {
      readonly type: 'user_message';
      readonly text: string;
      /** Pictures for the model. */
      readonly images?: readonly ImageContent[];
      /** See `UserMessage`. */
      readonly reminder?: true;
      readonly file?: string;
      readonly steered?: true;
    }
  | { readonly type: 'turn_start'; readonly turn: number; readonly model: ModelIdentity }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  | {
      /**
       * A piece of the arguments of a call that the model is writing. A `retry` withdraws it, and an answer that is cut
       * never becomes a call. No log keeps it.
       */
      readonly type: 'tool_call_delta';
      /** The id and the name of the call; absent for a text that may be a call or not. */
      readonly callId?: string;
      readonly name?: string;
      readonly text: string;
      /** The arguments that have arrived so far. Added outside of the loop. */
      readonly written?: WrittenCall;
    }
  | {
      readonly type: 'assistant_message';
      readonly message: AssistantMessage;
      readonly finish: FinishReason | 'aborted' | 'failed';
    }
  | {
      readonly type: 'tool_call';
      readonly call: ToolCall;
      /** Absent when the call could not be planned; the result has the reason. */
      readonly effect?: PlannedEffect;
      readonly permission?: PermissionDecision;
    }
  /** The model presents its plan, in plan mode. The approval request follows. */
  | { readonly type: 'plan'; readonly callId: string; readonly text: string }
  | { readonly type: 'approval_request'; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval_decision';
      readonly callId: string;
      readonly decision: ApprovalDecision;
      /** The rule that this answer added to the session, if any. */
      readonly added?: PermissionRule;
    }
  | {
      readonly type: 'tool_output';
      readonly callId: string;
      readonly stream: 'stdout' | 'stderr';
      readonly text: string;
    }
  | {
      readonly type: 'tool_result';
      readonly callId: string;
      readonly toolName: string;
      readonly outcome: CallOutcome;
      /** Absent for a call that ran to its end. */
      readonly code?: CallErrorCode;
      /** The text for the model. */
      readonly content: string;
      /** Pictures for the model. */
      readonly images?: readonly ImageContent[];
      /** The files that the model knows after this call. */
      readonly files?: readonly FileRecord[];
      /** The end of the command or the program of the call. */
      readonly exit?: CommandEnd;
      readonly summary: string;
      readonly durationMs: number;
    }
  | { readonly type: 'tasks'; readonly tasks: readonly Task[] }
  /** The answer of the run in the form that a host requested. */
  | { readonly type: 'answer'; readonly value: JsonValue }
  | ({
      readonly type: 'usage';
      readonly model: ModelIdentity;
      /** Set for a request besides those of the turns. */
      readonly purpose?: 'summary';
    } & TokenUsage)
  | Extract<ModelEvent, { readonly type: 'retry' | 'warning' }>
  | {
      readonly type: 'compaction';
      /** Estimated tokens of the next request, without and with this compaction. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** The messages that replace the history of the session. */
      readonly messages: readonly Message[];
      /** Set if the user has gone back to before a prompt, and nothing is summarized. */
      readonly rewind?: RewindPlace;
    }
  | {
      /** The files that a call is about to write are kept as they are. */
      readonly type: 'checkpoint';
      /** Counted from 1 in the session; `/undo` takes it. */
      readonly number: number;
      readonly callId: string;
      /** With the reason if a file is not kept. */
      readonly files: readonly { readonly realPath: string; readonly problem?: string }[];
    }
  | {
      readonly type: 'commit';
      /** The whole id of the commit. */
      readonly hash: string;
      readonly subject: string;
      /** Paths relative to the root of the repository, with slashes. */
      readonly files: readonly string[];
    }
  | ({ readonly type: 'receipt' } & RunReceipt)
  | {
      /** A call is allowed or denied, before it runs. */
      readonly type: 'decision';
      readonly callId: string;
      readonly verdict: 'allow' | 'deny';
      readonly rule: string;
      /** The name of the row in the table of the rules. */
      readonly decidedBy?: string;
      /** `mode`: the permission mode; `host`: a hook decided, or nobody answered. */
      readonly by: 'rule' | 'mode' | 'user' | 'host';
      /** Digest of the tool, its arguments and its effect; that of the question, if there was one. */
      readonly digest: Digest;
      readonly sandbox: SandboxState['type'];
    }
  | { readonly type: 'turn_end'; readonly turn: number }
  | {
      /** An action of the user without a call of the model, sent before its effect; the rule `blockedBy` forbids it. */
      readonly type: 'user_action';
      readonly action: '/permissions' | '/approvals' | '/undo' | '/rewind' | '/agent' | '!command';
      /** The argument of the action, such as the command. */
      readonly detail: string;
      readonly blockedBy?: string;
      readonly sandbox?: SandboxState['type'];
    }
  /** The next call is decided in this permission mode. `automatic`: the mode of an approved plan ended with its run. */
  | { readonly type: 'permission_mode'; readonly mode: PermissionMode; readonly automatic?: true }
  | { readonly type: 'run_end'; readonly outcome: RunOutcome; readonly message: string; readonly error?: RunError };
