import { jsonErrorOf } from '../conversation/json.ts';
import { countOf } from '../text.ts';
import { callsOf, type ScenarioSpecification, type StepSpecification } from './format.ts';
import { intentOf } from './intent-format.ts';
import type { NamedScenarioFile } from './prepare.ts';
import { formatPath, type ScenarioProblem } from './problems.ts';
import { groupsIn, resultsIn } from './templates.ts';
import { createTrigger, type Trigger } from './trigger.ts';
import { createTriggerIndex } from './trigger-index.ts';

/** A scenario with its file and its path in it (`$.scenarios[0]`). */
interface LocatedScenario {
  readonly file: string;
  readonly path: string;
  readonly scenario: ScenarioSpecification;
  readonly trigger: Trigger;
}

/** A part of a scenario with its path in the scenario. */
interface Located<Value> {
  readonly path: readonly PropertyKey[];
  readonly value: Value;
}

type LocatedStep = Located<StepSpecification>;
type StepWarning = Omit<ScenarioProblem, 'file' | 'path'> & Pick<Located<unknown>, 'path'>;

/** Finds scenarios that can never start and steps that cannot work as written. Pure. */
export function findWarnings(files: readonly NamedScenarioFile[]): ScenarioProblem[] {
  const scenarios = files.flatMap(({ file, content }) =>
    content.scenarios.map((scenario, index) => {
      return { file, path: `$.scenarios[${index}]`, scenario, trigger: createTrigger(scenario.trigger) };
    }),
  );
  return [...findTriggerWarnings(scenarios), ...scenarios.flatMap(findStepWarnings)];
}

function findTriggerWarnings(scenarios: readonly LocatedScenario[]): ScenarioProblem[] {
  const literals = createTriggerIndex(scenarios.map(({ trigger }) => trigger.literal));
  const all = [...scenarios.keys()];
  return scenarios.flatMap((scenario, index) => {
    const { literal } = scenario.trigger;
    const candidates = literal === undefined ? all : literals.candidates(literal);
    const first = candidates.find((other) => other >= index || isShadowed(scenario, scenarios[other])) ?? index;
    return describeTriggerWarning(scenario, first < index ? scenarios[first] : undefined);
  });
}

function describeTriggerWarning(
  { file, path, trigger }: LocatedScenario,
  earlier: LocatedScenario | undefined,
): ScenarioProblem[] {
  const position = { file, path: `${path}.trigger` };
  if (earlier !== undefined) {
    const name = JSON.stringify(earlier.scenario.name);
    const reason =
      `${JSON.stringify(trigger.text)} can never start it: the trigger ${JSON.stringify(earlier.trigger.text)} of ` +
      `${name} in ${earlier.file} comes first and matches as well`;
    return [
      { ...position, reason, fix: `move this scenario before ${name}, or make one of the two triggers narrower` },
    ];
  }
  if (trigger.needsText && trigger.conditions.length === 0 && trigger.find('', '') !== undefined) {
    const fix = 'make the expression need at least one character, or use a default_response';
    return [{ ...position, reason: `${trigger.text} matches every text`, fix }];
  }
  return [];
}

/** Whether an earlier trigger matches wherever this one does. False if that cannot be decided. */
function isShadowed({ trigger: second }: LocatedScenario, earlier: LocatedScenario | undefined): boolean {
  const first = earlier?.trigger;
  // With a condition on results a scenario starts at a result, without one at a text, and the later of the two wins.
  if (first === undefined || first.toolResult?.wanted !== second.toolResult?.wanted) return false;
  if (first.needsText !== second.needsText) return false;
  const holdsToo = first.conditions.every(({ field, wanted }) =>
    second.conditions.some((other) => other.field === field && contains(other.wanted, wanted)),
  );
  if (!holdsToo) return false;
  if (!first.needsText || first.text === second.text) return true;
  return second.literal !== undefined && first.find(second.text, second.literal) !== undefined;
}

/** Whether every value that contains `whole` contains `part`. Expressions are compared as they are written. */
function contains(whole: string, part: string): boolean {
  return part === whole || (!part.startsWith('/') && whole.toLowerCase().includes(part.toLowerCase()));
}

function findStepWarnings({ file, path, scenario }: LocatedScenario): ScenarioProblem[] {
  const groups = groupsOf(scenario.trigger);
  return scenario.steps
    .flatMap((value, index) => {
      const step = { path: ['steps', index], value };
      const texts = textsOf(step);
      return [
        ...findBrokenArguments(step),
        ...texts.flatMap((text) => findUnknownGroups(text, groups)),
        ...texts.flatMap((text) => findUnknownResults(text, scenario, index)),
        ...findMissingResults(step, index === scenario.steps.length - 1),
      ];
    })
    .map((warning) => ({ ...warning, file, path: path + formatPath(warning.path).slice(1) }));
}

function findBrokenArguments({ path, value: step }: LocatedStep): StepWarning[] {
  const calls = 'response' in step ? (step.response.tool_calls ?? []) : [];
  return calls.flatMap((call, index) => {
    const error = jsonErrorOf('function' in call ? call.function.arguments : '{}');
    if (error === undefined) return [];
    const fix = 'write the short form, {"name": …, "arguments": {…}}, unless the client must cope with broken JSON';
    const callPath = [...path, 'response', 'tool_calls', index, 'function', 'arguments'];
    return [{ path: callPath, reason: `the arguments are not JSON: ${error}`, fix }];
  });
}

function findUnknownGroups({ path, value }: Located<string>, groups: readonly string[]): StepWarning[] {
  const known = groups.length === 0 ? 'it has none' : `it has ${groups.join(', ')}`;
  return [...new Set(groupsIn(value))]
    .filter((name) => !groups.includes(name))
    .map((name) => ({
      path,
      reason: `{{match.${name}}} has no value: the trigger has no group of that name, ${known}`,
      fix: `name a part of the trigger's "regex" with (?<${name}>…)`,
    }));
}

/** The names of the groups of a trigger. */
function groupsOf(trigger: ScenarioSpecification['trigger']): string[] {
  if (typeof trigger === 'string' || trigger.regex === undefined) return [];
  // The empty alternative makes the expression match anything, and the match names all groups.
  return Object.keys(new RegExp(`${trigger.regex}|`, trigger.flags).exec('')?.groups ?? {});
}

/** Finds templates that need more results than the steps before this one lead to. */
function findUnknownResults(
  { path, value }: Located<string>,
  { trigger, steps }: ScenarioSpecification,
  stepIndex: number,
): StepWarning[] {
  // A scenario that starts at a result has results before it that no step accounts for.
  if (typeof trigger !== 'string' && trigger.tool_result !== undefined) return [];
  const before = steps.slice(0, stepIndex).reduce((sum, step) => sum + (step.results ?? callsOf(step).length), 0);
  return [...new Set(resultsIn(value))]
    .filter((number) => (number === 'last' ? 1 : number) > before)
    .map((number) => ({
      path,
      reason: `{{tool_result ${number}}} has no value: this step answers after ${countOf(before, 'tool result')}`,
      fix: before === 0 ? 'use it in a step after one with tool calls' : `use a number from 1 to ${before}, or "last"`,
    }));
}

/** Every text of a step that may hold templates. */
function textsOf({ path, value: step }: LocatedStep): Located<string>[] {
  if ('response' in step) return textsIn({ path: [...path, 'response'], value: step.response });
  return textsIn({ path, value: intentOf(step) });
}

function textsIn({ path, value }: Located<unknown>): Located<string>[] {
  if (typeof value === 'string') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    textsIn({ path: [...path, Array.isArray(value) ? Number(key) : key], value: inner }),
  );
}

/** A fault can hide calls from the client, so that it sends fewer results. */
function findMissingResults({ path, value: step }: LocatedStep, isLast: boolean): StepWarning[] {
  const calls = callsOf(step).length;
  if (step.results === undefined || step.results >= calls || isLast || step.fault !== undefined) return [];
  const reason =
    `the next step waits for ${countOf(step.results, 'tool result')}, but a client sends one for each of ` +
    `${countOf(calls, 'call')}`;
  return [{ path: [...path, 'results'], reason, fix: `remove "results", which means ${calls}` }];
}
