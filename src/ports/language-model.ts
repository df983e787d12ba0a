import type { Message } from './messages.ts';
import type { ToolDefinition } from './tool.ts';

/** One request to a model. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

/** Reason why the model stopped. `unknown`: any other reason of the provider. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'unknown';

/** Tokens of one request, as counted by the provider. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Reason for a failed request. `unreachable`: the server, which belongs on this machine, does not run; `cut_off`: the
 * stream ended without a finish reason.
 */
export type ModelErrorCode =
  | 'auth'
  | 'rate_limit'
  | 'overloaded'
  | 'context_overflow'
  | 'network'
  | 'unreachable'
  | 'bad_request'
  | 'cut_off';

/**
 * One piece of an answer, in order of arrival.
 *
 * `tool_call_delta` pieces of one call share `index`; `id` and `name` arrive with the first piece, if the provider
 * sends them at all. `retry` withdraws every earlier piece of this answer.
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
    }
  | ({ readonly type: 'usage' } & TokenUsage)
  | { readonly type: 'finish'; readonly reason: FinishReason }
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
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
