import type { Conversation } from '../../conversation/conversation.ts';
import { parseCallId } from '../../conversation/ids.ts';
import { tryJson } from '../../conversation/json.ts';
import { isSameServedTool } from '../../conversation/served-name.ts';
import { digestInMark, type EchoedTrace, HAS_PHASES, readTraces } from '../../conversation/traces.ts';
import type { Scenario, ScenarioSet } from '../../scenario/prepare.ts';
import { hasTemplate } from '../../scenario/templates.ts';
import {
  argumentsOfStep,
  type EchoedAnswer,
  type EchoedAnswerCall,
  includes,
  plain,
  readEchoedAnswers,
} from './echoed-answers.ts';
import { createMissingCalls } from './missing-calls.ts';

/** The rules for the answers that a client sends back, for `--allow`. No service refuses a request for one of them. */
export const HISTORY_RULES = [
  'history/text',
  'history/tool',
  'history/arguments',
  'history/order',
  'history/call',
  'history/result',
  'history/repeated',
  'history/reasoning',
  'history/signature',
  'history/phase',
] as const;
type HistoryRule = (typeof HISTORY_RULES)[number];

/** A difference between an answer as this server sent it and as the client sends it back. */
export interface HistoryFinding {
  readonly message: string;
  readonly rule: HistoryRule;
}

/** The request beside its conversation. */
export interface HistoryRequest {
  /** The body as the client sent it. */
  readonly json?: unknown;
  readonly started?: Scenario | undefined;
  /** The request asks for reasoning. */
  readonly thinks?: boolean;
  /** The request chooses among the calls of its answer, so that earlier answers may lack some. */
  readonly choosesCalls?: boolean;
  /** The output limit of the request, which has cut longer answers. */
  readonly maxTokens?: number | undefined;
}

/**
 * Compares the answers that a client sends back with the steps that gave them. What agents do on purpose, and what cannot
 * be known, is no finding: a shortened history, ids of others, merged messages, reasoning that is left out, the repair
 * of an answer with a fault, templates and intents. Pure.
 */
export function checkHistory(
  conversation: Conversation,
  set: ScenarioSet,
  request: HistoryRequest = {},
): readonly HistoryFinding[] {
  const answers = readEchoedAnswers(conversation, set, request.started);
  if (answers.length === 0) return NONE;
  const missingIn = createMissingCalls(answers, request);
  // A client repairs what a fault has broken, and the end of an answer that was cut.
  const whole = answers.filter(({ step }) => step.fault === undefined && step.finish !== 'length');
  return [
    ...whole.flatMap((answer) => [
      ...checkText(answer),
      ...answer.calls.flatMap((call) => checkCall(answer, call)),
      ...checkOrder(answer, conversation),
      ...missingIn(answer).map((reason) => finding('history/call', reason)),
    ]),
    ...checkSequence(answers),
    ...checkResults(conversation, answers),
    ...checkTraces(conversation, whole, request),
  ];
}

const NONE: readonly HistoryFinding[] = [];

/** Thinking and calls that a model writes into its text, which clients take out of it. */
const MARKUP = /<[/|a-z]|\[TOOL_CALLS\]/i;

/** The text of a step as a client must send it back; undefined if that cannot be known. */
function textOfStep({ step: { content, blocks } }: EchoedAnswer): string | undefined {
  const isKnown = content !== undefined && blocks === undefined && !hasTemplate(content) && !MARKUP.test(content);
  return isKnown && content.trim() !== '' ? plain(content) : undefined;
}

/** A text that a limit has cut is the start of the text of the step. */
function checkText(answer: EchoedAnswer): readonly HistoryFinding[] {
  const { label, texts, calls } = answer;
  const sent = textOfStep(answer);
  // A reference to an item stands for its text, and calls that a client took one by one have it only once.
  if (sent === undefined || calls.some(({ part }) => part.name === '')) return [];
  if (calls.length > 0 && calls.every(({ call }) => call !== 0)) return [];
  if (texts.some(({ text }) => text.startsWith('msg_'))) return [];
  const text = plain(texts.map((each) => each.text).join('\n'));
  const isTwice = text.split(sent).length > 2 && texts.filter((each) => plain(each.text) === sent).length > 1;
  if (isTwice || (text.startsWith(sent) && text === `${sent}${sent}`)) {
    return [finding('history/repeated', `the text of ${label} is there twice`)];
  }
  if (text.includes(sent)) return [];
  if (text === '') return [finding('history/text', `the text of ${label} is missing beside its calls`)];
  return sent.startsWith(text) ? [] : [finding('history/text', `the text of ${label} is not the one that was sent`)];
}

function checkCall({ label }: EchoedAnswer, { part, sent }: EchoedAnswerCall): HistoryFinding[] {
  if (sent.type === 'intent' || hasTemplate(sent.name) || part.name === '') return [];
  const findings: HistoryFinding[] = [];
  if (part.name !== sent.name && !part.name.endsWith(sent.name) && !isSameServedTool(sent, part)) {
    findings.push(finding('history/tool', `the call ${part.id} of ${label} was to ${sent.name}, not to ${part.name}`));
  }
  // Arguments that are not an object were broken when they were sent. Further fields are defaults that the client fills in.
  if (part.input === 'text' || sent.arguments.startsWith(part.arguments)) return findings;
  const before = argumentsOfStep(sent);
  if (before !== undefined && !includes(tryJson(part.arguments), before))
    findings.push(finding('history/arguments', `the arguments of the call ${part.id} of ${label} have changed`));
  return findings;
}

/** Protocols whose messages have no order of text and calls. */
const UNORDERED: readonly Conversation['protocol'][] = ['openai-chat', 'ollama'];

function checkOrder(answer: EchoedAnswer, { protocol }: Conversation): HistoryFinding[] {
  const { label, calls, texts } = answer;
  const isOrdered = calls.every(({ call }, index) => index === 0 || call > Number(calls[index - 1]?.call));
  if (!isOrdered) return [finding('history/order', `the calls of ${label} are not in their order`)];
  const sent = textOfStep(answer);
  const first = calls.find(({ call }) => call === 0);
  if (sent === undefined || first === undefined || UNORDERED.includes(protocol)) return [];
  const own = texts.filter(({ text }) => plain(text) === sent);
  const isLate = own.length > 0 && own.every(({ place }) => place > first.place);
  return isLate ? [finding('history/order', `the text of ${label} comes after its calls`)] : [];
}

/** The answers of one run come in the order of their steps, and each is there once. */
function checkSequence(answers: readonly EchoedAnswer[]): HistoryFinding[] {
  const seen = new Set<string>();
  return answers.flatMap(({ label, scenario, stepIndex, run, digest, calls }, index) => {
    const previous = answers[index - 1];
    const isSameRun = previous?.run === run && previous.scenario === scenario;
    // Without a digest, only adjacent answers can be recognized as one.
    const keys = digest === undefined ? [] : calls.map(({ call }) => `${scenario.name} ${stepIndex} ${call} ${digest}`);
    const isRepeated =
      digest === undefined ? isSameRun && previous.stepIndex === stepIndex : keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    if (isRepeated) return [finding('history/repeated', `the answer of ${label} is there twice`)];
    const isBack = isSameRun && stepIndex < previous.stepIndex;
    return isBack ? [finding('history/order', `the answer of ${label} comes after that of ${previous.label}`)] : [];
  });
}

/** The results of the calls of this server: one for each, before the next answer, under its id. */
function checkResults({ messages }: Conversation, answers: readonly EchoedAnswer[]): HistoryFinding[] {
  const open = new Map<string, { count: number; before: number }>();
  for (const [index, { calls, digest }] of answers.entries()) {
    const next = answers.find((other, place) => place > index && other.calls.length > 0 && other.digest !== digest);
    for (const { part } of calls) {
      const count = (open.get(part.id)?.count ?? 0) + 1;
      open.set(part.id, { count, before: next?.after ?? Number.POSITIVE_INFINITY });
    }
  }
  return messages.flatMap(({ role, parts, index }) =>
    (role === 'user' ? parts : []).flatMap((part): HistoryFinding[] => {
      if (part.type !== 'tool_result') return [];
      const { callId, statedId } = part;
      const call = open.get(callId);
      if (statedId !== undefined && (parseCallId(callId) ?? parseCallId(statedId)) !== undefined) {
        return [finding('history/result', `the result of the call ${callId} has the id ${statedId}`)];
      }
      if (call === undefined) return [];
      call.count -= 1;
      if (call.count < 0) return [finding('history/result', `the call ${callId} has more than one result`)];
      if (index <= call.before) return [];
      return [finding('history/order', `the result of the call ${callId} comes after a later answer`)];
    }),
  );
}

/** Signatures that Google gives to clients for calls of other models. */
const DUMMIES = /^(?:skip_thought_signature_validator|context_engineering_is_the_way_to_go)$/;

/** Reasoning, signatures and phases. Reasoning may be left out, but not that of the last answer alone. */
function checkTraces(
  { protocol, model, messages }: Conversation,
  answers: readonly EchoedAnswer[],
  { json, thinks = true }: HistoryRequest,
): HistoryFinding[] {
  // The wire compares the signatures of Claude with their texts.
  const isClaude = protocol === 'anthropic-messages' || protocol === 'bedrock-converse';
  const known = answers.filter(({ step }) => step.blocks === undefined && step.native === undefined);
  const hasPhases = protocol === 'openai-responses';
  if (!hasPhases && known.every(({ step }) => step.reasoning === undefined)) return [];
  const traces = readTraces(protocol, json);
  const tracesOf = ({ after, before }: EchoedAnswer) => traces.filter(({ index }) => index > after && index < before);
  const lastPrompt = messages.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.every(({ type }) => type === 'text'),
  );
  const running = messages[lastPrompt]?.index ?? -1;
  return known.flatMap((answer, position): readonly HistoryFinding[] => {
    const own = tracesOf(answer);
    const isLast = position === known.length - 1 && answer.after >= running;
    const others = known.filter((other) => other !== answer).flatMap(tracesOf);
    const findings = checkPhase(answer, { own, others, model });
    if (answer.step.reasoning === undefined) return findings;
    return [...findings, ...checkReasoning(answer, { own, others: isLast && thinks ? others : [], isClaude })];
  });
}

/** The traces of an answer, and those of others that it should have, too. */
interface Traces {
  readonly own: readonly EchoedTrace[];
  readonly others: readonly EchoedTrace[];
}

function checkReasoning(
  { label, step, digest }: EchoedAnswer,
  { own, others, isClaude }: Traces & { readonly isClaude: boolean },
): HistoryFinding[] {
  const thoughts = own.flatMap((trace) => (trace.type === 'reasoning' ? [trace] : []));
  const marks = own.flatMap(markOf);
  const hadThoughts = others.some(({ type }) => type === 'reasoning');
  const hadMarks = others.flatMap(markOf).length > 0;
  if (thoughts.length === 0 && hadThoughts && marks.length === 0) {
    return [finding('history/reasoning', `the reasoning of ${label} is missing, that of other answers is there`)];
  }
  const text = plain(thoughts.map((thought) => thought.text).join('\n'));
  const sent = plain(step.reasoning ?? '');
  const isTemplate = hasTemplate(step.reasoning ?? '');
  if (text !== '' && !isTemplate && !sent.startsWith(text)) {
    return [finding('history/reasoning', `the reasoning of ${label} is not the one that was sent`)];
  }
  const isForeign = marks.some((mark) => {
    if (DUMMIES.test(mark) || isClaude) return false;
    const found = digestInMark(mark);
    return found === undefined || (digest !== undefined && !found.startsWith(digest));
  });
  if (isForeign) return [finding('history/signature', `the signature of ${label} is not the one that was sent`)];
  const called = own.findIndex(({ type }) => type === 'call');
  const thought = own.findIndex(({ type }) => type === 'reasoning');
  if (called !== -1 && thought > called) {
    return [finding('history/order', `the reasoning of ${label} comes after its calls`)];
  }
  if (marks.length === 0 && hadMarks) {
    return [finding('history/signature', `the signature of ${label} is missing, that of other answers is there`)];
  }
  return [];
}

function markOf(trace: EchoedTrace): readonly string[] {
  return trace.type === 'phase' || trace.mark === undefined ? [] : [trace.mark];
}

/** The phase of the text of an answer. Another text beside it may be that of another answer. */
function checkPhase(
  answer: EchoedAnswer,
  { own, others, model }: Traces & { readonly model: string },
): readonly HistoryFinding[] {
  const sent = textOfStep(answer);
  if (!HAS_PHASES.test(model) || sent === undefined) return [];
  const { label, calls } = answer;
  const expected = calls.length > 0 ? 'commentary' : 'final_answer';
  const isKept = others.some((trace) => trace.type === 'phase' && trace.phase !== undefined);
  return own.flatMap((trace) => {
    if (trace.type !== 'phase' || plain(trace.text) !== sent || trace.phase === expected) return [];
    if (trace.phase !== undefined) {
      return [finding('history/phase', `the phase of the text of ${label} is ${trace.phase}, not ${expected}`)];
    }
    if (!isKept) return [];
    return [finding('history/phase', `the phase of the text of ${label} is missing, that of other texts is there`)];
  });
}

function finding(rule: HistoryRule, reason: string): HistoryFinding {
  return { rule, message: `The history has changed: ${reason}. (rule ${rule})` };
}
