import type { UnpairedResults } from './check-tool-results.ts';
import { continueConversation } from './continue-conversation.ts';
import type { Conversation, Reply } from './conversation.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { digestOf, mintCallId, secondOf } from './ids.ts';
import { type Match, matchConversation, type PastLastStep, type Unmatched } from './match.ts';
import { findNearestTrigger } from './near-trigger.ts';
import type { ScenarioSet } from './scenario-set.ts';

/** The server's own no, with a text that says what to change. */
export interface Refusal {
  readonly type: 'refusal';
  readonly code: 'no_scenario_matched' | 'past_last_step' | 'previous_response_not_found';
  readonly message: string;
  /** The part of the request at fault, where it is not the messages. */
  readonly param?: string;
}

/** What a request gets. `unpaired_results` is answered in the provider's own words, so each protocol writes them. */
export type Answer = { readonly type: 'reply'; readonly reply: Reply } | Refusal | UnpairedResults;

const MAX_QUOTE = 200;

/** Answers a conversation from the scenarios. Pure; `callIdPrefix` is how the protocol begins its tool call ids. */
export function answerConversation(request: Conversation, set: ScenarioSet, callIdPrefix: string): Answer {
  const continued = continueConversation(request, set, callIdPrefix);
  if (continued.type === 'unknown_response') return refuseUnknownResponse(continued.id);
  const { conversation } = continued;
  const outcome = matchConversation(conversation, set);
  switch (outcome.type) {
    case 'match':
      return { type: 'reply', reply: replyFromStep(outcome, conversation, callIdPrefix) };
    case 'unmatched':
      return answerUnmatched(outcome, conversation, set);
    case 'past_last_step':
      return refusePastLastStep(outcome);
    case 'unpaired_results':
      return outcome;
    default:
      return outcome satisfies never;
  }
}

function replyFromStep({ scenario, stepIndex, step }: Match, conversation: Conversation, prefix: string): Reply {
  const request = JSON.stringify(conversation);
  const digest = digestOf(scenario.name, String(stepIndex), request);
  const toolCalls = step.toolCalls.map((call, callIndex) => ({
    id: call.id ?? mintCallId(prefix, scenario.name, { step: stepIndex, call: callIndex }, digest),
    name: call.name,
    input: 'json' as const,
    arguments: call.arguments,
  }));
  return {
    ...frame(digest, request, conversation.model, [
      step.content ?? '',
      ...toolCalls.map((call) => call.name + call.arguments),
    ]),
    reasoning: undefined,
    content: step.content,
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    source: { scenario: scenario.name, step: stepIndex },
  };
}

function answerUnmatched({ texts }: Unmatched, conversation: Conversation, set: ScenarioSet): Answer {
  if (set.defaultResponse !== undefined) {
    const request = JSON.stringify(conversation);
    const content = set.defaultResponse;
    const base = frame(digestOf('default_response', request), request, conversation.model, [content]);
    return {
      type: 'reply',
      reply: { ...base, reasoning: undefined, content, toolCalls: [], finish: 'stop', source: undefined },
    };
  }
  return { type: 'refusal', code: 'no_scenario_matched', message: explainMiss(texts, set) };
}

function explainMiss(texts: readonly string[], set: ScenarioSet): string {
  const nearest = findNearestTrigger(texts, set.scenarios);
  if (nearest === undefined) return 'No scenario matches this request: none is loaded. Start with --scenarios PATH.';
  const last = texts.at(-1);
  const said =
    last === undefined
      ? 'The request has no text of the user to look in.'
      : `The user said: ${JSON.stringify(cut(last))}.`;
  return (
    `No scenario matches this request. ${said} The nearest trigger is ${JSON.stringify(nearest.trigger.text)} of ` +
    `scenario "${nearest.name}" (${set.scenarios.length} loaded). Put a trigger into the user's text, or add a ` +
    `scenario or a default_response.`
  );
}

function refusePastLastStep({ scenario }: PastLastStep): Refusal {
  const message =
    `Scenario "${scenario.name}" has no step after its last, number ${scenario.steps.length - 1} counted from 0, and ` +
    'the request brings the tool results of that one. Add a step that answers them.';
  return { type: 'refusal', code: 'past_last_step', message };
}

function refuseUnknownResponse(id: string): Refusal {
  const message =
    `Previous response with id '${id}' not found. It names a scenario or a step that is not loaded here; ` +
    'start the server with the scenarios that gave the answer.';
  return { type: 'refusal', code: 'previous_response_not_found', message, param: 'previous_response_id' };
}

function frame(digest: string, request: string, model: string, output: readonly string[]) {
  const usage = { inputTokens: estimateTokens(request), outputTokens: estimateTokens(output.join('')) };
  return { digest, created: secondOf(digest), model, usage };
}

function cut(text: string): string {
  // Only the start is taken apart: a prompt may hold megabytes.
  const characters = [...text.slice(0, 2 * (MAX_QUOTE + 1))];
  return characters.length <= MAX_QUOTE ? text : `${characters.slice(0, MAX_QUOTE).join('')}…`;
}
