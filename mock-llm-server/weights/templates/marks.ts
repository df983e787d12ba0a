import type { AnswerPlace, Script, ScriptedAnswer } from '../script/script.ts';

/** The mark at the end of a prompt for which no trigger is found. */
export const UNMATCHED_MARK = '<|unmatched|>';
/** The mark at the end of a prompt for which the scenario has no step. */
export const PAST_LAST_STEP_MARK = '<|past-last-step|>';

/** The mark at the end of a prompt that a step of a scenario answers. */
export function markOf(scenario: number, results: number): string {
  return `<|scenario-${scenario}-${results}|>`;
}

/** An answer of a script with its mark; those that no step gives have no place. */
export interface MarkedAnswer {
  readonly mark: string;
  readonly answer: ScriptedAnswer;
  readonly place?: AnswerPlace;
}

export function marksOf({ scenarios, unmatched, pastLastStep }: Script): readonly MarkedAnswer[] {
  return [
    ...scenarios.flatMap(({ steps }, index) =>
      steps.map(({ results, answer, place }) => ({ mark: markOf(index, results), answer, place })),
    ),
    { mark: UNMATCHED_MARK, answer: unmatched },
    { mark: PAST_LAST_STEP_MARK, answer: pastLastStep },
  ];
}
