import { jsonErrorOf } from '../../conversation/json.ts';
import { countOf } from '../../text.ts';
import type { StepSpecification } from '../format/step-format.ts';
import type { ScenarioSpecification } from '../format.ts';
import type { NamedScenarioFile } from '../prepare.ts';
import { formatPath, type ScenarioProblem } from '../problems.ts';
import { callsOf, intentOf, resultCountOf } from '../step-calls.ts';
import { groupsIn, resultsIn, withoutTemplates } from '../templates.ts';
import { withoutLongSearches } from '../trigger/pattern.ts';
import { createTrigger, type Trigger } from '../trigger/trigger.ts';
import { createTriggerIndex } from '../trigger/trigger-index.ts';

/** A scenario with its file and its path in it (`$.scenarios[0]`). */
interface LocatedScenario {
  readonly file: string;
  readonly path: string;
  readonly scenario: ScenarioSpecification;
  readonly trigger: Trigger;
}

/** A text of a step with its path in the step. */
interface LocatedText {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

type StepWarning = Pick<ScenarioProblem, 'reason' | 'fix'> & Pick<LocatedText, 'path'>;

/** Finds scenarios that can never start and steps that cannot work as written. Pure. */
export function findWarnings(files: readonly NamedScenarioFile[]): ScenarioProblem[] {
  const scenarios = files.flatMap(({ file, content }) =>
    content.scenarios.map((scenario, index) => {
      return { file, path: `$.scenarios[${index}]`, scenario, trigger: createTrigger(scenario.trigger, scenario.name) };
    }),
  );
  return [...findTriggerWarnings(scenarios), ...scenarios.flatMap(findStepWarnings)];
}

function findTriggerWarnings(scenarios: readonly LocatedScenario[]): ScenarioProblem[] {
  const literals = createTriggerIndex(scenarios.map(({ trigger }) => trigger.literal));
  const all = [...scenarios.keys()];
  return scenarios.flatMap((scenario, index) => {
    const { file, path, trigger } = scenario;
    const candidates = trigger.literal === undefined ? all : literals.candidates(trigger.literal);
    const first = candidates.find((other) => other >= index || isShadowed(scenario, scenarios[other])) ?? index;
    const warning = first < index ? scenarios[first] && shadowWarning(trigger, scenarios[first]) : wideWarning(trigger);
    return warning === undefined ? [] : [{ file, path: `${path}.trigger`, ...warning }];
  });
}

function shadowWarning(trigger: Trigger, earlier: LocatedScenario): Pick<ScenarioProblem, 'reason' | 'fix'> {
  const name = JSON.stringify(earlier.scenario.name);
  const reason =
    `${JSON.stringify(trigger.text)} can never start it: the trigger ${JSON.stringify(earlier.trigger.text)} of ` +
    `${name} in ${earlier.file} comes first and matches as well`;
  return { reason, fix: `move this scenario before ${name}, or make one of the two triggers narrower` };
}

/** A text in the form of an expression: `/a.*b/i`. */
const EXPRESSION = /^\/(?=.*[.*+?()[\]|\\^$])(.+)\/[dimsuvgy]*$/;

function wideWarning(trigger: Trigger): Pick<ScenarioProblem, 'reason' | 'fix'> | undefined {
  const [, regex] = (trigger.literal !== undefined && EXPRESSION.exec(trigger.text)) || [];
  if (regex !== undefined) {
    const fix = `write {"regex": ${JSON.stringify(regex)}} if it is an expression`;
    return { reason: `${JSON.stringify(trigger.text)} is compared as a text`, fix };
  }
  if (!trigger.needsText || trigger.conditions.length > 0 || !finds(trigger, '')) return undefined;
  const fix = 'make the expression need at least one character, or use a default_response';
  return { reason: `${trigger.text} matches every text`, fix };
}

/** True if an earlier trigger matches every request that this one matches. False if that cannot be decided. */
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
  return second.literal !== undefined && finds(first, second.text);
}

/** True if a trigger certainly finds a text. A search that may take long decides nothing. */
function finds(trigger: Trigger, text: string): boolean {
  return withoutLongSearches(() => trigger.find(text, text.toLowerCase())) !== undefined;
}

/** True if every value that contains `whole` contains `part`. Expressions are compared as they are written. */
function contains(whole: string, part: string): boolean {
  return part === whole || (!part.startsWith('/') && whole.toLowerCase().includes(part.toLowerCase()));
}

function findStepWarnings({ file, path, scenario }: LocatedScenario): ScenarioProblem[] {
  const groups = groupsOf(scenario.trigger);
  // A scenario that starts at a result has results before it that no step accounts for.
  const startsAtResult = typeof scenario.trigger !== 'string' && scenario.trigger.tool_result !== undefined;
  let resultsBefore = startsAtResult ? Number.POSITIVE_INFINITY : 0;
  return scenario.steps.flatMap((step, index) => {
    const texts = textsIn('response' in step ? { response: step.response } : intentOf(step));
    const warnings = [
      ...findBrokenArguments(step),
      ...texts.flatMap((text) => [...findUnknownGroups(text, groups), ...findUnknownResults(text, resultsBefore)]),
      ...(index === scenario.steps.length - 1 ? [] : findMissingResults(step)),
    ];
    resultsBefore += resultCountOf(step);
    return warnings.map((warning) => {
      return { ...warning, file, path: path + formatPath(['steps', index, ...warning.path]).slice(1) };
    });
  });
}

/** The last call of an answer that reaches its length limit is cut on purpose. */
function findBrokenArguments(step: StepSpecification): StepWarning[] {
  const calls = callsOf(step);
  const isCut = 'response' in step && step.response.finish === 'length';
  return calls.slice(0, isCut ? -1 : calls.length).flatMap((call, index) => {
    const error = jsonErrorOf('function' in call ? withoutTemplates(call.function.arguments) : '{}');
    if (error === undefined) return [];
    const fix = 'write the short form, {"name": …, "arguments": {…}}, unless the client must cope with broken JSON';
    const path = ['response', 'tool_calls', index, 'function', 'arguments'];
    return [{ path, reason: `the arguments are not JSON: ${error}`, fix }];
  });
}

function findUnknownGroups({ path, text }: LocatedText, groups: readonly string[]): StepWarning[] {
  const known = groups.length === 0 ? 'it has none' : `it has ${groups.join(', ')}`;
  const unknown = groupsIn(text).filter((name) => !groups.includes(name));
  return [...new Set(unknown)].map((name) => ({
    path,
    reason: `{{match.${name}}} has no value: the trigger has no group of that name, ${known}`,
    fix: `name a part of the trigger's "regex" with (?<${name}>…)`,
  }));
}

function groupsOf(trigger: ScenarioSpecification['trigger']): string[] {
  if (typeof trigger === 'string' || trigger.regex === undefined) return [];
  // The empty alternative makes the expression match anything, and the match names all groups.
  return Object.keys(new RegExp(`${trigger.regex}|`, trigger.flags).exec('')?.groups ?? {});
}

/** Finds templates that need more results than the steps before this one lead to. */
function findUnknownResults({ path, text }: LocatedText, before: number): StepWarning[] {
  const unknown = resultsIn(text).filter((number) => (number === 'last' ? 1 : number) > before);
  return [...new Set(unknown)].map((number) => ({
    path,
    reason: `{{tool_result ${number}}} has no value: this step answers after ${countOf(before, 'tool result')}`,
    fix: before === 0 ? 'use it in a step after one with tool calls' : `use a number from 1 to ${before}, or "last"`,
  }));
}

/** All texts in a value that may have templates. */
function textsIn(value: unknown, path: readonly PropertyKey[] = []): LocatedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    textsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** A fault can hide calls from the client, so that it sends fewer results. */
function findMissingResults(step: StepSpecification): StepWarning[] {
  const calls = callsOf(step).length;
  if (typeof step.results !== 'number' || step.results >= calls || step.fault !== undefined) return [];
  const reason =
    `the next step waits for ${countOf(step.results, 'tool result')}, but a client sends one for each of ` +
    `${countOf(calls, 'call')}`;
  return [{ path: ['results'], reason, fix: `remove "results", which means ${calls}` }];
}
