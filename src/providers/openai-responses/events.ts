import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf, withDefaults } from '../../schema/conforms.ts';
import { finishOfRefusal, finishReason, hasRefusal } from '../finish-reasons.ts';
import { failedInStream } from '../http/classify-failure.ts';
import { FailedRequest } from '../http/failure.ts';
import { garbled } from '../http/read-form.ts';
import { fieldOf, tokensIn } from '../http/server-error.ts';
import type { AnswerReader, RedactKey } from '../http/stream-answer.ts';
import { type AnswerPlace, callDelta, endOfAnswer, neededItems } from '../provider-state.ts';
import { createItemList, type Item, type Kind } from './item-list.ts';
import { MESSAGE_CONTENT, REASONING_ITEM, RESPONSE_EVENT } from './schemas.data.ts';

/** Reasoning as it is sent back. */
export type ReasoningItem = ValueOf<typeof REASONING_ITEM>;

type StreamEvent = ValueOf<typeof RESPONSE_EVENT>;
type StreamItem = NonNullable<StreamEvent['item']>;
type Response = NonNullable<StreamEvent['response']>;

/** Reads parts of an answer: pieces, whole items, or an item whose pieces have come before. */
interface ItemReader {
  start(event: StreamEvent): readonly ModelEvent[];
  addText(event: StreamEvent, text: string): readonly ModelEvent[];
  addArguments(event: StreamEvent, text: string): readonly ModelEvent[];
  /** Reads what has not come in pieces of the whole text of a message, or of the whole arguments of a call. */
  addWholeText(event: StreamEvent, text: string): readonly ModelEvent[];
  addWholeArguments(event: StreamEvent, text: string): readonly ModelEvent[];
  end(event: StreamEvent): readonly ModelEvent[];
  /** The items that the last event repeats, or has alone: those of which nothing was sent before. */
  addWhole(items: readonly StreamItem[]): readonly ModelEvent[];
  readonly calls: number;
  state(): readonly (ReasoningItem | AnswerPlace)[];
}

function createItemReader(): ItemReader {
  const items = createItemList<ReasoningItem>();
  let calls = 0;

  const startCall = (event: StreamEvent, item: StreamItem): readonly ModelEvent[] => {
    const { call_id: id, name } = item;
    const place = items.add('call', event);
    const text = argumentsOf(item);
    place.callIndex = calls;
    place.text = text;
    calls += 1;
    return [callDelta(calls - 1, text, { id, name })];
  };
  const addText = (event: StreamEvent, text: string): readonly ModelEvent[] => {
    if (text === '') return [];
    (items.find('message', event) ?? items.add('message', event)).text += text;
    return [{ type: 'text_delta', text }];
  };
  const addToCall = (call: Item<ReasoningItem> | undefined, text: string): readonly ModelEvent[] => {
    if (call === undefined || text === '') return [];
    call.text += text;
    return [callDelta(call.callIndex, text)];
  };
  const addArguments = (event: StreamEvent, text: string) => addToCall(items.find('call', event), text);
  const addWholeText = (event: StreamEvent, text: string): readonly ModelEvent[] => {
    return addText(event, restOf(items.find('message', event), text));
  };
  const addWholeArguments = (event: StreamEvent, text: string): readonly ModelEvent[] => {
    const call = items.find('call', event);
    return addToCall(call, restOf(call, text));
  };
  const addMessage = (event: StreamEvent, message = items.find('message', event) ?? items.add('message', event)) => {
    const phase = PHASES.find((known) => known === event.item?.phase);
    if (phase !== undefined) message.phase = phase;
    return message;
  };
  const start = (event: StreamEvent): readonly ModelEvent[] => {
    const { item } = event;
    if (item && KINDS[item.type ?? ''] === 'call') return startCall(event, item);
    if (item?.type === 'message') addMessage(event, items.add('message', event));
    return [];
  };
  /** Reads from a complete item what its pieces did not say, because some servers send none. */
  const end = (event: StreamEvent): readonly ModelEvent[] => {
    const { item } = event;
    switch (item?.type) {
      case 'function_call':
      case 'custom_tool_call': {
        const call = items.find('call', event);
        if (call === undefined) return startCall(event, item);
        const events = addWholeArguments(event, argumentsOf(item));
        call.ended = true;
        return events;
      }
      case 'message': {
        const message = addMessage(event);
        const events = addWholeText(event, textOf(item.content));
        message.ended = true;
        return events;
      }
      case 'reasoning': {
        const reasoning = reasoningIn(item);
        if (reasoning === undefined) return [];
        const place = items.find('reasoning', event) ?? items.add('reasoning', event);
        place.item = reasoning;
        place.ended = true;
        return [];
      }
      default:
        return [];
    }
  };
  return {
    start,
    addText,
    addArguments,
    addWholeText,
    addWholeArguments,
    end,
    addWhole(whole) {
      const known = items.all();
      // Azure encrypts reasoning only here.
      for (const item of whole.filter(({ type }) => type === 'reasoning')) {
        const kept = items.find('reasoning', { item });
        const reasoning = reasoningIn(item);
        if (kept === undefined || reasoning === undefined || !hasContent(reasoning)) continue;
        kept.item = reasoning;
      }
      const isSent = ({ type, call_id: callId }: StreamItem): boolean => {
        const kind = KINDS[type ?? ''] ?? 'other';
        return known.some((item) => {
          if (item.kind !== kind || (kind === 'message' && item.text === '')) return false;
          return kind !== 'call' || item.callId === undefined || !callId || item.callId === callId;
        });
      };
      return whole.flatMap((item, index) => {
        const open = known.find(({ ended, callId }) => !ended && callId !== undefined && callId === item.call_id);
        if (open !== undefined) return addToCall(open, restOf(open, argumentsOf(item)));
        // Before an item without an index that came in its place.
        return isSent(item) ? [] : end({ item, output_index: index - 0.5 });
      });
    },
    get calls() {
      return calls;
    },
    state() {
      const placed = items.all().flatMap(({ kind, item, text: { length }, phase }): (ReasoningItem | AnswerPlace)[] => {
        if (kind === 'call') return [{ type: 'call_place' }];
        if (kind === 'message') return [{ type: 'text_place', length, ...(phase === undefined ? {} : { phase }) }];
        return [item].filter((kept) => kept !== undefined);
      });
      return neededItems<ReasoningItem>(placed);
    },
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  function_call: 'call',
  custom_tool_call: 'call',
  message: 'message',
  reasoning: 'reasoning',
};

/** Creates a reader for the events of one answer of this model, or for a whole response. */
export function createResponsesReader(identity: ModelIdentity, redact: RedactKey): AnswerReader {
  const items = createItemReader();
  /** The kind of the pieces of reasoning that is shown. Some servers send each of them as two kinds. */
  let thoughts: string | undefined;
  let isRefused = false;

  /** The end of the answer by the status of the response, or by the name of the event if it has none. */
  const end = (response: Response | null | undefined, eventStatus: string): readonly ModelEvent[] => {
    const output = response?.output ?? [];
    const text = output.some(({ type }) => type === 'message') ? '' : response?.output_text;
    const whole = items.addWhole(text ? [...output, { type: 'message', content: text }] : output);
    isRefused ||= output.some(({ content }) => hasRefusal(content));
    const finish = reasonOf(response, eventStatus, items.calls > 0);
    const reason = isRefused ? finishOfRefusal(finish) : finish;
    return [...whole, ...endOfAnswer(reason, tokenUsage(response), { identity, items: items.state() })];
  };

  const reasonOf = (response: Response | null | undefined, eventStatus: string, hasCalls: boolean): FinishReason => {
    if (response?.stop_reason === 'length') return 'length';
    // vLLM and LiteLLM say in a completed response that it is incomplete; some gateways leave the status of its start.
    const said = response?.status ?? eventStatus;
    const status = eventStatus === 'completed' && said !== 'in_progress' && said !== 'queued' ? said : eventStatus;
    switch (status) {
      case 'completed':
      // Gateways send this for an answer with calls.
      case 'requires_action':
        return hasCalls ? 'tool_calls' : 'stop';
      case 'incomplete':
        return finishReason('openai-responses', response?.incomplete_details?.reason ?? status);
      case 'failed':
        throw failedInStream(response?.error, redact);
      default:
        throw new FailedRequest({ type: 'stopped', reason: status, detail: '' });
    }
  };

  const eventsOf = (event: StreamEvent): readonly ModelEvent[] => {
    const { type, response } = event;
    const delta = textOf(event.delta);
    isRefused ||= (type === 'response.refusal.delta' && delta !== '') || [event, event.part].some(hasRefusal);
    isRefused ||= hasRefusal(event.item?.content);
    // A whole answer, of a server that does not stream.
    if (event.object === 'response') {
      const reasoned = (event.output ?? []).filter((item) => item.type === 'reasoning');
      const shown = reasoned.map(({ content, summary }) => textOf(content) || textOf(summary)).filter(Boolean);
      const reasoning: ModelEvent[] = shown.length === 0 ? [] : [{ type: 'reasoning_delta', text: shown.join('\n\n') }];
      return [...reasoning, ...end(event, event.status ?? 'completed')];
    }
    switch (type) {
      case 'response.output_item.added':
        return items.start(event);
      case 'response.output_item.done':
        return items.end(event);
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return items.addText(event, delta);
      case 'response.output_text.done':
      case 'response.refusal.done':
        return items.addWholeText(
          event,
          [event.text, event.refusal].filter((said) => typeof said === 'string').join(''),
        );
      case 'response.content_part.done':
        return items.addWholeText(
          event,
          /^(?:output_)?text$|^refusal$/.test(kindOf(event.part)) ? textOf(event.part) : '',
        );
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done':
        return items.addWholeArguments(event, argumentsOf(event));
      case 'response.reasoning_summary_part.added':
        return Number(event.summary_index ?? 0) === 0 ? [] : [{ type: 'reasoning_delta', text: '\n\n' }];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        if (delta === '') return [];
        thoughts ??= type;
        return thoughts === type ? [{ type: 'reasoning_delta', text: delta }] : [];
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return items.addArguments(event, delta);
      case 'response.completed':
      case 'response.done':
        return end(response, 'completed');
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return end(response, type.slice('response.'.length));
      default:
        return [];
    }
  };

  return { read: (value) => (conforms(value, RESPONSE_EVENT) ? eventsOf(value) : garbled(value, RESPONSE_EVENT)) };
}

/** The end of a whole text of which the start has come; none if something else has. */
function restOf(item: Item<ReasoningItem> | undefined, whole: string): string {
  const come = item?.text ?? '';
  return whole.startsWith(come) ? whole.slice(come.length) : '';
}

/** Arguments as a text. Some servers send the object itself. */
function argumentsOf({ arguments: args, input }: Pick<StreamItem, 'arguments' | 'input'>): string {
  const sent = args ?? input ?? '';
  return typeof sent === 'string' ? sent : JSON.stringify(sent);
}

function kindOf(part: unknown): string {
  return String(fieldOf(part, 'type'));
}

const PHASES = ['commentary', 'final_answer'] as const;

/** The reasoning that an item is, without the fields that are not sent back; `undefined` for anything else. */
export function reasoningIn(item: unknown): ReasoningItem | undefined {
  // The summary is required, but some servers leave out an empty one.
  const known = withDefaults({ ...Object(item), summary: fieldOf(item, 'summary') ?? [] }, REASONING_ITEM.json);
  return conforms(known, REASONING_ITEM) && (known.summary.length > 0 || hasContent(known)) ? known : undefined;
}

/** The text of content, which is a text, a part, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const list = [content].flat();
  const parts = conforms(list, MESSAGE_CONTENT) ? list : [];
  return parts.map(({ text = '', refusal = '' }) => text + refusal).join('');
}

/** True for reasoning with more than a summary, without which some servers would look for an item that they have not stored. */
export function hasContent({ content = [], encrypted_content }: ReasoningItem): boolean {
  return content.length > 0 || (encrypted_content ?? '') !== '';
}

function tokenUsage(response: Response | null | undefined): TokenUsage | undefined {
  const usage = response?.usage;
  // Some gateways leave the names of Chat Completions.
  const inputTokens = tokensIn(usage, 'input_tokens') ?? tokensIn(usage, 'prompt_tokens');
  const outputTokens = tokensIn(usage, 'output_tokens') ?? tokensIn(usage, 'completion_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cachedTokens = tokensIn(fieldOf(usage, 'input_tokens_details'), 'cached_tokens');
  return { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
}
