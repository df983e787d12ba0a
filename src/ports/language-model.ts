import type { Message } from './messages.ts';
import type { ToolDefinition } from './tool.ts';

/** Everything a model needs for one answer. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

/** Why the model stopped. `unknown` stands for a reason the provider's wire names and we do not know. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'unknown';

/** Tokens of one request as the provider counted them. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why a request to a model failed. `cut_off`: the stream ended without saying why it stopped. */
export type ModelErrorCode =
  | 'auth'
  | 'rate_limit'
  | 'overloaded'
  | 'context_overflow'
  | 'network'
  | 'bad_request'
  | 'cut_off';

/**
 * One piece of an answer, in order of arrival.
 *
 * `tool_call_delta` pieces of one call share `index`; `id` and `name` come with the first piece, where the provider
 * sends them at all. `retry` withdraws every piece of this answer that came before it.
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
 * A model behind some wire format.
 *
 * Contract: `stream` yields one `finish` as the last thing that matters, throws `ModelError` and nothing else, and
 * stops soon after `signal` aborts (what it throws then is ignored).
 */
export interface LanguageModel {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
