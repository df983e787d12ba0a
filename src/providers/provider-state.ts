import type { JsonValue } from '../agent/ports/json.ts';
import type { FinishReason, ModelEvent, ModelIdentity, TokenUsage } from '../agent/ports/language-model.ts';
import type { AssistantMessage, ProviderState, ToolCall } from '../agent/ports/messages.ts';
import { conforms, type ValueOf } from '../schema/conforms.ts';
import { ANSWER_PLACE } from './schemas.data.ts';

/** The state that a model attaches to its answer. */
export function providerState(identity: ModelIdentity, items: readonly JsonValue[]): ProviderState {
  return { model: modelKey(identity), items };
}

/** The last events of an answer: the state, unless it has no items, the usage if the server counts it, and the finish. */
export function endOfAnswer(
  reason: FinishReason,
  usage: TokenUsage | undefined,
  state?: { readonly identity: ModelIdentity; readonly items: readonly JsonValue[] },
): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  if (state !== undefined && state.items.length > 0) {
    events.push({ type: 'provider_state', state: providerState(state.identity, state.items) });
  }
  if (usage !== undefined) events.push({ type: 'usage', ...usage });
  return [...events, { type: 'finish', reason }];
}

/**
 * The signature that Google documents for calls of other models. Models since Gemini 3 refuse a first call without one.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const FOREIGN_SIGNATURE = 'skip_thought_signature_validator';

/** A piece of the call number `index`, with the id and the name that came with it, if any. */
export function callDelta(
  index: number,
  text: string,
  { id, name }: { readonly id?: string | null | undefined; readonly name?: string | null | undefined } = {},
): ModelEvent {
  return { type: 'tool_call_delta', index, ...(id ? { id } : {}), ...(name ? { name } : {}), arguments: text };
}

/** The items that this model attached to the answer; empty when another model made them. */
export function stateItems({ providerState: state }: AssistantMessage, identity: ModelIdentity): readonly JsonValue[] {
  return state?.model === modelKey(identity) ? state.items : [];
}

/** A name that no two models share, also not the same model of two providers. */
function modelKey({ provider, wire, model }: ModelIdentity): string {
  return `${provider}/${wire}/${model}`;
}

/** OpenAI's name for the purpose of a piece of text, which it wants back. */
export type TextPhase = NonNullable<Extract<AnswerPlace, { readonly type: 'text_place' }>['phase']>;

/** See `ANSWER_PLACE`. */
export type AnswerPlace = ValueOf<typeof ANSWER_PLACE>;

/** Writers of a wire for the parts of an answer. Each may be left out. */
export interface AnswerWriter<Part> {
  text(text: string, phase: TextPhase | undefined): readonly Part[];
  call(call: ToolCall): readonly Part[];
  item(item: JsonValue): readonly Part[];
}

/** The items that are needed to restore an answer: those up to the last one that is more than a place. */
export function neededItems<Item extends { readonly type: string }>(
  items: readonly (Item | AnswerPlace)[],
): readonly (Item | AnswerPlace)[] {
  const last = items.findLastIndex((item) => !isPlace(item) || 'phase' in item);
  return items.slice(0, last + 1);
}

function isPlace({ type }: { readonly type: string }): boolean {
  return type === 'text_place' || type === 'call_place';
}

/** The parts of an answer in the order of its items; text and calls without a place follow. */
export function arrangeAnswer<Part>(
  { content, toolCalls }: AssistantMessage,
  items: readonly JsonValue[],
  writer: AnswerWriter<Part>,
): Part[] {
  const calls = [...toolCalls];
  let used = 0;
  const partsOf = (item: JsonValue): readonly Part[] => {
    const place = conforms(item, ANSWER_PLACE) ? item : undefined;
    switch (place?.type) {
      case 'text_place':
        used += place.length;
        return writer.text(content.slice(used - place.length, used), place.phase);
      case 'call_place':
        return calls.splice(0, 1).flatMap(writer.call);
      case undefined:
        return writer.item(item);
    }
  };
  const placed = items.flatMap(partsOf);
  return [...placed, ...writer.text(content.slice(used), undefined), ...calls.flatMap(writer.call)];
}
