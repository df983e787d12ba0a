import type { JsonValue } from '../agent/ports/json.ts';
import type { ModelIdentity } from '../agent/ports/language-model.ts';
import type { AssistantMessage, ProviderState, ToolCall } from '../agent/ports/messages.ts';
import { conforms, type ValueOf } from '../schema/conforms.ts';
import { ANSWER_PLACE } from './schemas.data.ts';

/** The state that a model attaches to its answer. */
export function providerState(identity: ModelIdentity, items: readonly JsonValue[]): ProviderState {
  return { model: modelKey(identity), items };
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
