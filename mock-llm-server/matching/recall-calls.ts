import type { Conversation, ConversationMessage, ToolCallPart } from '../conversation/conversation.ts';
import { mintCallId, parseCallId } from '../conversation/ids.ts';
import type { CallPlace, Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { Turn } from './turns.ts';

/** A tool call of the history whose id tells its place. `minted`: the server made the id, no file states it. */
export interface EchoedCall extends CallPlace {
  readonly id: string;
  readonly minted: boolean;
}

/**
 * The last call in `turns` whose id is known. An id that a file states is known only where it means one place and the
 * name of the tool is the same: a place in `started` if a trigger was found, else among all scenarios.
 */
export function findEchoedCall(
  turns: readonly Turn[],
  set: ScenarioSet,
  started: Scenario | undefined,
): EchoedCall | undefined {
  return echoedCalls(turns, set, started).at(-1);
}

/** A call that a request lacks. `id` is absent where nothing tells which one the client was given. */
export interface MissingCall {
  readonly id: string | undefined;
  readonly name: string;
}

/** The calls of the echoed call's step that `turns` do not hold. */
export function findMissingCalls(echoed: EchoedCall, turns: readonly Turn[], set: ScenarioSet): MissingCall[] {
  const { scenario, stepIndex, step } = echoed;
  const held = echoedCalls(turns, set, scenario)
    .filter((other) => other.scenario === scenario && other.stepIndex === stepIndex)
    .map((other) => other.callIndex);
  return step.toolCalls.flatMap(({ id, name }, callIndex) => {
    return held.includes(callIndex) ? [] : [{ id: id ?? siblingId(echoed, callIndex), name }];
  });
}

function echoedCalls(turns: readonly Turn[], set: ScenarioSet, started: Scenario | undefined): EchoedCall[] {
  const calls = turns.flatMap((turn) => (turn.type === 'assistant' ? turn.calls : []));
  return calls.flatMap((call) => {
    const stated = call.position === undefined ? findStated(call, set, started) : undefined;
    return stated ?? findMinted(call, set) ?? [];
  });
}

function findStated(part: ToolCallPart, set: ScenarioSet, started: Scenario | undefined): EchoedCall | undefined {
  const places = (set.statedIds.get(part.id) ?? []).filter(
    ({ scenario, call }) =>
      (call.type === 'intent' || call.name === part.name) && (started === undefined || scenario === started),
  );
  const [place] = places;
  return place !== undefined && places.length === 1 ? { ...place, id: part.id, minted: false } : undefined;
}

function findMinted(part: ToolCallPart, set: ScenarioSet): EchoedCall | undefined {
  const minted = part.position ?? parseCallId(part.id);
  if (minted === undefined) return undefined;
  const scenario = set.byTag.get(minted.scenarioTag);
  const step = scenario?.steps[minted.step];
  const call = step?.toolCalls[minted.call];
  if (scenario === undefined || step === undefined || call === undefined) return undefined;
  return { scenario, stepIndex: minted.step, step, callIndex: minted.call, call, id: part.id, minted: true };
}

/** The id that the server gave to another call of the same answer. */
function siblingId({ id, scenario, stepIndex }: EchoedCall, callIndex: number): string | undefined {
  const digest = parseCallId(id)?.digest;
  if (digest === undefined) return undefined;
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return mintCallId(prefix, scenario.name, { step: stepIndex, call: callIndex }, digest);
}

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
