import { createHash, type Hash, hash } from 'node:crypto';
import type { Conversation, Reply } from '../conversation/conversation.ts';
import { countTokens, estimateTokens } from '../conversation/estimate-tokens.ts';
import { digestOf, generateCallId, secondOf } from '../conversation/ids.ts';
import type { RequestFields } from '../journal/redact.ts';
import { explainMiss, type MissExplanation } from '../matching/explain-miss.ts';
import { type Match, type MatchOptions, matchConversation, type PastLastStep } from '../matching/match.ts';
import type { UnpairedResults } from '../matching/pair-results.ts';
import { readPin } from '../matching/pin.ts';
import { continueConversation } from '../matching/recall-calls.ts';
import { type AuxiliaryAnswer, answerAuxiliary } from '../reply/auxiliary.ts';
import { expandStep, type StepRefusal } from '../reply/expand-step.ts';
import type { ScenarioSet, Step } from '../scenario/prepare.ts';

/** A refusal of the server itself. The message says what to change. */
export interface Refusal {
  readonly type: 'refusal';
  readonly code:
    | 'no_scenario_matched'
    | 'past_last_step'
    | 'previous_response_not_found'
    | 'unknown_scenario'
    | StepRefusal['code'];
  readonly message: string;
  /** The part of the request that is wrong: the messages if left out, null for a header. */
  readonly param?: string | null;
  /** The nearest scenario of a request that matches none. */
  readonly miss?: Pick<MissExplanation, 'nearest' | 'failed'>;
}

/** Answer to a conversation. Each protocol words the error for `unpaired_results` as its provider does. */
export type Answer =
  | {
      readonly type: 'reply';
      readonly reply: Reply;
      /** Kind of the auxiliary request that it answers; absent for a scenario and the default response. */
      readonly auxiliary?: AuxiliaryAnswer['kind'];
      /** Says how to send the answer; absent if no step answers. */
      readonly step?: Pick<Step, 'fault' | 'timing'>;
    }
  | Refusal
  | UnpairedResults;

/** Input beside the conversation. */
export interface AnswerOptions extends Omit<MatchOptions, 'pin'>, RequestFields {
  /** Result of `digestConversation`, if known. All ids derive from it. */
  readonly conversationDigest?: string;
}

/** Texts from this length on are hashed by themselves, without being copied. */
const MIN_LARGE = 512;

/**
 * Digest of everything in a conversation: different for different conversations, equal for equal ones in any process.
 * Long texts are hashed one by one, because one JSON text of them all costs more than the hash.
 */
export function digestConversation({ messages, ...head }: Conversation): string {
  let digest: Hash | undefined;
  let pending = JSON.stringify(head);
  // Each text follows its length, so that no two conversations give the same bytes.
  const add = (text: string) => {
    pending += `,${text.length}:`;
    if (text.length < MIN_LARGE) {
      pending += text;
    } else {
      digest ??= createHash('sha256');
      digest.update(pending).update(text);
      pending = '';
    }
  };
  for (const { role, index, parts } of messages) {
    pending += `;${role}${index}`;
    for (const part of parts) {
      pending += `.${part.type}`;
      switch (part.type) {
        case 'text':
          add(part.text);
          break;
        case 'tool_call':
          add(part.id);
          add(part.name);
          add(part.arguments);
          pending += JSON.stringify([part.input, part.position]);
          break;
        case 'tool_result':
          add(part.callId);
          add(part.content);
          pending += String(part.isError);
          break;
        default:
          part satisfies never;
      }
    }
  }
  return digest === undefined ? hash('sha256', pending, 'hex') : digest.update(pending).digest('hex');
}

/** Answers a conversation from the scenarios. `callIdPrefix` starts the ids of tool calls in the protocol. Pure. */
export function answerConversation(
  request: Conversation,
  set: ScenarioSet,
  callIdPrefix: string,
  options: AnswerOptions = {},
): Answer {
  const continued = continueConversation(request, set, callIdPrefix);
  if (continued.type === 'unknown_response') return refuseUnknownResponse(continued.id);
  const { conversation } = continued;
  const { conversationDigest = digestConversation(conversation) } = options;
  const pin = readPin(conversation.model, options, set);
  if (pin?.type === 'bad_pin') {
    return { type: 'refusal', code: 'unknown_scenario', message: pin.message, param: pin.param };
  }
  const outcome = matchConversation(conversation, set, { ...options, ...(pin !== undefined && { pin }) });
  if (outcome.type === 'unpaired_results') return outcome;
  // A pin in a header is meant for this request; a pinned model goes with every request of an agent.
  const isMeant = pin?.step !== undefined || options.headers?.['x-mock-scenario'] !== undefined;
  const auxiliary = isMeant ? undefined : answerAuxiliary(conversation, outcome, options);
  if (auxiliary !== undefined) {
    const reply = textReply(`auxiliary ${auxiliary.kind}`, auxiliary.content, conversation, conversationDigest);
    return { type: 'reply', reply, auxiliary: auxiliary.kind };
  }
  switch (outcome.type) {
    case 'match':
      return replyFromStep(outcome, conversation, callIdPrefix, { ...options, conversationDigest });
    case 'unmatched':
      return answerUnmatched(conversation, set, { ...options, conversationDigest });
    case 'past_last_step':
      return refusePastLastStep(outcome);
    default:
      return outcome satisfies never;
  }
}

type KnownRequest = AnswerOptions & { readonly conversationDigest: string };

function replyFromStep(
  match: Match,
  conversation: Conversation,
  prefix: string,
  { headers, conversationDigest }: KnownRequest,
): Answer {
  const expanded = expandStep(match, conversation, headers);
  if (expanded.type === 'refusal') return expanded;
  const { scenario, stepIndex } = match;
  const { reasoning, content } = expanded;
  const digest = digestOf(scenario.name, String(stepIndex), conversationDigest);
  const toolCalls = expanded.toolCalls.map((call, callIndex) => ({
    ...call,
    id: call.id ?? generateCallId(prefix, scenario.name, { step: stepIndex, call: callIndex }, digest),
  }));
  const output = [reasoning ?? '', content ?? '', ...toolCalls.map((call) => call.name + call.arguments)];
  const reply: Reply = {
    ...frame(digest, conversation, output),
    reasoning,
    content,
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    source: { scenario: scenario.name, step: stepIndex },
  };
  return { type: 'reply', reply, step: match.step };
}

function answerUnmatched(
  conversation: Conversation,
  set: ScenarioSet,
  { headers = {}, secrets = [], conversationDigest }: KnownRequest,
): Answer {
  if (set.defaultResponse !== undefined) {
    return {
      type: 'reply',
      reply: textReply('default_response', set.defaultResponse, conversation, conversationDigest),
    };
  }
  const { message, ...miss } = explainMiss(conversation, set, { headers, secrets });
  return { type: 'refusal', code: 'no_scenario_matched', message, miss };
}

/** A reply of no scenario. `origin` distinguishes its digest. */
function textReply(origin: string, content: string, conversation: Conversation, conversationDigest: string): Reply {
  const base = frame(digestOf(origin, conversationDigest), conversation, [content]);
  return { ...base, reasoning: undefined, content, toolCalls: [], finish: 'stop', source: undefined };
}

function refusePastLastStep({ scenario }: PastLastStep): Refusal {
  const message =
    `Scenario "${scenario.name}" has no step after its last, number ${scenario.steps.length - 1} counted from 0, and ` +
    'the request brings the tool results of that one. Add a step that answers them, for example ' +
    '{"response":{"content":"Done."}}.';
  return { type: 'refusal', code: 'past_last_step', message };
}

function refuseUnknownResponse(id: string): Refusal {
  const message =
    `Previous response with id '${id}' not found. It names a scenario or a step that is not loaded here; ` +
    'start the server with the scenarios that gave the answer.';
  return { type: 'refusal', code: 'previous_response_not_found', message, param: 'previous_response_id' };
}

function frame(digest: string, conversation: Conversation, output: readonly string[]) {
  const usage = { inputTokens: countTokens(conversation), outputTokens: estimateTokens(output.join('')) };
  return { digest, created: secondOf(digest), model: conversation.model, usage };
}
