import { findStepDoubts } from './find-step-doubts.ts';
import type { ScenarioSpecification } from './scenario.ts';
import type { ScenarioProblem } from './scenario-error.ts';
import type { NamedScenarioFile } from './scenario-set.ts';
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
  return [
    ...places.flatMap((place, index) => doubtTrigger(place, places.slice(0, index))),
    ...places.flatMap(findStepDoubts),
  ];
}

function doubtTrigger({ file, path, trigger }: Place, earlier: readonly Place[]): ScenarioProblem[] {
  const where = { file, path: `${path}.trigger` };
  const other = earlier.find((place) => shadows(place.trigger, trigger));
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

/** Whether `first` holds wherever `second` does. Says no where that cannot be known. */
function shadows(first: Trigger, second: Trigger): boolean {
  const narrower = first.conditions.filter(
    ({ field, wanted }) => !second.conditions.some((other) => other.field === field && isPart(wanted, other.wanted)),
  );
  if (narrower.length > 0) return false;
  // Without the condition it starts at a text, with it at a result, and the later of the two wins.
  if (first.toolResult?.wanted !== second.toolResult?.wanted) return false;
  if (!first.needsText) return !second.needsText;
  if (!second.needsText) return false;
  if (first.text === second.text) return true;
  return second.literal !== undefined && first.find(second.text, second.literal) !== undefined;
}

/** Whether a value with `whole` in it always has `part` in it. Expressions are compared as they stand. */
function isPart(part: string, whole: string): boolean {
  return part === whole || (!part.startsWith('/') && whole.toLowerCase().includes(part.toLowerCase()));
}
