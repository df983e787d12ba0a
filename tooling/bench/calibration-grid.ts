import { createTrigger, type RequestFacts } from '../../mock-llm-server/scenario/trigger/trigger.ts';
import { compareRates, RECOMMENDED_RUNS } from '../../src/stories/evaluation/statistics.ts';

/** Evaluations in each cell of the grid. */
export const SEEDS = 1_000;

/** The parts of the runs that pass with the first variant. */
const RATES = [1, 0.95, 0.9, 0.8, 0.7, 0.5];
/** The parts of the runs that the second variant has lost. */
const LOSSES = [0, 0.1, 0.2, 0.3, 0.4];
/** The numbers of runs of each variant. */
const RUNS = [5, 10, 20, RECOMMENDED_RUNS, 100];

/** The parts of the evaluations with so many runs in which the second variant was called better and worse. */
export interface Verdicts {
  readonly runs: number;
  readonly better: number;
  readonly worse: number;
}

/**
 * Evaluates two variants that pass with known probabilities, `before` and `before - loss`, with `seeds` different seeds
 * and several numbers of runs. The mock draws whether a run passes, as it does for `ybs eval`.
 */
export function calibrate(
  { before, loss }: { readonly before: number; readonly loss: number },
  { seeds = SEEDS, runs = RUNS }: { readonly seeds?: number; readonly runs?: readonly number[] } = {},
): readonly Verdicts[] {
  const variants = [
    drawer(`passes ${before}`, before),
    drawer(`passes ${before}, lost ${loss}`, before - loss),
  ] as const;
  const counts = runs.map((number) => ({ runs: number, better: 0, worse: 0 }));
  for (let seed = 0; seed < seeds; seed += 1) {
    const drawn = variants.map((passes) =>
      Array.from({ length: Math.max(...runs) }, (_, run) => passes(`${seed} ${run + 1}`)),
    );
    for (const count of counts) {
      const [first, second] = drawn.map((draws) => draws.slice(0, count.runs).filter(Boolean).length);
      const rate = (passed = 0) => ({ passed, runs: count.runs });
      const verdict = compareRates(rate(first), rate(second));
      if (verdict !== 'inconclusive') count[verdict] += 1;
    }
  }
  return counts.map(({ runs: number, better, worse }) => {
    return { runs: number, better: better / seeds, worse: worse / seeds };
  });
}

/** Draws from the condition `chance` of a scenario. */
function drawer(name: string, chance: number): (seed: string) => boolean {
  const [condition] = createTrigger({ text: 'go', chance: Number(chance.toFixed(2)) }, name).conditions;
  const request: RequestFacts = {
    ...{ model: 'm', system: [], tools: [], protocol: 'openai-chat', output: {} },
    headers: {},
  };
  return (seed) => condition?.holds({ ...request, headers: { 'x-mock-seed': seed } }) === true;
}

/** The grid as a Markdown table: how often equal variants were called different, and how often a loss was found. */
export function gridTable(): string {
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  const rows = RATES.flatMap((before) =>
    LOSSES.map((loss) => {
      const shown = calibrate({ before, loss }).map(({ better, worse }) =>
        percent(loss === 0 ? better + worse : worse),
      );
      const points = loss === 0 ? 'none' : `${Math.round(loss * 100)} points`;
      return `| ${Math.round(before * 100)} % | ${points} | ${shown.join(' | ')} |`;
    }),
  );
  return [
    `| Passes | Loss | ${RUNS.map((runs) => `${runs} runs`).join(' | ')} |`,
    `| ---: | ---: |${RUNS.map(() => ' ---: |').join('')}`,
    ...rows,
  ].join('\n');
}
