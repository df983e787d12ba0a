import type { Script, ScriptedAnswer } from '../script/script.ts';

/** The mark at the end of a prompt for which no trigger is found. */
export const UNMATCHED_MARK = '<|unmatched|>';
/** The mark at the end of a prompt for which the scenario has no step. */
export const PAST_LAST_STEP_MARK = '<|past-last-step|>';

/** The mark at the end of a prompt that a step of a scenario answers. */
export function markOf(scenario: number, results: number): string {
  return `<|scenario-${scenario}-${results}|>`;
}

/** The marks of all answers of a script. */
export function marksOf({ scenarios, unmatched, pastLastStep }: Script): [mark: string, answer: ScriptedAnswer][] {
  return [
    ...scenarios.flatMap(({ steps }, index) =>
      steps.map(({ results, answer }): [string, ScriptedAnswer] => [markOf(index, results), answer]),
    ),
    [UNMATCHED_MARK, unmatched],
    [PAST_LAST_STEP_MARK, pastLastStep],
  ];
}
