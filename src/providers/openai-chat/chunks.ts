import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { garbled } from '../http/read-form.ts';
import type { AnswerReader } from '../http/stream-answer.ts';
import { callDelta, endOfAnswer } from '../provider-state.ts';
import { createMessageState } from './message-state.ts';
import { CHAT_CHUNK } from './schemas.data.ts';

type Delta = NonNullable<NonNullable<ValueOf<typeof CHAT_CHUNK>['choices']>[number]['delta']>;
type CallDelta = NonNullable<Delta['tool_calls']>[number];

/**
 * Creates a reader for the chunks of one answer of this model. It keeps usage and finish reason until the end, because servers differ
 * in their order.
 */
export function createChatReader(identity: ModelIdentity): Required<AnswerReader> {
  const state = createMessageState();
  /** The calls in order of arrival. */
  const positions = new Map<string, number>();
  const idsByIndex = new Map<number, string>();
  /** The calls, ids and names that earlier deltas have announced. */
  const announced = new Set<string>();
  let usage: TokenUsage | undefined;
  let finish: FinishReason | undefined;
  let lastIndex = -1;

  /**
   * The index of a delta that has none: that of the call with the same id; a new index when the delta has a
   * tool name or an unknown id; otherwise that of the previous delta.
   */
  const inferIndex = ({ id, function: called }: CallDelta): number => {
    const known = [...idsByIndex].find(([, knownId]) => knownId === id);
    if (known !== undefined) return known[0];
    return id || called?.name || lastIndex === -1 ? Math.max(-1, lastIndex, ...idsByIndex.keys()) + 1 : lastIndex;
  };

  const readCall = (delta: CallDelta): readonly ModelEvent[] => {
    const { id, function: called } = delta;
    const index = delta.index ?? inferIndex(delta);
    lastIndex = index;
    const value = called?.arguments ?? '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (id) idsByIndex.set(index, id);
    const call = `${index} ${idsByIndex.get(index) ?? ''}`;
    const position = positions.get(call) ?? positions.get(`${index} `) ?? new Set(positions.values()).size;
    positions.set(call, position);
    state.addCall(position, delta);
    const facts = [call, ...(called?.name ? [`${call} name`] : [])];
    const adds = text !== '' || facts.some((fact) => !announced.has(fact));
    for (const fact of facts) announced.add(fact);
    if (!adds) return [];
    return [callDelta(index, text, { id, name: called?.name })];
  };

  return {
    read(chunk) {
      if (!conforms(chunk, CHAT_CHUNK)) return garbled(chunk, CHAT_CHUNK);
      const { choices, usage: counted } = chunk;
      if (counted) usage = { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens };
      const choice = choices?.[0];
      if (choice?.finish_reason) finish = finishReason(choice.finish_reason);
      const { content, refusal, reasoning_content, reasoning, reasoning_text, tool_calls } = choice?.delta ?? {};
      if (choice?.delta) state.addMessage(choice.delta);
      const thought = reasoning_content || reasoning || reasoning_text;
      const text = content || refusal;
      return [
        ...(thought ? [{ type: 'reasoning_delta', text: thought } as const] : []),
        ...(text ? [{ type: 'text_delta', text } as const] : []),
        ...(tool_calls ?? []).flatMap(readCall),
      ];
    },
    end() {
      if (finish === undefined) return [];
      return endOfAnswer(finish, usage, { identity, items: state.items() });
    },
  };
}

function finishReason(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content_filter':
    case 'tool_calls':
      return reason;
    case 'function_call':
      return 'tool_calls';
    default:
      return 'unknown';
  }
}
