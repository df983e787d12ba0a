import type { Message, ProviderState } from './messages.ts';
import type { ToolDefinition } from './tool.ts';

/** Amounts of reasoning before an answer; each wire maps them to its own setting. */
export const REASONING_EFFORTS = ['none', 'low', 'medium', 'high'] as const;

/** One of `REASONING_EFFORTS`. */
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** One request to a model. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

/**
 * Reason why the model stopped. `window`: the answer was cut because the context window is full, not because of the
 * output limit; `paused`: the same answer goes on with the next request; `unknown`: a reason of the provider that is not
 * among these, with which the answer is not complete.
 */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'window' | 'paused' | 'content_filter' | 'unknown';

/** Tokens of one request, as counted by the provider. */
export interface TokenUsage {
  /** All tokens of the request, including those that the provider read from its cache. */
  readonly inputTokens: number;
  /** All tokens of the answer, including its reasoning. */
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from the provider's cache, if the provider reports it. */
  readonly cachedTokens?: number;
}

/** The names of a model: `ollama`, `ollama-chat`, `qwen3:14b`. */
export interface ModelIdentity {
  readonly provider: string;
  readonly wire: string;
  readonly model: string;
}

/** Limits of the size of requests and answers, as far as they are known. */
export interface ContextWindow {
  /** The number of tokens that a request and its answer may have together; absent: unknown. */
  readonly tokens?: number;
  /** The longest answer, in tokens. */
  readonly answerTokens?: number;
  /** A warning for the user about the window. */
  readonly warning?: string;
  /** The server says that the model cannot call tools. */
  readonly lacksTools?: true;
}

/**
 * Reason for a failed request. `unreachable`: the server, which belongs on this machine, does not run, or no machine has
 * its name; `cut_off`: the stream ended without a finish reason; `incomplete_answer`: it ended with a reason that is no end of an answer;
 * `budget_spent`: the user allows no more cost.
 */
export type ModelErrorCode =
  | 'auth'
  | 'rate_limit'
  | 'overloaded'
  | 'context_overflow'
  | 'network'
  | 'unreachable'
  | 'bad_request'
  | 'unknown_model'
  | 'cut_off'
  | 'incomplete_answer'
  | 'budget_spent';

/**
 * One piece of an answer, in order of arrival.
 *
 * `tool_call_delta` pieces of one call share `index`; `id` and `name` arrive with the first piece, if the provider
 * sends them at all. `provider_state` comes at most once. `retry` withdraws every earlier piece of this answer.
 */
export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  | {
      readonly type: 'tool_call_delta';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments: string;
      /** See `ToolCall`. */
      readonly problem?: string;
    }
  /** Text that is held back because it may be a call that the model writes as text. Later events repeat it. */
  | { readonly type: 'held_delta'; readonly text: string }
  | { readonly type: 'provider_state'; readonly state: ProviderState }
  | ({ readonly type: 'usage' } & TokenUsage)
  | { readonly type: 'finish'; readonly reason: FinishReason }
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly code: ModelErrorCode;
      readonly message: string;
    };

/**
 * A model, whatever its wire protocol.
 *
 * Contract: `stream` yields one `finish` in a complete answer, throws nothing but `ModelError`, and stops soon after
 * `signal` aborts (an error that it throws then is ignored).
 */
export interface LanguageModel {
  readonly identity: ModelIdentity;
  /**
   * Determines the context window, if the server reports it. Absent, or `undefined`: unknown. May send requests;
   * throws nothing but `ModelError`. Called before each request, so a model remembers its answer; after the first
   * request, it may be smaller.
   */
  contextWindow?(signal: AbortSignal): Promise<ContextWindow | undefined>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
