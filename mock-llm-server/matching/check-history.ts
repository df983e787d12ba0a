import type { Conversation, ToolCallPart } from '../conversation/conversation.ts';
import { type GeneratedCallId, parseCallId } from '../conversation/ids.ts';
import { isJsonObject, tryJson } from '../conversation/json.ts';
import { isSameServedTool } from '../conversation/served-name.ts';
import type { ScenarioSet, Step, StepToolCall } from '../scenario/prepare.ts';
import { hasTemplate } from '../scenario/templates.ts';

/** The rules for the answers that a client sends back, for `--allow`. No service refuses a request for one of them. */
export const HISTORY_RULES = [
  'history/text',
  'history/tool',
  'history/arguments',
  'history/order',
  'history/call',
] as const;
type HistoryRule = (typeof HISTORY_RULES)[number];

/** A difference between an answer as this server sent it and as the client sends it back. */
export interface HistoryFinding {
  readonly message: string;
  readonly rule: HistoryRule;
}

/** An answer in the history, by the ids of its calls. */
interface EchoedAnswer {
  readonly label: string;
  readonly step: Step;
  readonly texts: readonly string[];
  readonly calls: readonly {
    readonly part: ToolCallPart;
    readonly position: GeneratedCallId;
    readonly sent: StepToolCall;
  }[];
}

/**
 * Compares the answers that a client sends back with the steps that gave them, which the ids of their calls name. What
 * agents do on purpose, and what cannot be known, is no finding: a shortened history, ids of others, merged messages, the
 * repair of an answer with a fault, templates and intents. Pure.
 */
export function checkHistory(conversation: Conversation, set: ScenarioSet): readonly HistoryFinding[] {
  const answers = readAnswers(conversation, set);
  return answers.flatMap((answer, index) => {
    const { step, calls } = answer;
    // A client repairs what a fault has broken, and the end of an answer that was cut.
    if (step.fault !== undefined || step.finish === 'length') return [];
    return [
      ...checkText(answer),
      ...calls.flatMap((call) => checkCall(answer, call)),
      ...checkOrder(answer),
      // The first answer may be the rest of a shortened history.
      ...(index === 0 ? [] : checkMissing(answer, answers)),
    ];
  });
}

function readAnswers({ messages }: Conversation, set: ScenarioSet): readonly EchoedAnswer[] {
  const answers: EchoedAnswer[] = [];
  let texts: string[] = [];
  let parts: ToolCallPart[] = [];
  const end = () => {
    const byStep = new Map<string, EchoedAnswer['calls'][number][]>();
    for (const part of parts) {
      const position = parseCallId(part.id);
      const sent = position && set.byTag.get(position.scenarioTag)?.steps[position.step]?.toolCalls[position.call];
      if (position === undefined || sent === undefined) continue;
      const key = `${position.scenarioTag} ${position.step} ${position.digest}`;
      byStep.set(key, [...(byStep.get(key) ?? []), { part, position, sent }]);
    }
    const isAlone = byStep.size === 1;
    for (const calls of byStep.values()) {
      const [first] = calls;
      const scenario = first && set.byTag.get(first.position.scenarioTag);
      const step = first && scenario?.steps[first.position.step];
      if (step === undefined || scenario === undefined) continue;
      const label = `step ${first?.position.step} of scenario "${scenario.name}"`;
      // Texts of two answers that became one cannot be told apart.
      answers.push({ label, step: isAlone ? step : { ...step, content: undefined }, texts, calls });
    }
    texts = [];
    parts = [];
  };
  for (const { role, parts: content, index } of messages) {
    if (role === 'user') {
      end();
      continue;
    }
    for (const part of content) {
      // The answer that a request continues is not in it.
      if (part.type === 'tool_call' && index >= 0) parts.push(part);
      if (part.type === 'text') texts.push(part.text);
    }
  }
  end();
  return answers;
}

/** Thinking and calls that a model writes into its text, which clients take out of it. */
const MARKUP = /<[/|a-z]|\[TOOL_CALLS\]/i;

/** A text that a limit has cut is the start of the text of the step. */
function checkText({ label, step, texts, calls }: EchoedAnswer): HistoryFinding[] {
  const { content, blocks } = step;
  // A reference to an item stands for its text, and calls that a client took one by one have it only once.
  const isKnown =
    content !== undefined &&
    blocks === undefined &&
    !hasTemplate(content) &&
    !MARKUP.test(content) &&
    content.trim() !== '';
  if (!isKnown || calls.some(({ part }) => part.name === '') || calls[0]?.position.call !== 0) return [];
  const text = textOf(texts.join('\n'));
  const sent = textOf(content);
  if (text.includes(sent) || texts.some((each) => each.startsWith('msg_'))) return [];
  if (text === '') return [finding('history/text', `the text of ${label} is missing beside its calls`)];
  return sent.startsWith(text) ? [] : [finding('history/text', `the text of ${label} is not the one that was sent`)];
}

function textOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function checkCall({ label }: EchoedAnswer, { part, sent }: EchoedAnswer['calls'][number]): HistoryFinding[] {
  if (sent.type === 'intent' || hasTemplate(sent.name) || part.name === '') return [];
  const findings: HistoryFinding[] = [];
  if (part.name !== sent.name && !part.name.endsWith(sent.name) && !isSameServedTool(sent, part)) {
    findings.push(finding('history/tool', `the call ${part.id} of ${label} was to ${sent.name}, not to ${part.name}`));
  }
  if (part.input === 'text' || hasTemplate(sent.arguments)) return findings;
  const before = tryJson(sent.arguments);
  const after = tryJson(part.arguments);
  // Arguments that are not an object were broken when they were sent. Further fields are defaults that the client fills in.
  if (!isJsonObject(before) || sent.arguments.startsWith(part.arguments)) return findings;
  const isSame = isJsonObject(after) && Object.entries(before).every(([key, value]) => isEqual(value, after[key]));
  if (!isSame)
    findings.push(finding('history/arguments', `the arguments of the call ${part.id} of ${label} have changed`));
  return findings;
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
    );
  }
  if (!isJsonObject(one)) return one === other;
  return isJsonObject(other) && Object.entries(one).every(([key, value]) => isEqual(value, other[key]));
}

function checkOrder({ label, calls }: EchoedAnswer): HistoryFinding[] {
  const isOrdered = calls.every(
    ({ position }, index) => index === 0 || position.call > Number(calls[index - 1]?.position.call),
  );
  return isOrdered ? [] : [finding('history/order', `the calls of ${label} are not in their order`)];
}

/** A limit cuts the last calls of an answer; one before a call that is there was dropped. */
function checkMissing({ label, calls }: EchoedAnswer, answers: readonly EchoedAnswer[]): HistoryFinding[] {
  const [first] = calls;
  const last = Math.max(...calls.map(({ position }) => position.call));
  if (first === undefined || !Number.isFinite(last)) return [];
  const present = answers
    .flatMap((answer) => answer.calls)
    .filter(({ position }) => position.digest === first.position.digest && position.step === first.position.step)
    .map(({ position }) => position.call);
  const missing = Array.from({ length: last }, (_, call) => call).filter((call) => !present.includes(call));
  return missing.map((call) => finding('history/call', `call ${call} of ${label} is missing, call ${last} is there`));
}

function finding(rule: HistoryRule, reason: string): HistoryFinding {
  return { rule, message: `The history has changed: ${reason}. (rule ${rule})` };
}
