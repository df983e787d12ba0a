import type { Approver, PermissionDecision, PermissionRule } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { PlannedEffect, ToolDefinition, ToolSet } from '../ports/tool.ts';
import type { SessionState } from './session-state.ts';

/** What one run is asked, and the session it goes on from. */
export interface RunInput {
  readonly prompt: string;
  readonly state: SessionState;
  /** Ends the run with outcome `aborted`; the only way a run is stopped. */
  readonly signal: AbortSignal;
}

/** The world as one run needs it. */
export interface AgentPorts {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly approver: Approver;
  readonly clock: Clock;
}

/** Judges a planned call. Pure; `rules` are those the user has added in this session. */
export type Decide = (
  call: { readonly definition: ToolDefinition; readonly effect: PlannedEffect },
  rules: readonly PermissionRule[],
) => PermissionDecision;

/** How runs of a session behave. */
export interface AgentSettings {
  readonly system: string;
  /** How many requests to the model one run may make. */
  readonly maxIterations: number;
  /** Plan every call, run none. */
  readonly dryRun: boolean;
  readonly decide: Decide;
  /** What `session_start` says of the session. */
  readonly session: {
    readonly sessionId: string;
    readonly model: string;
    readonly workspace: string;
    readonly permissionMode: string;
  };
}
