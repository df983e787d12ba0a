import type { Conversation, ConversationMessage, ToolCallPart } from '../conversation/conversation.ts';
import { generateCallId, parseCallId } from '../conversation/ids.ts';
import type { LocatedCall, Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { Turn } from './turns.ts';

/** A tool call of the history that its id locates in the scenarios. */
export interface EchoedCall extends LocatedCall {
  readonly id: string;
  /** Whether a file has the id; the server generated it otherwise. */
  readonly isExplicit: boolean;
}

/**
 * The last call in `turns` whose id is known. An explicit id is known only if it occurs once with the same tool name:
 * in the scenario `started` if a trigger was found, or else in all scenarios.
 */
export function findEchoedCall(
  turns: readonly Turn[],
  set: ScenarioSet,
  started: Scenario | undefined,
): EchoedCall | undefined {
  return echoedCalls(turns, set, started).at(-1);
}

/** A call that a request lacks. `id` is undefined if the id that the client received is unknown. */
export interface MissingCall {
  readonly id: string | undefined;
  readonly name: string;
}

/** The calls of the echoed call's step that `turns` lack. */
export function findMissingCalls(echoed: EchoedCall, turns: readonly Turn[], set: ScenarioSet): MissingCall[] {
  const { scenario, stepIndex, step } = echoed;
  const present = echoedCalls(turns, set, scenario)
    .filter((other) => other.scenario === scenario && other.stepIndex === stepIndex)
    .map((other) => other.callIndex);
  return step.toolCalls.flatMap(({ id, name }, callIndex) => {
    return present.includes(callIndex) ? [] : [{ id: id ?? siblingId(echoed, callIndex), name }];
  });
}

function echoedCalls(turns: readonly Turn[], set: ScenarioSet, started: Scenario | undefined): EchoedCall[] {
  const calls = turns.flatMap((turn) => (turn.type === 'assistant' ? turn.calls : []));
  return calls.flatMap((call) => {
    const explicit = call.position === undefined ? findExplicit(call, set, started) : undefined;
    return explicit ?? findGenerated(call, set) ?? [];
  });
}

function findExplicit(part: ToolCallPart, set: ScenarioSet, started: Scenario | undefined): EchoedCall | undefined {
  const calls = (set.explicitIds.get(part.id) ?? []).filter(
    ({ scenario, call }) =>
      (call.type === 'intent' || call.name === part.name) && (started === undefined || scenario === started),
  );
  const [call] = calls;
  return call !== undefined && calls.length === 1 ? { ...call, id: part.id, isExplicit: true } : undefined;
}

function findGenerated(part: ToolCallPart, set: ScenarioSet): EchoedCall | undefined {
  const position = part.position ?? parseCallId(part.id);
  if (position === undefined) return undefined;
  const scenario = set.byTag.get(position.scenarioTag);
  const step = scenario?.steps[position.step];
  const call = step?.toolCalls[position.call];
  if (scenario === undefined || step === undefined || call === undefined) return undefined;
  const { step: stepIndex, call: callIndex } = position;
  return { scenario, stepIndex, step, callIndex, call, id: part.id, isExplicit: false };
}

/** The id that the server generated for another call of the same answer. */
function siblingId({ id, scenario, stepIndex }: EchoedCall, callIndex: number): string | undefined {
  const digest = parseCallId(id)?.digest;
  if (digest === undefined) return undefined;
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return generateCallId(prefix, scenario.name, { step: stepIndex, call: callIndex }, digest);
}

/** A complete conversation, or the id of an answer that no scenario of the set gave. */
export type Continued =
  | { readonly type: 'continued'; readonly conversation: Conversation }
  | { readonly type: 'unknown_response'; readonly id: string };

/**
 * Puts the answer that a request continues in front of its messages, as a client would have sent it back, with the same
 * call ids. Pure.
 */
export function continueConversation(conversation: Conversation, set: ScenarioSet, callIdPrefix: string): Continued {
  const { continues } = conversation;
  if (continues === undefined) return { type: 'continued', conversation };
  const { id, digest, position } = continues;
  const answer: Extract<ConversationMessage, { role: 'assistant' }> = {
    role: 'assistant',
    index: -1,
    parts: [{ type: 'text', text: id }],
  };
  if (position === undefined) return prepend(answer, conversation);
  const scenario = set.byTag.get(position.scenarioTag);
  const step = scenario?.steps[position.step];
  if (scenario === undefined || step === undefined) return { type: 'unknown_response', id };
  const calls = step.toolCalls.map((call, index) => ({
    type: 'tool_call' as const,
    id: call.id ?? generateCallId(callIdPrefix, scenario.name, { step: position.step, call: index }, digest),
    name: call.name,
    arguments: call.type === 'intent' ? '{}' : call.arguments,
    position: { ...position, call: index },
  }));
  return prepend({ ...answer, parts: [...answer.parts, ...calls] }, conversation);
}

function prepend(message: ConversationMessage, conversation: Conversation): Continued {
  return { type: 'continued', conversation: { ...conversation, messages: [message, ...conversation.messages] } };
}
