import type { Conversation, JsonObject, ToolCallPart } from '../../conversation/conversation.ts';
import { parseCallId } from '../../conversation/ids.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import type { Scenario, ScenarioSet, Step, StepToolCall } from '../../scenario/prepare.ts';
import { hasTemplate } from '../../scenario/templates.ts';

/** A call in the history with the call of the step that it answers for. `place` is that among texts and calls. */
export interface EchoedAnswerCall {
  readonly part: ToolCallPart;
  readonly call: number;
  readonly sent: StepToolCall;
  readonly place: number;
}

/** An answer of a step in the history. */
export interface EchoedAnswer {
  readonly label: string;
  readonly scenario: Scenario;
  readonly stepIndex: number;
  /** Without content and reasoning if texts of several answers became one. */
  readonly step: Step;
  /** Start of its digest; undefined if no id has it. */
  readonly digest: string | undefined;
  readonly texts: readonly { readonly text: string; readonly place: number }[];
  readonly calls: readonly EchoedAnswerCall[];
  /** The indexes of the messages of the user before and after it. */
  readonly after: number;
  readonly before: number;
  /** Number of prompts before it. */
  readonly run: number;
  /** The prompt right before it. */
  readonly prompt: string | undefined;
}

/** The parts of neighbouring messages of the assistant. */
interface Group extends Pick<EchoedAnswer, 'after' | 'before' | 'run' | 'prompt'> {
  readonly texts: { readonly text: string; readonly place: number }[];
  readonly calls: { readonly part: ToolCallPart; readonly place: number }[];
}

type Found = Pick<EchoedAnswer, 'scenario' | 'stepIndex' | 'digest' | 'calls'>;
type Located = Omit<Found, 'calls'> & Pick<EchoedAnswerCall, 'call' | 'sent'>;

/** Protocols whose calls may have no ids. */
const WITHOUT_IDS: readonly Conversation['protocol'][] = ['gemini', 'ollama'];

/**
 * The answers of the server in a history: by the ids of their calls or, in protocols without ids, by their content in the
 * order of the steps of `started`, the scenario that answers. An answer without calls follows from the one before it.
 */
export function readEchoedAnswers(
  conversation: Conversation,
  set: ScenarioSet,
  started: Scenario | undefined,
): readonly EchoedAnswer[] {
  const byContent = WITHOUT_IDS.includes(conversation.protocol) ? started : undefined;
  const answers: EchoedAnswer[] = [];
  for (const group of groupsOf(conversation)) {
    const located = group.calls.flatMap(({ part, place }) => {
      const found = locate(part, set);
      return found === undefined ? [] : [{ ...found, part, place }];
    });
    const byStep = new Map<string, (typeof located)[number][]>();
    for (const call of located) {
      const key = `${call.scenario.name} ${call.stepIndex} ${call.digest}`;
      byStep.set(key, [...(byStep.get(key) ?? []), call]);
    }
    for (const calls of byStep.values()) {
      const [first] = calls;
      if (first !== undefined) answers.push(answerOf(group, { ...first, calls }, byStep.size === 1));
    }
    if (byStep.size > 0) continue;
    const previous = answers.findLast(({ run }) => run === group.run);
    if (group.calls.length === 0) {
      const last = endingAnswer(group, previous);
      if (last !== undefined) answers.push(last);
    } else if (byContent !== undefined && (previous === undefined || previous.scenario === byContent)) {
      const found = identify(group, byContent, previous?.stepIndex);
      if (found !== undefined) answers.push(answerOf(group, found, true));
    }
  }
  return answers;
}

function groupsOf({ messages }: Conversation): readonly Group[] {
  const groups: Group[] = [];
  let open: Group | undefined;
  let start: Pick<Group, 'after' | 'run' | 'prompt'> = { after: -1, run: 0, prompt: undefined };
  let place = 0;
  for (const { role, parts, index } of messages) {
    if (role === 'user') {
      if (open !== undefined) groups[groups.length - 1] = { ...open, before: index };
      open = undefined;
      const isPrompt = parts.length > 0 && parts.every(({ type }) => type === 'text');
      const prompt = isPrompt
        ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
        : undefined;
      start = { after: index, run: start.run + (isPrompt ? 1 : 0), prompt };
      place = 0;
      continue;
    }
    if (open === undefined) {
      open = { texts: [], calls: [], ...start, before: Number.POSITIVE_INFINITY };
      groups.push(open);
    }
    for (const part of parts) {
      // The answer that a request continues is not in it.
      if (part.type === 'tool_call' && index >= 0) open.calls.push({ part, place });
      if (part.type === 'text') open.texts.push({ text: part.text, place });
      place += 1;
    }
  }
  return groups;
}

function locate(part: ToolCallPart, set: ScenarioSet): Located | undefined {
  const position = parseCallId(part.id);
  if (position !== undefined) {
    const scenario = set.byTag.get(position.scenarioTag);
    const sent = scenario?.steps[position.step]?.toolCalls[position.call];
    if (scenario === undefined || sent === undefined) return undefined;
    return { scenario, stepIndex: position.step, call: position.call, sent, digest: position.digest };
  }
  const [only, ...others] = set.explicitIds.get(part.id) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  const { scenario, stepIndex, callIndex, call } = only;
  return { scenario, stepIndex, call: callIndex, sent: call, digest: undefined };
}

function answerOf(group: Group, { scenario, stepIndex, digest, calls }: Found, isAlone: boolean): EchoedAnswer {
  const { texts, after, before, run, prompt } = group;
  const step = scenario.steps[stepIndex];
  if (step === undefined) throw new RangeError(`Scenario "${scenario.name}" has no step ${stepIndex}.`);
  return {
    label: `step ${stepIndex} of scenario "${scenario.name}"`,
    scenario,
    stepIndex,
    step: isAlone ? step : { ...step, content: undefined, reasoning: undefined },
    digest,
    texts,
    calls,
    after,
    before,
    run,
    prompt,
  };
}

/**
 * The answer without calls that follows the results of `previous`, if the next step has none and waits for nothing. Another
 * text may be a note of the client in place of an answer that was interrupted.
 */
function endingAnswer(group: Group, previous: EchoedAnswer | undefined): EchoedAnswer | undefined {
  if (previous === undefined || group.texts.length === 0 || previous.before !== group.after) return undefined;
  const { scenario, stepIndex } = previous;
  const step = scenario.steps[stepIndex + 1];
  if (step === undefined || step.toolCalls.length > 0 || step.waitsFor !== undefined) return undefined;
  if (!resembles(group.texts.map(({ text }) => text).join(' '), step.content)) return undefined;
  return answerOf(group, { scenario, stepIndex: stepIndex + 1, digest: undefined, calls: [] }, true);
}

/** Reports whether a text has at least half of the words of another. */
function resembles(text: string, sent = ''): boolean {
  const words = new Set(plain(text).split(' '));
  const own = plain(sent).split(' ');
  return own.filter((word) => words.has(word)).length * 2 >= own.length;
}

/** The step that a group shares a call or its text with: the next one, or else the nearest of those before. */
function identify(group: Group, scenario: Scenario, previous = -1): Found | undefined {
  const { steps } = scenario;
  let stepIndex = previous + 1;
  while (stepIndex < steps.length && !shares(group, steps[stepIndex])) stepIndex++;
  if (stepIndex === steps.length) {
    stepIndex = previous;
    while (stepIndex >= 0 && !shares(group, steps[stepIndex])) stepIndex--;
  }
  const step = steps[stepIndex];
  if (step === undefined) return undefined;
  const [onlyCall] = group.calls;
  const [onlySent] = step.toolCalls;
  if (onlyCall !== undefined && onlySent !== undefined && group.calls.length + step.toolCalls.length === 2) {
    return { scenario, stepIndex, digest: undefined, calls: [{ ...onlyCall, call: 0, sent: onlySent }] };
  }
  const open = new Set(step.toolCalls.keys());
  const take = (call: number | undefined) => {
    if (call !== undefined) open.delete(call);
    return call;
  };
  const same = group.calls.map(({ part }) => take([...open].find((call) => isSameCall(part, step.toolCalls[call]))));
  const calls = group.calls.flatMap(({ part, place }, index) => {
    const call = same[index] ?? take([...open][0]);
    const sent = call === undefined ? undefined : step.toolCalls[call];
    return call === undefined || sent === undefined ? [] : [{ part, place, call, sent }];
  });
  return { scenario, stepIndex, digest: undefined, calls };
}

function shares({ texts, calls }: Group, step: Step | undefined): boolean {
  if (step === undefined || step.toolCalls.length === 0) return false;
  if (calls.some(({ part }) => step.toolCalls.some((sent) => isSameCall(part, sent)))) return true;
  if (texts.length === 0 || step.content === undefined) return false;
  const text = plain(texts.map((each) => each.text).join('\n'));
  return text !== '' && text === plain(step.content);
}

function isSameCall({ name, arguments: text }: ToolCallPart, sent: StepToolCall | undefined): boolean {
  if (sent === undefined || name !== sent.name || sent.type === 'intent') return false;
  const before = argumentsOfStep(sent);
  if (before === undefined || Object.keys(before).length === 0) return false;
  return text === sent.arguments || includes(tryJson(text), before);
}

type SentCall = Exclude<StepToolCall, { readonly type: 'intent' }>;

const parsed = new WeakMap<SentCall, { readonly value: JsonObject | undefined }>();

/**
 * The arguments of a call of a step, which every request of its run compares; undefined if they have a template or are
 * no object.
 */
export function argumentsOfStep(sent: SentCall): JsonObject | undefined {
  const known = parsed.get(sent);
  if (known !== undefined) return known.value;
  const read = hasTemplate(sent.arguments) ? undefined : tryJson(sent.arguments);
  const value = isJsonObject(read) ? read : undefined;
  parsed.set(sent, { value });
  return value;
}

/** Reports whether a JSON value has everything of another: clients fill in defaults. */
export function includes(value: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(value) && part.length === value.length && part.every((item, index) => includes(value[index], item))
    );
  }
  if (!isJsonObject(part)) return value === part;
  return isJsonObject(value) && Object.entries(part).every(([key, item]) => includes(value[key], item));
}

/** A text without the spaces that clients change. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
