import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf, withDefaults } from '../../schema/conforms.ts';
import { failedInStream } from '../http/classify-failure.ts';
import { garbled } from '../http/read-form.ts';
import type { AnswerReader, RedactKey } from '../http/stream-answer.ts';
import { type AnswerPlace, callDelta, endOfAnswer, neededItems } from '../provider-state.ts';
import { MESSAGE_CONTENT, REASONING_ITEM, RESPONSE_EVENT } from './schemas.data.ts';

/** Reasoning as it is sent back. */
export type ReasoningItem = ValueOf<typeof REASONING_ITEM>;

type StreamEvent = ValueOf<typeof RESPONSE_EVENT>;
type StreamItem = NonNullable<StreamEvent['item']>;
type Response = NonNullable<StreamEvent['response']>;

/** An item of the answer that has begun. */
type Item =
  | { readonly type: 'call_place'; readonly callIndex: number; sent: string }
  | { readonly type: 'text_place'; length: number; readonly phase?: 'commentary' | 'final_answer' }
  | ReasoningItem;

/** Creates a reader for the events of one answer of this model. */
export function createResponsesReader(identity: ModelIdentity, redact: RedactKey): AnswerReader {
  /** By their position in the answer. */
  const items = new Map<number, Item>();
  let calls = 0;

  const startCall = (index: number, { call_id: id, name, arguments: sent }: StreamItem): readonly ModelEvent[] => {
    items.set(index, { type: 'call_place', callIndex: calls, sent: sent ?? '' });
    calls += 1;
    return [callDelta(calls - 1, sent ?? '', { id, name })];
  };

  const startItem = ({ output_index = 0, item }: StreamEvent): readonly ModelEvent[] => {
    if (item?.type === 'function_call') return startCall(output_index, item);
    if (item?.type === 'message') {
      const phase = PHASES.find((known) => known === item.phase);
      items.set(output_index, { type: 'text_place', length: 0, ...(phase === undefined ? {} : { phase }) });
    }
    return [];
  };

  const addText = (index: number, delta: string): readonly ModelEvent[] => {
    const begun = items.get(index);
    if (begun?.type === 'text_place') begun.length += delta.length;
    else items.set(index, { type: 'text_place', length: delta.length });
    return [{ type: 'text_delta', text: delta }];
  };

  const addArguments = (index: number, delta: string): readonly ModelEvent[] => {
    const call = items.get(index);
    if (call?.type !== 'call_place') return [];
    call.sent += delta;
    return [callDelta(call.callIndex, delta)];
  };

  /** Reads from a complete item what its deltas did not say, because some servers send none. */
  const endItem = ({ output_index = 0, item }: StreamEvent): readonly ModelEvent[] => {
    const begun = items.get(output_index);
    switch (item?.type) {
      case 'function_call': {
        if (begun?.type !== 'call_place') return startCall(output_index, item);
        const whole = item.arguments ?? '';
        return begun.sent === '' && whole !== '' ? addArguments(output_index, whole) : [];
      }
      case 'message': {
        const said = textOf(item.content);
        return (begun?.type === 'text_place' && begun.length > 0) || said === '' ? [] : addText(output_index, said);
      }
      case 'reasoning': {
        const reasoning = reasoningIn(item);
        if (reasoning !== undefined) items.set(output_index, reasoning);
        return [];
      }
      default:
        return [];
    }
  };

  const end = (response: Response | null | undefined, reason: FinishReason): readonly ModelEvent[] => {
    const inOrder = [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
    const needed = neededItems<ReasoningItem>(inOrder.map(stateItem));
    return endOfAnswer(reason, tokenUsage(response), { identity, items: needed });
  };

  const eventsOf = (event: StreamEvent): readonly ModelEvent[] => {
    const { type, output_index = 0, response } = event;
    const delta = typeof event.delta === 'string' ? event.delta : '';
    switch (type) {
      case 'response.output_item.added':
        return startItem(event);
      case 'response.output_item.done':
        return endItem(event);
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return delta !== '' ? addText(output_index, delta) : [];
      case 'response.reasoning_summary_part.added':
        return (event.summary_index ?? 0) === 0 ? [] : [{ type: 'reasoning_delta', text: '\n\n' }];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return delta !== '' ? [{ type: 'reasoning_delta', text: delta }] : [];
      case 'response.function_call_arguments.delta':
        return delta !== '' ? addArguments(output_index, delta) : [];
      case 'response.failed':
        throw failedInStream(response?.error, redact);
      case 'response.completed':
        return end(response, calls > 0 ? 'tool_calls' : 'stop');
      case 'response.incomplete':
        return end(response, incompleteReason(response?.incomplete_details?.reason));
      default:
        return [];
    }
  };

  return { read: (value) => (conforms(value, RESPONSE_EVENT) ? eventsOf(value) : garbled(value, RESPONSE_EVENT)) };
}

const PHASES = ['commentary', 'final_answer'] as const;

/** The reasoning that an item is, without the fields that are not sent back; `undefined` for anything else. */
export function reasoningIn(item: unknown): ReasoningItem | undefined {
  const known = withDefaults(item, REASONING_ITEM.json);
  return conforms(known, REASONING_ITEM) ? known : undefined;
}

function textOf(content: unknown): string {
  const parts = conforms(content, MESSAGE_CONTENT) ? content : [];
  return parts.map(({ text = '', refusal = '' }) => text + refusal).join('');
}

/** True for reasoning with more than a summary, without which some servers would look for an item that they have not stored. */
export function hasContent({ content = [], encrypted_content }: ReasoningItem): boolean {
  return content.length > 0 || (encrypted_content ?? '') !== '';
}

function stateItem(item: Item): ReasoningItem | AnswerPlace {
  return item.type === 'call_place' ? { type: 'call_place' } : { ...item };
}

function tokenUsage(response: Response | null | undefined): TokenUsage | undefined {
  const { usage } = response ?? {};
  if (!usage) return undefined;
  const { input_tokens: inputTokens, output_tokens: outputTokens, input_tokens_details: details } = usage;
  const cachedTokens = details?.cached_tokens;
  return { inputTokens, outputTokens, ...(typeof cachedTokens === 'number' ? { cachedTokens } : {}) };
}

function incompleteReason(reason: string | null | undefined): FinishReason {
  if (reason === 'max_output_tokens') return 'length';
  return reason === 'content_filter' ? 'content_filter' : 'unknown';
}
