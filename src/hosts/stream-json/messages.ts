import type { FinishReason, TokenUsage } from '../../agent/ports/language-model.ts';
import type { AssistantMessage, ImageContent, ToolCall } from '../../agent/ports/messages.ts';
import { jsonObjectIn } from '../../text/json/json.ts';

/** One block of the content of an answer, as the Messages API of Anthropic has it. */
export type ContentBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: ToolInput };

/** The arguments of a call. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A call of the model, with the names that it used. */
export interface SeenCall {
  readonly name: string;
  readonly input: ToolInput;
}

/** Usage of tokens, as the Messages API counts it: input without the tokens that were read from the cache. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

/** The usage before the first answer. */
export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export function addUsage(usage: Usage, { inputTokens, outputTokens, cachedTokens = 0 }: TokenUsage): Usage {
  return {
    input_tokens: usage.input_tokens + inputTokens - cachedTokens,
    output_tokens: usage.output_tokens + outputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cache_read_input_tokens + cachedTokens,
  };
}

/** The blocks of an answer in the order of the Messages API. */
export function blocksOf({ reasoning = '', content, toolCalls }: AssistantMessage): readonly ContentBlock[] {
  return [
    ...(reasoning === '' ? [] : [thinkingBlock(reasoning)]),
    ...(content === '' ? [] : [{ type: 'text', text: content } as const]),
    ...toolCalls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: callInput(call) }) as const),
  ];
}

/** The block of reasoning. Its signature stays with the provider that made it. */
export function thinkingBlock(thinking: string): ContentBlock {
  return { type: 'thinking', thinking, signature: '' };
}

/** The arguments of a call as an object; empty if the model sent no JSON object. */
export function callInput(call: Pick<ToolCall, 'arguments'>): ToolInput {
  return jsonObjectIn(call.arguments);
}

/** The content of a tool result: its text, with its pictures if it has some. */
export function resultContent(text: string, images: readonly ImageContent[] = []): string | readonly object[] {
  if (images.length === 0) return text;
  const pictures = images.map(({ mediaType, data }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data },
  }));
  return [{ type: 'text', text }, ...pictures];
}

/** The reason why an answer ended, as the Messages API encodes it; `null` for an answer that was cut. */
export function stopReason(finish: FinishReason | 'aborted' | 'failed'): string | null {
  switch (finish) {
    case 'tool_calls':
      return 'tool_use';
    case 'length':
    case 'window':
      return 'max_tokens';
    case 'paused':
      return 'pause_turn';
    case 'content_filter':
      return 'refusal';
    case 'stop':
    case 'unknown':
      return 'end_turn';
    case 'aborted':
    case 'failed':
      return null;
  }
}
