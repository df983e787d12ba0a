import type { JsonValue } from '../ports/json.ts';
import type { ModelIdentity } from '../ports/language-model.ts';
import type { AssistantMessage, ProviderState } from '../ports/messages.ts';

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
