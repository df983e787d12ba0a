import type { Conversation, ConversationMessage } from './conversation.ts';
import { mintCallId } from './ids.ts';
import type { ScenarioSet } from './scenario-set.ts';

/** A conversation with nothing left out, or the id of an answer that no scenario of the set gave. */
export type Continued =
  | { readonly type: 'continued'; readonly conversation: Conversation }
  | { readonly type: 'unknown_response'; readonly id: string };

/**
 * Puts the answer that a request goes on from in front of its messages, as a client would have sent it back: its calls
 * have the ids they had then, so that results are paired and counted as ever. Pure.
 */
export function continueConversation(conversation: Conversation, set: ScenarioSet, callIdPrefix: string): Continued {
  const { continues } = conversation;
  if (continues === undefined) return { type: 'continued', conversation };
  const { id, digest, place } = continues;
  const answered: Extract<ConversationMessage, { role: 'assistant' }> = {
    role: 'assistant',
    index: -1,
    parts: [{ type: 'text', text: id }],
  };
  if (place === undefined) return prepend(answered, conversation);
  const scenario = set.byTag.get(place.scenarioTag);
  const step = scenario?.steps[place.step];
  if (scenario === undefined || step === undefined) return { type: 'unknown_response', id };
  const calls = step.toolCalls.map((call, index) => ({
    type: 'tool_call' as const,
    id: call.id ?? mintCallId(callIdPrefix, scenario.name, { step: place.step, call: index }, digest),
    name: call.name,
    arguments: call.type === 'intent' ? '{}' : call.arguments,
    position: { ...place, call: index },
  }));
  return prepend({ ...answered, parts: [...answered.parts, ...calls] }, conversation);
}

function prepend(message: ConversationMessage, conversation: Conversation): Continued {
  return { type: 'continued', conversation: { ...conversation, messages: [message, ...conversation.messages] } };
}
