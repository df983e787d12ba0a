import type { Scenario } from '../scenario/prepare.ts';
import type { Turn } from './turns.ts';

/** A step by its number; `results` have arrived for it, and more are due. */
export interface OpenStep {
  readonly stepIndex: number;
  readonly results: number;
}

/**
 * The step that is due from `index` on: the first one that waits for one of the texts, or else the first one that waits
 * for none. The number of steps if there is neither.
 */
export function dueStep({ steps }: Scenario, index: number, texts: readonly string[]): number {
  const named = steps.findIndex(({ waitsFor }, position) => position >= index && waitsFor && texts.some(waitsFor));
  if (named !== -1) return named;
  const next = steps.findIndex(({ waitsFor }, position) => position >= index && waitsFor === undefined);
  return next === -1 ? steps.length : next;
}

/** The texts of the user since the last answer of a run, also those beside results. */
export function textsAtEnd(run: readonly Turn[]): readonly string[] {
  return run.slice(run.findLastIndex(({ type }) => type === 'assistant') + 1).flatMap(textsOf);
}

/**
 * The step that is due by the number of results, of a scenario with steps that wait for a text: these count only where the
 * user has said it. `turns` begin with the text that started the scenario.
 */
export function countSteps(scenario: Scenario, turns: readonly Turn[]): OpenStep {
  let texts: string[] = [];
  let stepIndex = -1;
  let results = 0;
  const advance = () => {
    const step = scenario.steps[stepIndex];
    const due = step === undefined ? 0 : step.resultsAfter - step.resultsBefore;
    if (results >= due && stepIndex < scenario.steps.length) {
      results -= due;
      // The prompt itself is no message that a step waits for.
      stepIndex = dueStep(scenario, stepIndex + 1, stepIndex === -1 ? [] : texts);
    }
    texts = [];
  };
  for (const turn of turns) {
    if (turn.type === 'assistant') advance();
    for (const text of textsOf(turn)) texts.push(text);
    if (turn.type === 'tool_results') results += turn.results.length;
  }
  advance();
  return { stepIndex, results };
}

function textsOf(turn: Turn): readonly string[] {
  switch (turn.type) {
    case 'user_texts':
      return turn.texts;
    case 'tool_results':
      return turn.beside;
    case 'assistant':
      return [];
    default:
      return turn satisfies never;
  }
}
