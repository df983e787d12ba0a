import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { finishReason, type UnnamedEnds, unnamedEnd } from '../finish-reasons.ts';
import { garbled } from '../http/read-form.ts';
import { tokensIn } from '../http/server-error.ts';
import type { AnswerReader } from '../http/stream-answer.ts';
import { type AnswerPlace, callDelta, endOfAnswer, neededItems } from '../provider-state.ts';
import { MESSAGE_EVENT } from './schemas.data.ts';
import type { ThinkingItem } from './thinking.ts';

type StreamEvent = ValueOf<typeof MESSAGE_EVENT>;
type BlockStart = NonNullable<StreamEvent['content_block']>;
/** The counts that have come, by their names. */
type Usage = Readonly<Record<string, unknown>>;

/** A block of the answer that has begun. */
type Block =
  | { readonly type: 'text_place'; length: number; started: string }
  | { readonly type: 'thinking'; thinking: string; signature: string; started: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'call_place';
      readonly callIndex: number;
      readonly id: string | null | undefined;
      /** The arguments that came with the start of the call; empty as soon as others follow. */
      wholeInput: string;
      /** The arguments that came in pieces. */
      text: string;
    };

/** Creates a reader for the events of one answer of this model. */
export function createMessagesReader(
  identity: ModelIdentity,
  unnamed: UnnamedEnds = { count: 0 },
): Required<Omit<AnswerReader, 'hasMark'>> {
  /** In the order of their starts. */
  const blocks: Block[] = [];
  /** The latest block at each index. Ollama uses the index 0 for thinking and for the call after it. */
  const latest = new Map<number, Block>();
  let calls = 0;
  let usage: Usage = {};
  let stopReason: string | undefined;

  const count = (counted: Usage | null | undefined): void => {
    const known = Object.entries(counted ?? {}).filter(([, value]) => Number.isSafeInteger(value));
    usage = { ...usage, ...Object.fromEntries(known) };
  };

  const begin = (index: number, block: Block): void => {
    blocks.push(block);
    latest.set(index, block);
  };

  const start = (index: number, block: BlockStart | null | undefined): readonly ModelEvent[] => {
    switch (block?.type) {
      case 'text':
        begin(index, { type: 'text_place', length: 0, started: '' });
        return addText(index, block.text, true);
      case 'thinking':
        begin(index, { type: 'thinking', thinking: '', signature: block.signature ?? '', started: '' });
        return addThinking(index, block.thinking, true);
      case 'redacted_thinking':
        begin(index, { type: 'redacted_thinking', data: block.data ?? '' });
        return [];
      case 'tool_use': {
        const { id, name, input } = block;
        const open = latest.get(index);
        // Some gateways begin the call again, without its name, with each piece.
        if (open?.type === 'call_place' && open.id === id && !name) return [];
        begin(index, { type: 'call_place', callIndex: calls, id, wholeInput: textOfInput(input), text: '' });
        calls += 1;
        return [callDelta(calls - 1, '', { id, name })];
      }
      default:
        latest.delete(index);
        return [];
    }
  };

  /** True for a piece that repeats what came with the start of its block, as MiniMax sends it. */
  const isRepeated = (block: { started: string }, text: string, isStart: boolean): boolean => {
    const { started } = block;
    block.started = isStart ? text : '';
    return !isStart && started !== '' && started === text;
  };

  const addText = (index: number, text: string | null | undefined, isStart = false): readonly ModelEvent[] => {
    const block = latest.get(index);
    if (!text) return [];
    if (block?.type === 'text_place') {
      if (isRepeated(block, text, isStart)) return [];
      block.length += text.length;
    }
    return [{ type: 'text_delta', text }];
  };

  const addThinking = (index: number, text: string | null | undefined, isStart = false): readonly ModelEvent[] => {
    const block = latest.get(index);
    if (!text) return [];
    if (block?.type === 'thinking') {
      if (isRepeated(block, text, isStart)) return [];
      block.thinking += text;
    }
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
      case 'input_json_delta': {
        const { partial_json: sent } = delta;
        if (block?.type !== 'call_place' || !sent) return [];
        const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
        block.wholeInput = '';
        block.text += text;
        return [callDelta(block.callIndex, text)];
      }
      default:
        return [];
    }
  };

  const reasonOfEnd = (isMarked: boolean): FinishReason | undefined => {
    if (stopReason !== undefined) return finishReason('anthropic-messages', stopReason);
    if (!isMarked) return undefined;
    const sent = blocks.flatMap((block) => (block.type === 'call_place' ? [block.text + block.wholeInput] : []));
    const hasText = blocks.some((block) => block.type === 'text_place' && block.length > 0);
    return unnamedEnd(unnamed, { calls: sent, hasText });
  };

  const end = (isMarked: boolean): readonly ModelEvent[] => {
    const reason = reasonOfEnd(isMarked);
    if (reason === undefined) return [];
    const answered = [...blocks];
    const items = stateItemsOf(answered, reason);
    return [...answered.flatMap(wholeInputOf), ...endOfAnswer(reason, tokenUsage(usage), { identity, items })];
  };

  return {
    read(event) {
      if (!conforms(event, MESSAGE_EVENT)) return garbled(event, MESSAGE_EVENT);
      const index = Number(event.index ?? 0);
      // Some gateways leave out the type of a whole answer.
      switch (event.type ?? (event.content && 'message')) {
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
          return end(true);
        case 'message': {
          // A whole answer, of a server that does not stream.
          count(event.usage);
          stopReason = event.stop_reason ?? undefined;
          const started = (event.content ?? []).flatMap((block, position) => start(position, block));
          return [...started, ...end(true)];
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
  return neededItems<ThinkingItem>(whole.map(itemOf));
}

/** Arguments that some servers with this API send whole, at the start of a call, instead of in pieces. */
function wholeInputOf(block: Block): readonly ModelEvent[] {
  if (block.type !== 'call_place' || block.wholeInput === '') return [];
  return [callDelta(block.callIndex, block.wholeInput)];
}

/** The block as it is kept in the session. */
function itemOf(block: Block): ThinkingItem | AnswerPlace {
  switch (block.type) {
    case 'text_place':
      return { type: 'text_place', length: block.length };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return block;
    case 'call_place':
      return { type: 'call_place' };
  }
}

/** The API counts the tokens that it read from its cache or wrote to it apart from the others. */
function tokenUsage(usage: Usage): TokenUsage | undefined {
  const input = tokensIn(usage, 'input_tokens');
  const outputTokens = tokensIn(usage, 'output_tokens');
  if (input === undefined || outputTokens === undefined) return undefined;
  const cachedTokens = tokensIn(usage, 'cache_read_input_tokens');
  const inputTokens = input + (tokensIn(usage, 'cache_creation_input_tokens') ?? 0) + (cachedTokens ?? 0);
  return { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
}
