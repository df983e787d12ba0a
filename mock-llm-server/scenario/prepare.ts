import type { FinishReason, NativeAnswer, ReplyBlock, ServiceName } from '../conversation/conversation.ts';
import { scenarioTagOf } from '../conversation/ids.ts';
import { isNativeFinish, NATIVE_FINISHES, type NativeFinish } from '../conversation/native-finish.ts';
import { type EmbeddingIndex, indexEmbeddings } from './embeddings.ts';
import { createExpectations, type Expectation } from './expectations.ts';
import type { Fault } from './format/faults/fault-format.ts';
import type { Intent } from './format/intent-format.ts';
import { INTENT_NAMES, type MappedIntent, type MappedTool, readMappedTool } from './format/mapped-tool.ts';
import type {
  BlockSpecification,
  NativeSpecification,
  StepSpecification,
  ToolCallSpecification,
  UsageSpecification,
} from './format/step-format.ts';
import type { Timing } from './format/timing-format.ts';
import type { ScenarioFile, ScenarioSpecification } from './format.ts';
import type { PromptLock } from './lock/prompt-lock.ts';
import { ScenarioError } from './problems.ts';
import { callsOf, contentText, intentOf, resultCountOf } from './step-calls.ts';
import { createTrigger, readAccepted, type Trigger } from './trigger/trigger.ts';
import { createTriggerIndex, type TriggerIndex } from './trigger/trigger-index.ts';

/** A tool call of a step. `id` is that of the file; `name` is the tool or the intent; `arguments` are text. */
export type StepToolCall = { readonly id: string | undefined; readonly name: string } & (
  | { readonly type: 'text'; readonly arguments: string }
  | { readonly type: 'object'; readonly arguments: string; readonly value: unknown }
  | { readonly type: 'intent'; readonly intent: Intent }
);

/** A step of a scenario, prepared for matching. */
export interface Step {
  readonly reasoning: string | undefined;
  readonly content: string | undefined;
  readonly toolCalls: readonly StepToolCall[];
  /** Undefined if it follows from the tool calls. */
  readonly finish: FinishReason | undefined;
  /** The reason in the words of a protocol; `finish` is that of the others. */
  readonly nativeFinish: NativeFinish | undefined;
  /** Counts in place of estimates. */
  readonly usage: UsageSpecification | undefined;
  /** The blocks of the answer in order; undefined if it has just reasoning, content and calls. */
  readonly blocks: readonly ReplyBlock[] | undefined;
  /** The answer as one protocol sent it. */
  readonly native: NativeAnswer | undefined;
  /** Number of tool results before this step. */
  readonly resultsBefore: number;
  /** Number of tool results before the next step; equal to `resultsBefore` in a last step and one that waits for a text. */
  readonly resultsAfter: number;
  /** Accepts a text that is the result of this step; undefined for results in known forms. */
  readonly isResultText: ((text: string) => boolean) | undefined;
  /** Undefined if the step expects nothing. */
  readonly expect: readonly Expectation[] | undefined;
  /** The step states which tools must be offered, so that those of its calls need not be. */
  readonly statesTools: boolean;
  /** Accepts the text of the user without which the step is left out; undefined if it waits for none. */
  readonly waitsFor: ((text: string) => boolean) | undefined;
  readonly fault: Fault | undefined;
  /** Tokens that the model accepts; undefined for any number. */
  readonly window: number | undefined;
  readonly timing: Timing | undefined;
}

/** A scenario, prepared for matching. */
export interface Scenario {
  readonly name: string;
  readonly trigger: Trigger;
  /** True if it also answers requests that look like those for a title, a summary or JSON. */
  readonly answersAuxiliary: boolean;
  /** Tools of the client for intents, before those that the server knows. */
  readonly intents: ReadonlyMap<MappedIntent, MappedTool>;
  /** Working directory of the client, unless the request states it. */
  readonly directory: string | undefined;
  readonly steps: readonly Step[];
  /** The service whose rules and answers the scenario has. */
  readonly service: ServiceName | undefined;
  readonly lock: PromptLock | undefined;
}

/** A tool call with its scenario and step. */
export interface LocatedCall {
  readonly scenario: Scenario;
  readonly stepIndex: number;
  readonly step: Step;
  readonly callIndex: number;
  readonly call: StepToolCall;
}

/** The scenarios of a server, indexed. */
export interface ScenarioSet {
  readonly scenarios: readonly Scenario[];
  /** Finds the scenarios whose triggers may be in a text. */
  readonly triggers: TriggerIndex;
  readonly startedByResults: readonly Scenario[];
  readonly defaultResponse: string | undefined;
  readonly embeddings: EmbeddingIndex;
  /** Scenarios by the tag in generated ids. */
  readonly byTag: ReadonlyMap<string, Scenario>;
  /** Accept texts that are results of a step, beside those in known forms. */
  readonly resultTexts: readonly ((text: string) => boolean)[];
  readonly explicitIds: ReadonlyMap<string, readonly LocatedCall[]>;
}

/** The content of a scenario file with its name in errors. */
export interface NamedScenarioFile {
  readonly file: string;
  readonly content: ScenarioFile;
  /** The prompts that were accepted; absent if the file has no lock beside it. */
  readonly lock?: PromptLock;
}

/** Combines files: scenarios in order, and the first default response. Names must be unique: ids derive from them. */
export function createScenarioSet(files: readonly NamedScenarioFile[]): ScenarioSet {
  const defaultResponse = files.find(({ content }) => content.default_response !== undefined)?.content.default_response;
  const embeddings = indexEmbeddings(files.flatMap(({ content }) => content.embeddings ?? []));
  return indexScenarios(prepareScenarios(files), defaultResponse?.content, embeddings);
}

/** The scenarios of files, in order. Throws `ScenarioError` if two of them have the same name. */
export function prepareScenarios(files: readonly NamedScenarioFile[]): readonly Scenario[] {
  const scenarios: Scenario[] = [];
  const owners = new Map<string, string>();
  for (const { file, content, lock } of files) {
    const intents = intentsOf(content.intents);
    for (const [index, scenario] of content.scenarios.entries()) {
      const owner = owners.get(scenario.name);
      if (owner !== undefined) {
        const reason = `the name "${scenario.name}" is taken by a scenario in ${owner}`;
        throw ScenarioError.of(file, `$.scenarios[${index}].name`, reason, 'give each scenario its own name');
      }
      owners.set(scenario.name, file);
      const { name, auxiliary, cwd: directory, as: service } = scenario;
      const trigger = createTrigger(scenario.trigger, scenario.name);
      const steps = prepareSteps(scenario);
      // A trigger with a `response_format` also expects requests that only want JSON.
      const isForFormat = trigger.conditions.some(({ field }) => field === 'response_format');
      const answersAuxiliary = auxiliary === undefined ? isForFormat : !auxiliary;
      scenarios.push({ name, trigger, intents, answersAuxiliary, directory, steps, service, lock });
    }
  }
  return scenarios;
}

function intentsOf(intents: ScenarioFile['intents'] = {}): ReadonlyMap<MappedIntent, MappedTool> {
  const mapped = INTENT_NAMES.flatMap((intent) => {
    const text = intents[intent];
    const tool = text === undefined ? undefined : readMappedTool(intent, text);
    return typeof tool === 'object' ? [[intent, tool] as const] : [];
  });
  return new Map(mapped);
}

/** Indexes scenarios, whose names are unique. */
export function indexScenarios(
  scenarios: readonly Scenario[],
  defaultResponse: string | undefined,
  embeddings: EmbeddingIndex,
): ScenarioSet {
  return {
    scenarios,
    triggers: createTriggerIndex(scenarios.map(({ trigger }) => trigger.literal)),
    startedByResults: scenarios.filter(({ trigger }) => trigger.toolResult !== undefined),
    defaultResponse,
    embeddings,
    byTag: new Map(scenarios.map((scenario) => [scenarioTagOf(scenario.name), scenario])),
    resultTexts: scenarios.flatMap(({ steps }) => steps.flatMap(({ isResultText }) => isResultText ?? [])),
    explicitIds: collectExplicitIds(scenarios),
  };
}

function collectExplicitIds(scenarios: readonly Scenario[]): Map<string, LocatedCall[]> {
  const calls = new Map<string, LocatedCall[]>();
  for (const scenario of scenarios) {
    for (const [stepIndex, step] of scenario.steps.entries()) {
      for (const [callIndex, call] of step.toolCalls.entries()) {
        if (call.id === undefined) continue;
        calls.set(call.id, [...(calls.get(call.id) ?? []), { scenario, stepIndex, step, callIndex, call }]);
      }
    }
  }
  return calls;
}

/** A reason of a file as one that every protocol has, and the words of one protocol. */
function splitFinish(finish: FinishReason | NativeFinish | undefined): Pick<Step, 'finish' | 'nativeFinish'> {
  if (finish === undefined || !isNativeFinish(finish)) return { finish, nativeFinish: undefined };
  return { finish: NATIVE_FINISHES[finish].as, nativeFinish: finish };
}

function prepareSteps({ name, steps, window: common }: ScenarioSpecification): Step[] {
  let resultsBefore = 0;
  return steps.map((specification) => {
    const toolCalls = callsOf(specification).map(prepareCall);
    const resultsAfter = resultsBefore + resultCountOf(specification);
    const { content, reasoning, finish, usage, native } = 'response' in specification ? specification.response : {};
    const { fault, timing, window = common } = specification;
    const expect = specification.expect && createExpectations(specification.expect, name);
    const form = native && nativeOf(native);
    const blocks = Array.isArray(content) ? prepareBlocks(content, reasoning, toolCalls.length) : undefined;
    const thoughts = blocks?.flatMap((block) => (block.type === 'reasoning' ? [block.text] : [])) ?? [];
    const answer = {
      reasoning: thoughts.length > 0 ? thoughts.join('\n\n') : reasoning,
      content: contentText(content),
      blocks,
      toolCalls,
      ...splitFinish(finish),
      usage,
      native: form,
    };
    const { waits_for: waits } = specification;
    const waitsFor = waits === undefined ? undefined : readAccepted(waits, name).accepts;
    const isResultText = textResultOf(specification.results, name);
    const statesTools = specification.expect?.tools !== undefined;
    const checks = { expect, statesTools, waitsFor };
    const step = { ...answer, ...checks, resultsBefore, resultsAfter, isResultText, fault, window, timing };
    resultsBefore = resultsAfter;
    return step;
  });
}

/** The blocks of a content: the reasoning beside it comes first, the calls beside it last. */
function prepareBlocks(
  content: readonly BlockSpecification[],
  reasoning: string | undefined,
  callCount: number,
): readonly ReplyBlock[] {
  let index = 0;
  const blocks = content.map((block): ReplyBlock => {
    if ('text' in block) return { type: 'text', text: block.text, citations: block.citations ?? [] };
    if ('reasoning' in block) {
      const { reasoning: text, signature, encrypted } = block;
      return { type: 'reasoning', text, ...(signature && { signature }), ...(encrypted && { encrypted }) };
    }
    if ('call' in block) return { type: 'call', index: index++ };
    if ('grounding' in block) return { type: 'grounding', metadata: block.grounding };
    if ('raw' in block) return { type: 'raw', protocol: block.protocol, item: block.raw };
    return { type: 'server_tool', name: block.server_tool, input: block.input ?? {}, result: block.result };
  });
  const rest = Array.from({ length: callCount - index }, (): ReplyBlock => ({ type: 'call', index: index++ }));
  return [...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]), ...blocks, ...rest];
}

/** An answer in a file has events or a body, as the schema checks. */
function nativeOf({ protocol, events, body = {}, replaces_fault }: NativeSpecification): NativeAnswer {
  const head = { protocol, replacesFault: replaces_fault ?? false };
  return events === undefined ? { ...head, body } : { ...head, events };
}

function textResultOf(results: StepSpecification['results'], name: string): Step['isResultText'] {
  if (results === 'text') return () => true;
  return typeof results === 'object' ? readAccepted(results, name).accepts : undefined;
}

function prepareCall(call: ToolCallSpecification): StepToolCall {
  const { id } = call;
  if ('intent' in call) return { type: 'intent', id, name: call.intent, intent: intentOf(call) };
  if ('function' in call) return { type: 'text', id, name: call.function.name, arguments: call.function.arguments };
  const { name, arguments: value = {} } = call;
  if (typeof value === 'string') return { type: 'text', id, name, arguments: value };
  return { type: 'object', id, name, arguments: JSON.stringify(value), value };
}
