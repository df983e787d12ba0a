import { jsonErrorOf } from '../conversation/json.ts';
import { countOf } from '../text.ts';
import { callsOf, type ScenarioSpecification, type StepSpecification } from './format.ts';
import { intentOf } from './intent-format.ts';
import type { NamedScenarioFile } from './prepare.ts';
import { formatPath, type ScenarioProblem } from './problems.ts';
import { createShadowFinder } from './shadowed-triggers.ts';
import { groupsIn, resultsIn } from './templates.ts';
import { createTrigger, type Trigger } from './trigger.ts';

interface Place {
  readonly file: string;
  readonly path: string;
  readonly scenario: ScenarioSpecification;
  readonly trigger: Trigger;
}

/** Looks for scenarios that can never start and for steps that cannot do what they say. Pure. */
export function findDoubts(files: readonly NamedScenarioFile[]): ScenarioProblem[] {
  const places = files.flatMap(({ file, content }) =>
    content.scenarios.map((scenario, index) => {
      return { file, path: `$.scenarios[${index}]`, scenario, trigger: createTrigger(scenario.trigger) };
    }),
  );
  const findShadow = createShadowFinder(places.map(({ trigger }) => trigger));
  return [
    ...places.flatMap((place, index) => doubtTrigger(place, places[findShadow(index) ?? -1])),
    ...places.flatMap(findStepDoubts),
  ];
}

function doubtTrigger({ file, path, trigger }: Place, other: Place | undefined): ScenarioProblem[] {
  const where = { file, path: `${path}.trigger` };
  if (other !== undefined) {
    const name = JSON.stringify(other.scenario.name);
    const reason =
      `${JSON.stringify(trigger.text)} can never start it: the trigger ${JSON.stringify(other.trigger.text)} of ` +
      `${name} in ${other.file} comes first and holds as well`;
    return [{ ...where, reason, fix: `put this scenario before ${name}, or make one of the two triggers narrower` }];
  }
  if (trigger.needsText && trigger.conditions.length === 0 && trigger.find('', '') !== undefined) {
    const fix = 'make the expression need at least one character, or use a default_response';
    return [{ ...where, reason: `${trigger.text} finds something in every text`, fix }];
  }
  return [];
}

/** A scenario and where it stands: `path` is `$.scenarios[0]`. */
interface Place {
  readonly file: string;
  readonly path: string;
  readonly scenario: ScenarioSpecification;
}

/** A value in a step, and how its path goes on behind the scenario's. */
interface Located<Value> {
  readonly path: readonly PropertyKey[];
  readonly value: Value;
}

type Found = Omit<ScenarioProblem, 'file' | 'path'> & Pick<Located<unknown>, 'path'>;

/**
 * Looks for steps that cannot do what they say: arguments that are not JSON, groups that the trigger does not have,
 * results that are not there yet, and fewer results than there are calls. Pure.
 */
export function findStepDoubts({ file, path, scenario }: Place): ScenarioProblem[] {
  const groups = groupsOf(scenario.trigger);
  return scenario.steps
    .flatMap((value, index) => {
      const step = { path: ['steps', index], value };
      return [
        ...doubtArguments(step),
        ...doubtGroups(step, groups),
        ...doubtNamedResults(step, scenario),
        ...doubtResultCount(step, scenario.steps.length),
      ];
    })
    .map((found) => ({ ...found, file, path: path + formatPath(found.path).slice(1) }));
}

function doubtArguments({ path, value: step }: Located<StepSpecification>): Found[] {
  const calls = 'response' in step ? (step.response.tool_calls ?? []) : [];
  return calls.flatMap((call, index) => {
    const reason = jsonErrorOf('function' in call ? call.function.arguments : '{}');
    if (reason === undefined) return [];
    const fix = 'write the short form, {"name": …, "arguments": {…}}; leave it where the client must cope with it';
    const place = [...path, 'response', 'tool_calls', index, 'function', 'arguments'];
    return [{ path: place, reason: `the arguments are not JSON: ${reason}`, fix }];
  });
}

function doubtGroups({ path: place, value: step }: Located<StepSpecification>, groups: readonly string[]): Found[] {
  const known = groups.length === 0 ? 'it has none' : `it has ${groups.join(', ')}`;
  return textsOf({ path: place, value: step }).flatMap(({ path, value }) =>
    [...new Set(groupsIn(value))]
      .filter((name) => !groups.includes(name))
      .map((name) => ({
        path,
        reason: `{{match.${name}}} has no value: the trigger has no group of that name, ${known}`,
        fix: `name a part of the trigger's "regex" with (?<${name}>…)`,
      })),
  );
}

/** The names of the groups of a trigger. */
function groupsOf(trigger: ScenarioSpecification['trigger']): string[] {
  if (typeof trigger === 'string' || trigger.regex === undefined) return [];
  // The empty alternative makes it match anything, with every group there.
  return Object.keys(new RegExp(`${trigger.regex}|`, trigger.flags).exec('')?.groups ?? {});
}

/** A step is answered when as many results are there as the steps before it lead to. */
function doubtNamedResults(
  { path: place, value: step }: Located<StepSpecification>,
  scenario: Place['scenario'],
): Found[] {
  // One that starts at a result has others before it that no step tells of.
  if (typeof scenario.trigger !== 'string' && scenario.trigger.tool_result !== undefined) return [];
  const before = scenario.steps.slice(0, Number(place.at(-1)));
  const there = before.reduce((sum, one) => sum + (one.results ?? callsOf(one).length), 0);
  return textsOf({ path: place, value: step }).flatMap(({ path, value }) =>
    [...new Set(resultsIn(value))]
      .filter((number) => (number === 'last' ? 1 : number) > there)
      .map((number) => ({
        path,
        reason: `{{tool_result ${number}}} has no value: this step answers after ${countOf(there, 'tool result')}`,
        fix: fixOfNumber(there),
      })),
  );
}

function fixOfNumber(there: number): string {
  if (there === 0) return 'use it in a step after one with tool calls';
  return there === 1 ? 'write 1 or "last"' : `name one of 1 to ${there}, or "last"`;
}

/** Every text of a step that may hold templates. */
function textsOf({ path, value: step }: Located<StepSpecification>): Located<string>[] {
  if ('response' in step) return textsIn({ path: [...path, 'response'], value: step.response });
  return textsIn({ path, value: intentOf(step) });
}

/** Every text in a value. */
function textsIn({ path, value }: Located<unknown>): Located<string>[] {
  if (typeof value === 'string') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    textsIn({ path: [...path, Array.isArray(value) ? Number(key) : key], value: inner }),
  );
}

/** A fault can keep the calls from the client, so that it answers in its own way. */
function doubtResultCount({ path, value: step }: Located<StepSpecification>, steps: number): Found[] {
  const calls = callsOf(step).length;
  const isLast = path.at(-1) === steps - 1;
  if (step.results === undefined || step.results >= calls || isLast || step.fault !== undefined) return [];
  const reason = `the next step waits for ${countOf(step.results, 'tool result')}, but this one brings one for each of ${countOf(calls, 'call')}`;
  return [{ path: [...path, 'results'], reason, fix: `leave "results" out, which means ${calls}` }];
}
