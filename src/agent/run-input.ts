import type { Approver, PermissionDecision, PermissionRule } from './ports/approver.ts';
import type { Clock } from './ports/clock.ts';
import type { ComputeDigest } from './ports/digest.ts';
import type { AgentEvent } from './ports/events.ts';
import type { LanguageModel, ModelRequest } from './ports/language-model.ts';
import type { AttachedFile, ImageContent, Message } from './ports/messages.ts';
import type { PlannedEffect, ToolDefinition, ToolSet } from './ports/tool.ts';
import { repairHistory } from './repair-history.ts';
import type { SessionState } from './session-state.ts';

/** One user request. */
export interface RunInput {
  readonly prompt: string;
  /** Pictures that belong to the prompt. */
  readonly images?: readonly ImageContent[] | undefined;
  /** Files named in the prompt; sent before it. */
  readonly files?: readonly AttachedFile[] | undefined;
  /** Takes the messages that the user has sent since the run began. Called before each request, of which they become a part. */
  readonly takeMessages?: (() => readonly string[]) | undefined;
  /** The session that the run continues. `runAgent` updates `state` before it yields an event. */
  readonly session: { state: SessionState };
  /** Ends the run with outcome `aborted`; the only way to stop a run. */
  readonly signal: AbortSignal;
}

/** The ports of one run. */
export interface AgentPorts {
  readonly model: LanguageModel;
  /** Writes the summaries of long conversations, instead of `model`. */
  readonly smallModel?: LanguageModel | undefined;
  readonly tools: ToolSet;
  readonly approver: Approver;
  readonly clock: Clock;
  readonly digest: ComputeDigest;
}

/** The events of an operation, and its result. */
export type EventStream<Result = void> = AsyncGenerator<AgentEvent, Result, void>;

/** A run and the parts that it needs. */
export interface RunContext {
  readonly input: RunInput;
  readonly ports: AgentPorts;
  readonly settings: AgentSettings;
}

/** Decides on a planned call. Pure; `rules` are those that the user's answers have added in this session. */
export type Decide = (
  call: { readonly definition: ToolDefinition; readonly effect: PlannedEffect },
  rules: readonly PermissionRule[],
) => PermissionDecision;

/** A request that is about to be sent, apart from its messages. */
export interface NextRequest extends Pick<ModelRequest, 'system' | 'tools'> {
  readonly model: LanguageModel;
  /** Writes summaries instead of `model`. */
  readonly smallModel?: LanguageModel | undefined;
  /** Reason to shorten what seems to fit: the user asked, or the provider refused the request as too long. */
  readonly shorten?: 'command' | 'overflow' | undefined;
}

/**
 * Prepares one request to the model: returns its messages, which must be a valid history. It may send requests to a
 * model itself. Its events become part of the run: each is folded into the session before the next step. The run
 * abandons it when `signal` aborts; an error ends the run as failed.
 */
export type PrepareRequest = (
  state: SessionState,
  request: NextRequest,
  signal: AbortSignal,
) => EventStream<readonly Message[]>;

/** Prepares a request with the whole history, repaired. */
export const sendWholeHistory: PrepareRequest = async function* (state) {
  return repairHistory(state.messages);
};

/** Settings of all runs of a session. */
export interface AgentSettings {
  readonly system: string;
  /** Maximum number of requests to the model in one run. */
  readonly maxIterations: number;
  /** If true, calls that do not only read are planned and not run. */
  readonly dryRun: boolean;
  readonly decide: Decide;
  readonly prepareRequest: PrepareRequest;
  /** The details of the `session_start` event. Absent: a session has no such event. */
  readonly session?: Omit<Extract<AgentEvent, { type: 'session_start' }>, 'type' | 'time'> | undefined;
}
