import { compareRates, type Rate, type Verdict } from '../../../src/stories/evaluation/statistics.ts';

/** Probability of each number of passed runs, from 0 to `runs`, if each passes with probability `rate`. */
function binomial(runs: number, rate: number): readonly number[] {
  let probability = (1 - rate) ** runs;
  if (rate === 1) return [...Array.from({ length: runs }, () => 0), 1];
  return Array.from({ length: runs + 1 }, (_, passed) => {
    const current = probability;
    probability *= ((runs - passed) / (passed + 1)) * (rate / (1 - rate));
    return current;
  });
}

/** The exact probability of a verdict on two variants that pass with these probabilities. */
export function verdictProbability(runs: number, before: number, after: number, verdicts: readonly Verdict[]): number {
  const [first, second] = [binomial(runs, before), binomial(runs, after)];
  let sum = 0;
  for (const [passedBefore, left] of first.entries()) {
    for (const [passedAfter, right] of second.entries()) {
      const rate = (passed: number): Rate => ({ passed, runs });
      if (verdicts.includes(compareRates(rate(passedBefore), rate(passedAfter)))) sum += left * right;
    }
  }
  return sum;
}
