import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { finishReason } from '../finish-reasons.ts';
import { garbled } from '../http/read-form.ts';
import type { AnswerReader } from '../http/stream-answer.ts';
import { type AnswerPlace, callDelta, endOfAnswer, neededItems } from '../provider-state.ts';
import { MESSAGE_EVENT } from './schemas.data.ts';
import type { ThinkingItem } from './thinking.ts';

type StreamEvent = ValueOf<typeof MESSAGE_EVENT>;
type BlockStart = NonNullable<StreamEvent['content_block']>;
type Usage = NonNullable<StreamEvent['usage']>;

/** A block of the answer that has begun. */
type Block =
  | { readonly type: 'text_place'; length: number }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'call_place';
      readonly callIndex: number;
      /** The arguments that came with the start of the call; empty as soon as others follow. */
      wholeInput: string;
    };

/** Creates a reader for the events of one answer of this model. */
export function createMessagesReader(identity: ModelIdentity): Required<AnswerReader> {
  /** In the order of their starts. */
  const blocks: Block[] = [];
  /** The latest block at each index. Ollama uses the index 0 for thinking and for the call after it. */
  const latest = new Map<number, Block>();
  let calls = 0;
  let usage: Usage = {};
  let stopReason: string | undefined;

  const count = (counted: Usage | null | undefined): void => {
    const known = Object.entries(counted ?? {}).filter(([, value]) => typeof value === 'number');
    usage = { ...usage, ...Object.fromEntries(known) };
  };

  const begin = (index: number, block: Block): void => {
    blocks.push(block);
    latest.set(index, block);
  };

  const start = (index: number, block: BlockStart | null | undefined): readonly ModelEvent[] => {
    switch (block?.type) {
      case 'text':
        begin(index, { type: 'text_place', length: 0 });
        return addText(index, block.text);
      case 'thinking':
        begin(index, { type: 'thinking', thinking: '', signature: block.signature ?? '' });
        return addThinking(index, block.thinking);
      case 'redacted_thinking':
        begin(index, { type: 'redacted_thinking', data: block.data ?? '' });
        return [];
      case 'tool_use': {
        const { id, name, input } = block;
        begin(index, { type: 'call_place', callIndex: calls, wholeInput: textOfInput(input) });
        calls += 1;
        return [callDelta(calls - 1, '', { id, name })];
      }
      default:
        return [];
    }
  };

  const addText = (index: number, text: string | null | undefined): readonly ModelEvent[] => {
    const block = latest.get(index);
    if (!text) return [];
    if (block?.type === 'text_place') block.length += text.length;
    return [{ type: 'text_delta', text }];
  };

  const addThinking = (index: number, text: string | null | undefined): readonly ModelEvent[] => {
    const block = latest.get(index);
    if (!text) return [];
    if (block?.type === 'thinking') block.thinking += text;
    return [{ type: 'reasoning_delta', text }];
  };

  const add = (index: number, delta: StreamEvent['delta']): readonly ModelEvent[] => {
    const block = latest.get(index);
    switch (delta?.type) {
      case 'text_delta':
        return addText(index, delta.text);
      case 'thinking_delta':
        return addThinking(index, delta.thinking);
      case 'signature_delta':
        if (block?.type === 'thinking') block.signature = delta.signature ?? '';
        return [];
      case 'input_json_delta':
        if (block?.type !== 'call_place' || !delta.partial_json) return [];
        block.wholeInput = '';
        return [callDelta(block.callIndex, delta.partial_json)];
      default:
        return [];
    }
  };

  const end = (): readonly ModelEvent[] => {
    if (stopReason === undefined) return [];
    const reason = finishReason('anthropic-messages', stopReason);
    const answered = [...blocks];
    const items = stateItemsOf(answered, reason);
    return [...answered.flatMap(wholeInputOf), ...endOfAnswer(reason, tokenUsage(usage), { identity, items })];
  };

  return {
    read(event) {
      if (!conforms(event, MESSAGE_EVENT)) return garbled(event, MESSAGE_EVENT);
      const index = event.index ?? 0;
      switch (event.type) {
        case 'message_start':
          count(event.message?.usage);
          return [];
        case 'content_block_start':
          return start(index, event.content_block);
        case 'content_block_delta':
          return add(index, event.delta);
        case 'message_delta':
          count(event.usage);
          stopReason = event.delta?.stop_reason ?? stopReason;
          return [];
        case 'message_stop':
          return end();
        case 'message': {
          // A whole answer, of a server that does not stream.
          count(event.usage);
          stopReason = event.stop_reason ?? undefined;
          const started = (event.content ?? []).flatMap((block, position) => start(position, block));
          return [...started, ...end()];
        }
        default:
          return [];
      }
    },
    end,
  };
}

/** The arguments that came with the start of a call: as an object, or as its JSON. */
function textOfInput(input: unknown): string {
  if (typeof input === 'string') return input;
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
}

/**
 * The thinking of an answer and the places between. Thinking that was cut off before its signature is left out, because
 * the API refuses it.
 */
function stateItemsOf(blocks: readonly Block[], reason: FinishReason): readonly (ThinkingItem | AnswerPlace)[] {
  const whole = blocks.filter((block) => block.type !== 'thinking' || block.signature !== '' || reason !== 'length');
  return neededItems<ThinkingItem>(whole.map((block) => (block.type === 'call_place' ? CALL_PLACE : { ...block })));
}

/** Arguments that some servers with this API send whole, at the start of a call, instead of in pieces. */
function wholeInputOf(block: Block): readonly ModelEvent[] {
  if (block.type !== 'call_place' || block.wholeInput === '') return [];
  return [callDelta(block.callIndex, block.wholeInput)];
}

const CALL_PLACE = { type: 'call_place' } as const;

/** The API counts the tokens that it read from its cache or wrote to it apart from the others. */
function tokenUsage(usage: Usage): TokenUsage | undefined {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  if (typeof input_tokens !== 'number' || typeof output_tokens !== 'number') return undefined;
  return {
    inputTokens: input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
    outputTokens: output_tokens,
    ...(typeof cache_read_input_tokens === 'number' ? { cachedTokens: cache_read_input_tokens } : {}),
  };
}
