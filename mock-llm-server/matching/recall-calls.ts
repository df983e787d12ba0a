import type { Conversation, ToolCallPart } from '../conversation/conversation.ts';
import { generateCallId, parseCallId } from '../conversation/ids.ts';
import type { LocatedCall, Scenario, ScenarioSet, StepToolCall } from '../scenario/prepare.ts';
import { hasTemplate } from '../scenario/templates.ts';
import type { Turn } from './turns.ts';

/** A tool call of the history that its id locates in the scenarios. */
export interface EchoedCall extends LocatedCall {
  readonly id: string;
  /** True if a file has the id; the server generated it otherwise. */
  readonly isExplicit: boolean;
}

/** The calls in `turns` with known ids. Explicit ids are known if they occur once with that tool, if its name is known (in `started`). */
export function findEchoedCalls(turns: readonly Turn[], set: ScenarioSet, started: Scenario | undefined): EchoedCall[] {
  const calls = turns.flatMap((turn) => (turn.type === 'assistant' ? turn.calls : []));
  return calls.flatMap((call) => {
    const explicit = call.position === undefined ? findExplicit(call, set, started) : undefined;
    return explicit ?? findGenerated(call, set) ?? [];
  });
}

/** The calls of the echoed call's step that `turns` lack, with the ids that the client received as far as known. */
export function findMissingCalls(
  echoed: EchoedCall,
  turns: readonly Turn[],
  set: ScenarioSet,
): Pick<StepToolCall, 'id' | 'name'>[] {
  const { scenario, stepIndex, step } = echoed;
  const present = findEchoedCalls(turns, set, scenario)
    .filter((other) => other.scenario === scenario && other.stepIndex === stepIndex)
    .map((other) => other.callIndex);
  return step.toolCalls.flatMap(({ id, name }, callIndex) => {
    return present.includes(callIndex) ? [] : [{ id: id ?? siblingId(echoed, callIndex), name }];
  });
}

function findExplicit(part: ToolCallPart, set: ScenarioSet, started: Scenario | undefined): EchoedCall | undefined {
  const [only, ...others] = (set.explicitIds.get(part.id) ?? []).filter(
    ({ scenario, call }) =>
      (call.type === 'intent' || part.name === '' || hasTemplate(call.name) || call.name === part.name) &&
      (started === undefined || scenario === started),
  );
  return only !== undefined && others.length === 0 ? { ...only, id: part.id, isExplicit: true } : undefined;
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

/** Puts the answer that a request continues in front of its messages, with the same call ids. Pure. */
export function continueConversation(conversation: Conversation, set: ScenarioSet, callIdPrefix: string): Continued {
  const { continues } = conversation;
  if (continues === undefined) return { type: 'continued', conversation };
  const { id, digest, position, calls } = continues;
  const answer = (calls: readonly ToolCallPart[]): Continued => {
    const message = { role: 'assistant', index: -1, parts: [{ type: 'text', text: id }, ...calls] } as const;
    return { type: 'continued', conversation: { ...conversation, messages: [message, ...conversation.messages] } };
  };
  if (position === undefined) return answer([]);
  const scenario = set.byTag.get(position.scenarioTag);
  const step = scenario?.steps[position.step];
  if (scenario === undefined || step === undefined) return { type: 'unknown_response', id };
  return answer(
    step.toolCalls.slice(0, calls).map((call, index) => ({
      type: 'tool_call',
      id: call.id ?? generateCallId(callIdPrefix, scenario.name, { step: position.step, call: index }, digest),
      name: call.name,
      arguments: call.type === 'intent' ? '{}' : call.arguments,
      position: { ...position, call: index },
    })),
  );
}
