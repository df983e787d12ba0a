import type { Conversation, Reply, ServiceName, Usage } from '../conversation/conversation.ts';
import { countOutputTokens, countTokens, estimateTokens } from '../conversation/estimate-tokens.ts';
import { digestOf, generateCallId, secondOf } from '../conversation/ids.ts';
import { digestConversation } from '../conversation/outline.ts';
import type { RequestFields } from '../journal/redact.ts';
import { explainMiss, type MissExplanation } from '../matching/explain-miss.ts';
import {
  type Match,
  type MatchOptions,
  matchConversation,
  type PastLastStep,
  type Unmatched,
} from '../matching/match.ts';
import type { UnpairedResults } from '../matching/pair-results.ts';
import { readPin } from '../matching/pin.ts';
import { continueConversation } from '../matching/recall-calls.ts';
import { type AuxiliaryAnswer, answerAuxiliary } from '../reply/auxiliary.ts';
import { expandDefault, expandStep, type StepRefusal } from '../reply/expand-step.ts';
import type { PromptLock } from '../scenario/lock/prompt-lock.ts';
import type { ScenarioSet, Step } from '../scenario/prepare.ts';

/** A refusal by the server itself. The message says what to change. */
export interface Refusal {
  readonly type: 'refusal';
  readonly code:
    | 'no_scenario_matched'
    | 'past_last_step'
    | 'previous_response_not_found'
    | 'unknown_scenario'
    | StepRefusal['code'];
  readonly message: string;
  /** The part of the request that is wrong: the messages by default, null for a header. */
  readonly param?: string | null;
  /** The scenario nearest to a request that matches none. */
  readonly miss?: Pick<MissExplanation, 'nearest' | 'failed'>;
  /** The scenario that has no step left. */
  readonly pastEnd?: string;
}

/** The answer to a conversation. The protocol encodes `unpaired_results` as the error of its provider. */
export type Answer =
  | {
      readonly type: 'reply';
      readonly reply: Reply;
      /** Kind of the auxiliary request; absent for a scenario and the default response. */
      readonly auxiliary?: AuxiliaryAnswer['kind'];
      /** The expectations, the fault and the timing of the step; absent if no step answers. */
      readonly step?: Pick<Step, 'expect' | 'fault' | 'timing'>;
      /** The lock of the scenario; absent if it has none, or if no step answers. */
      readonly lock?: PromptLock | undefined;
      /** The service that the scenario names. */
      readonly service?: ServiceName | undefined;
    }
  | Refusal
  | UnpairedResults;

/** Further input of an answer. */
export interface AnswerOptions extends Omit<MatchOptions, 'pin'>, RequestFields {
  /** Result of `digestConversation`, if known. All ids derive from it. */
  readonly conversationDigest?: string;
}

/** Answers a conversation from the scenarios. `callIdPrefix` is that of the protocol. Pure. */
export function answerConversation(
  request: Conversation,
  set: ScenarioSet,
  callIdPrefix: string,
  options: AnswerOptions = {},
): Answer {
  const continued = continueConversation(request, set, callIdPrefix);
  if (continued.type === 'unknown_response') return refuseUnknownResponse(continued.id);
  const { conversation } = continued;
  const { conversationDigest = digestConversation(conversation).digest } = options;
  const pin = readPin(conversation.model, options, set);
  if (pin?.type === 'bad_pin') {
    return { type: 'refusal', code: 'unknown_scenario', message: pin.message, param: pin.param };
  }
  const outcome = matchConversation(conversation, set, { ...options, ...(pin !== undefined && { pin }) });
  if (outcome.type === 'unpaired_results') return outcome;
  // An agent sends its pinned model with auxiliary requests, too; a header or a step pins exactly this request.
  const isPinned = pin?.step !== undefined || options.headers?.['x-mock-scenario'] !== undefined;
  const auxiliary = isPinned ? undefined : answerAuxiliary(conversation, outcome, options);
  if (auxiliary !== undefined) {
    const reply = textReply(`auxiliary ${auxiliary.kind}`, auxiliary.content, conversation, conversationDigest);
    return { type: 'reply', reply, auxiliary: auxiliary.kind };
  }
  switch (outcome.type) {
    case 'match':
      return replyFromStep(outcome, conversation, callIdPrefix, { ...options, conversationDigest });
    case 'unmatched':
      return answerUnmatched(outcome, conversation, set, { ...options, conversationDigest });
    case 'past_last_step':
      return refusePastLastStep(outcome);
    default:
      return outcome satisfies never;
  }
}

type DigestedOptions = AnswerOptions & { readonly conversationDigest: string };

function replyFromStep(
  match: Match,
  conversation: Conversation,
  prefix: string,
  { headers, conversationDigest }: DigestedOptions,
): Answer {
  const expanded = expandStep(match, conversation, headers);
  if (expanded.type === 'refusal') return expanded;
  const { scenario, stepIndex } = match;
  const { content } = expanded;
  const reasoning = conversation.withoutReasoning ? undefined : expanded.reasoning;
  const digest = digestOf(scenario.name, String(stepIndex), conversationDigest);
  const toolCalls = expanded.toolCalls.map((call, callIndex) => ({
    ...call,
    id: call.id ?? generateCallId(prefix, scenario.name, { step: stepIndex, call: callIndex }, digest),
  }));
  const { finish = toolCalls.length > 0 ? 'tool_calls' : 'stop', usage } = match.step;
  const source = { scenario: scenario.name, step: stepIndex };
  const reply = replyOf(digest, conversation, { reasoning, content, toolCalls, finish, source }, usage);
  return { type: 'reply', reply, step: match.step, lock: scenario.lock, service: scenario.service };
}

function answerUnmatched(
  { texts }: Unmatched,
  conversation: Conversation,
  set: ScenarioSet,
  { headers = {}, secrets = [], conversationDigest }: DigestedOptions,
): Answer {
  if (set.defaultResponse !== undefined) {
    const content = expandDefault(set.defaultResponse, texts.at(-1));
    if (typeof content === 'object') return content;
    return { type: 'reply', reply: textReply('default_response', content, conversation, conversationDigest) };
  }
  const { message, ...miss } = explainMiss(conversation, set, { headers, secrets });
  return { type: 'refusal', code: 'no_scenario_matched', message, miss };
}

/** A text reply that comes from no scenario. `origin` makes its digest unique. */
function textReply(origin: string, content: string, conversation: Conversation, conversationDigest: string): Reply {
  const answer = { reasoning: undefined, content, toolCalls: [], finish: 'stop', source: undefined } as const;
  return replyOf(digestOf(origin, conversationDigest), conversation, answer);
}

function replyOf(
  digest: string,
  conversation: Conversation,
  answer: Omit<Reply, 'digest' | 'created' | 'model' | 'usage'>,
  usage?: Step['usage'],
): Reply {
  const { model } = conversation;
  return { digest, created: secondOf(digest), model, ...answer, usage: countUsage(conversation, answer, usage) };
}

function refusePastLastStep({ scenario }: PastLastStep): Refusal {
  const message =
    `The request has the tool results of step ${scenario.steps.length - 1}, the last of scenario "${scenario.name}". ` +
    'Add a step that answers them, for example {"response":{"content":"Done."}}.';
  return { type: 'refusal', code: 'past_last_step', message, pastEnd: scenario.name };
}

function refuseUnknownResponse(id: string): Refusal {
  const message =
    `Previous response with id '${id}' not found. Its scenario or step is not loaded; ` +
    'start the server with the scenarios that gave this response.';
  return { type: 'refusal', code: 'previous_response_not_found', message, param: 'previous_response_id' };
}

/** The explicit counts of a step, and estimates of the others that do not contradict them. */
function countUsage(
  conversation: Conversation,
  answer: Pick<Reply, 'reasoning' | 'content' | 'toolCalls'>,
  explicit: Step['usage'] = {},
): Usage {
  const { cached_tokens: cachedTokens = 0, reasoning_tokens: reasoning = 0 } = explicit;
  const inputTokens = explicit.input_tokens ?? Math.max(countTokens(conversation), cachedTokens);
  const outputTokens = explicit.output_tokens ?? Math.max(countOutputTokens(answer), reasoning);
  const reasoningTokens = explicit.reasoning_tokens ?? Math.min(estimateTokens(answer.reasoning ?? ''), outputTokens);
  return { inputTokens, cachedTokens, outputTokens, reasoningTokens };
}
