import { scenarioTagOf } from '../conversation/ids.ts';
import type { Fault } from './fault-format.ts';
import { callsOf, type ScenarioFile, type ScenarioSpecification, type ToolCallSpecification } from './format.ts';
import { type Intent, intentOf } from './intent-format.ts';
import { ScenarioError } from './problems.ts';
import type { Timing } from './timing-format.ts';
import { createTrigger, type Trigger } from './trigger.ts';
import { createTriggerIndex, type TriggerIndex } from './trigger-index.ts';

/**
 * A tool call of a step. `id` is there only where the file states one; `name` is what errors call it: the tool, or the
 * intent. `arguments` of an object is its JSON text, which holds no templates unless `value` does.
 */
export type StepToolCall = { readonly id: string | undefined; readonly name: string } & (
  | { readonly type: 'text'; readonly arguments: string }
  | { readonly type: 'object'; readonly arguments: string; readonly value: unknown }
  | { readonly type: 'intent'; readonly intent: Intent }
);

/** One answer of a scenario, prepared. */
export interface Step {
  /** What the model thinks before it answers. */
  readonly reasoning: string | undefined;
  readonly content: string | undefined;
  readonly toolCalls: readonly StepToolCall[];
  /** How many tool results there are when this step is due. */
  readonly resultsBefore: number;
  /** How many there are when the next one is due; the same number only for the last step. */
  readonly resultsAfter: number;
  readonly fault: Fault | undefined;
  readonly timing: Timing | undefined;
}

/** A scenario, prepared. */
export interface Scenario {
  readonly name: string;
  readonly trigger: Trigger;
  /** Whether it answers requests, too, that look like a title, a summary or a request for JSON. */
  readonly answersAuxiliary: boolean;
  /** Where the client works, if nothing in the request says so. */
  readonly directory: string | undefined;
  readonly steps: readonly Step[];
}

/** A tool call with the scenario and the step it belongs to. */
export interface LocatedCall {
  readonly scenario: Scenario;
  readonly stepIndex: number;
  readonly step: Step;
  readonly callIndex: number;
  readonly call: StepToolCall;
}

/** Everything a server answers from. */
export interface ScenarioSet {
  readonly scenarios: readonly Scenario[];
  /** Finds the scenarios whose triggers a text may hold. */
  readonly triggers: TriggerIndex;
  /** Those that start at a tool result. */
  readonly startedByResults: readonly Scenario[];
  readonly defaultResponse: string | undefined;
  /** Scenarios by the tag that generated ids carry. */
  readonly byTag: ReadonlyMap<string, Scenario>;
  /** Every place of every id that a file states. */
  readonly explicitIds: ReadonlyMap<string, readonly LocatedCall[]>;
}

/** A scenario file with the name that errors call it by. */
export interface NamedScenarioFile {
  readonly file: string;
  readonly content: ScenarioFile;
}

/**
 * Puts files together: scenarios in the order of the files, and the first default response that any of them has.
 * Throws `ScenarioError` when two scenarios have the same name, because tool call ids are found again by it.
 */
export function createScenarioSet(files: readonly NamedScenarioFile[]): ScenarioSet {
  const scenarios: Scenario[] = [];
  const owners = new Map<string, string>();
  for (const { file, content } of files) {
    for (const [index, scenario] of content.scenarios.entries()) {
      const owner = owners.get(scenario.name);
      if (owner !== undefined) {
        const reason = `the name "${scenario.name}" is taken by a scenario in ${owner}`;
        throw new ScenarioError([{ file, path: `$.scenarios[${index}].name`, reason, fix: 'give each its own name' }]);
      }
      owners.set(scenario.name, file);
      scenarios.push(prepareScenario(scenario));
    }
  }
  const defaultResponse = files.find(({ content }) => content.default_response !== undefined)?.content.default_response;
  return {
    scenarios,
    triggers: createTriggerIndex(scenarios.map(({ trigger }) => trigger.literal)),
    startedByResults: scenarios.filter(({ trigger }) => trigger.toolResult !== undefined),
    defaultResponse: defaultResponse?.content,
    byTag: new Map(scenarios.map((scenario) => [scenarioTagOf(scenario.name), scenario])),
    explicitIds: collectExplicitIds(scenarios),
  };
}

function collectExplicitIds(scenarios: readonly Scenario[]): Map<string, LocatedCall[]> {
  const places = new Map<string, LocatedCall[]>();
  for (const scenario of scenarios) {
    for (const [stepIndex, step] of scenario.steps.entries()) {
      for (const [callIndex, call] of step.toolCalls.entries()) {
        if (call.id === undefined) continue;
        places.set(call.id, [...(places.get(call.id) ?? []), { scenario, stepIndex, step, callIndex, call }]);
      }
    }
  }
  return places;
}

function prepareScenario({ name, trigger, auxiliary, cwd, steps }: ScenarioSpecification): Scenario {
  return {
    name,
    trigger: createTrigger(trigger),
    answersAuxiliary: auxiliary === false,
    directory: cwd,
    steps: prepareSteps(steps),
  };
}

function prepareSteps(steps: ScenarioSpecification['steps']): Step[] {
  let resultsBefore = 0;
  return steps.map((specification) => {
    const toolCalls = callsOf(specification).map(prepareCall);
    const resultsAfter = resultsBefore + (specification.results ?? toolCalls.length);
    const { content, reasoning } = 'response' in specification ? specification.response : {};
    const { fault, timing } = specification;
    const said = { reasoning, content: content ?? undefined, toolCalls };
    const step = { ...said, resultsBefore, resultsAfter, fault, timing };
    resultsBefore = resultsAfter;
    return step;
  });
}

function prepareCall(call: ToolCallSpecification): StepToolCall {
  const { id } = call;
  if ('intent' in call) return { type: 'intent', id, name: call.intent, intent: intentOf(call) };
  if ('function' in call) return { type: 'text', id, name: call.function.name, arguments: call.function.arguments };
  const { name, arguments: value = {} } = call;
  return { type: 'object', id, name, arguments: JSON.stringify(value), value };
}
