import type {
  Conversation,
  OfferedTool,
  Reply,
  ReplyToolCall,
  ServiceName,
  ToolChoice,
  Usage,
} from '../conversation/conversation.ts';
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
import { type MetadataPin, readPin } from '../matching/pin.ts';
import { continueConversation } from '../matching/recall-calls.ts';
import { type AuxiliaryAnswer, answerAuxiliary, titleOf } from '../reply/auxiliary.ts';
import { type ExpandedStep, expandDefault, expandStep, type StepRefusal } from '../reply/expand-step.ts';
import { explainForced, type ForcedCall, forceCall, requiredTools } from '../reply/forced-call.ts';
import { jsonFromSchema } from '../reply/json-from-schema.ts';
import type { Scenario, ScenarioSet, Step } from '../scenario/prepare.ts';
import { bypassNotes, repeatNotes } from './notes.ts';

/** A refusal by the server itself. The message says what to change. */
export interface Refusal {
  readonly type: 'refusal';
  readonly code:
    | 'no_scenario_matched'
    | 'past_last_step'
    | 'previous_response_not_found'
    | 'tool_call_required'
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
      /** Notes on the request, for log and journal. */
      readonly notes?: readonly string[];
      /** Kind of the auxiliary request; absent for a scenario and the default response. */
      readonly auxiliary?: AuxiliaryAnswer['kind'];
      /** The expectations, the fault, the timing and the window of the step; absent if no step answers. */
      readonly step?: Pick<Step, 'expect' | 'statesTools' | 'fault' | 'timing' | 'window'>;
      /** The scenario; absent if no step answers. */
      readonly scenario?: Scenario;
    }
  | Refusal
  | UnpairedResults;

/** Further input of an answer. */
export interface AnswerOptions extends Omit<MatchOptions, 'pin'>, RequestFields {
  /** Result of `digestConversation`, if known. All ids derive from it. */
  readonly conversationDigest?: string;
  /** The rule of the request for tool calls. */
  readonly toolChoice?: ToolChoice | undefined;
  readonly metadata?: MetadataPin | undefined;
  /** False for a request that turns reasoning off. */
  readonly thinks?: boolean;
  /** True for a service of a scenario that answers without the results. */
  readonly isLenient?: (service: ServiceName) => boolean;
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
  const pin = readPin(conversation.model, options, set, options.metadata);
  if (pin?.type === 'bad_pin') {
    return { type: 'refusal', code: 'unknown_scenario', message: pin.message, param: pin.param };
  }
  const matching = { ...options, ...(pin !== undefined && { pin }) };
  const strict = matchConversation(conversation, set, matching);
  const unpaired = strict.type === 'unpaired_results';
  const outcome = unpaired ? matchConversation(conversation, set, { ...matching, pairing: 'none' }) : strict;
  if (outcome.type === 'unpaired_results') return outcome;
  const { service } = outcome.type === 'match' ? outcome.scenario : {};
  if (unpaired && !(service !== undefined && options.isLenient?.(service))) return strict;
  // An agent sends its pinned model with auxiliary requests, too; a header, metadata or a step pin exactly this request.
  const isNamed = options.headers?.['x-mock-scenario'] !== undefined || options.metadata?.scenario !== undefined;
  const isPinned = pin?.step !== undefined || isNamed;
  const auxiliary = isPinned ? undefined : answerAuxiliary(conversation, outcome, options);
  if (auxiliary !== undefined) {
    const reply = textReply(`auxiliary ${auxiliary.kind}`, auxiliary.content, conversation, conversationDigest);
    return { type: 'reply', reply, auxiliary: auxiliary.kind };
  }
  switch (outcome.type) {
    case 'match':
      return replyFromStep(outcome, conversation, callIdPrefix, { ...options, conversationDigest });
    case 'unmatched':
      return answerUnmatched(outcome, conversation, set, callIdPrefix, { ...options, conversationDigest });
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
  { headers, conversationDigest, toolChoice, thinks = true }: DigestedOptions,
): Answer {
  const step = expandStep(match, conversation, headers);
  const expanded = step.type === 'refusal' ? step : callRequired(step, match, conversation, toolChoice);
  if (expanded.type === 'refusal') return expanded;
  const { scenario, stepIndex } = match;
  const { content } = expanded;
  // A native answer has the reasoning that its service sent, whatever was asked for.
  const reasoning = thinks || match.step.native?.protocol === conversation.protocol ? expanded.reasoning : undefined;
  const digest = digestOf(scenario.name, String(stepIndex), conversationDigest);
  const toolCalls = expanded.toolCalls.map((call, callIndex) => ({
    ...call,
    id: call.id ?? generateCallId(prefix, scenario.name, { step: stepIndex, call: callIndex }, digest),
  }));
  const { finish = toolCalls.length > 0 ? 'tool_calls' : 'stop', nativeFinish, usage } = match.step;
  const source = { scenario: scenario.name, step: stepIndex };
  const { native } = match.step;
  const isNative = native?.protocol === conversation.protocol;
  const { blocks } = expanded;
  const parts = {
    reasoning,
    content,
    toolCalls,
    finish,
    ...(nativeFinish && { nativeFinish }),
    source,
    ...(blocks && { blocks }),
    ...(isNative && { native }),
  };
  const reply = replyOf(digest, conversation, parts, usage);
  return {
    type: 'reply',
    reply,
    notes: [...repeatNotes(match), ...bypassNotes(match, toolCalls, conversation)],
    step: match.step,
    scenario,
  };
}

function answerUnmatched(
  { texts }: Unmatched,
  conversation: Conversation,
  set: ScenarioSet,
  prefix: string,
  { headers = {}, secrets = [], conversationDigest, toolChoice }: DigestedOptions,
): Answer {
  const required = requiredTools(conversation, toolChoice);
  const [only, ...others] = required;
  const reply = (call: ForcedCall) => forcedReply(call, conversation, prefix, conversationDigest);
  const content = set.defaultResponse && expandDefault(set.defaultResponse, texts.at(-1));
  if (typeof content === 'string' && required.length > 0) {
    const call = forceCall(content, required);
    if (call !== undefined) return { type: 'reply', reply: reply(call) };
  }
  if (only?.input === 'json' && others.length === 0) {
    const instance = jsonFromSchema(only.parameters ?? {}, titleOf(conversation, { secrets }));
    return {
      type: 'reply',
      reply: reply({ tool: only, arguments: JSON.stringify(instance) }),
      auxiliary: 'schema',
    };
  }
  if (content !== undefined) {
    if (typeof content === 'object') return content;
    if (required.length > 0) return refuseText('The default_response', required, toolChoice);
    return { type: 'reply', reply: textReply('default_response', content, conversation, conversationDigest) };
  }
  const { message, ...miss } = explainMiss(conversation, set, { headers, secrets });
  return { type: 'refusal', code: 'no_scenario_matched', message, miss };
}

/** A step with the call that the request requires in place of its text. One that ends otherwise, or fails, stays. */
function callRequired(
  step: ExpandedStep,
  { scenario, stepIndex, step: { finish, fault, native } }: Match,
  conversation: Conversation,
  toolChoice: ToolChoice | undefined,
): ExpandedStep | Refusal {
  const required = requiredTools(conversation, toolChoice);
  if (required.length === 0 || step.toolCalls.length > 0 || finish !== undefined || fault !== undefined) return step;
  // A service has answered so.
  if (native?.protocol === conversation.protocol) return step;
  const call = forceCall(step.content ?? '', required);
  if (call === undefined) return refuseText(`Step ${stepIndex} of scenario "${scenario.name}"`, required, toolChoice);
  return { ...step, content: undefined, toolCalls: [{ id: undefined, ...callOf(call) }] };
}

function refuseText(label: string, required: readonly OfferedTool[], toolChoice: ToolChoice | undefined): Refusal {
  const message = explainForced(label, required, toolChoice?.text ?? '');
  return { type: 'refusal', code: 'tool_call_required', message, param: 'tool_choice' };
}

/** The reply with a call that comes from no scenario. */
function forcedReply(call: ForcedCall, conversation: Conversation, prefix: string, conversationDigest: string): Reply {
  const digest = digestOf('required call', conversationDigest);
  const id = generateCallId(prefix, call.tool.name, { step: 0, call: 0 }, digest);
  const toolCalls = [{ id, ...callOf(call) }];
  const answer = {
    reasoning: undefined,
    content: undefined,
    toolCalls,
    finish: 'tool_calls',
    source: undefined,
  } as const;
  return replyOf(digest, conversation, answer);
}

function callOf({ tool, arguments: text }: ForcedCall): Omit<ReplyToolCall, 'id'> {
  const { name, namespace, input } = tool;
  return { name, ...(namespace !== undefined && { namespace }), input, arguments: text };
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
