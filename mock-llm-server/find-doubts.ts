import { findStepDoubts } from './find-step-doubts.ts';
import type { ScenarioSpecification } from './scenario.ts';
import type { ScenarioProblem } from './scenario-error.ts';
import type { NamedScenarioFile } from './scenario-set.ts';
import { createShadowFinder } from './shadowed-triggers.ts';
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
