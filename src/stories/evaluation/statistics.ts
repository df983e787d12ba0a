/** Passed runs of all runs. */
export interface Rate {
  readonly passed: number;
  readonly runs: number;
}

/** A range of values, both ends included. */
export type Interval = readonly [from: number, to: number];

/** Comparison of a variant with the first one. */
export type Verdict = 'better' | 'worse' | 'inconclusive';

/** The value of the normal distribution that 2.5 % exceed, which makes every interval here one of 95 %. */
const Z = 1.959963984540054;

/** The 95 % Wilson score interval of a rate. Without runs, the rate can be anything. */
export function wilsonInterval({ passed, runs }: Rate): Interval {
  if (runs === 0) return [0, 1];
  const rate = passed / runs;
  const scale = 1 + Z ** 2 / runs;
  const middle = (rate + Z ** 2 / (2 * runs)) / scale;
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / runs + Z ** 2 / (4 * runs ** 2));
  // At the ends the interval ends exactly at 0 or 1, which rounding would miss.
  return [passed === 0 ? 0 : middle - half, passed === runs ? 1 : middle + half];
}

/** The Wilson score interval with continuity correction, which is wider for few runs. */
function correctedWilsonInterval({ passed, runs }: Rate): Interval {
  const rate = passed / runs;
  const scale = 2 * (runs + Z ** 2);
  const middle = 2 * passed + Z ** 2;
  const spread = Z ** 2 - 1 / runs;
  const lower = Z * Math.sqrt(spread - 2 + 4 * rate * (runs * (1 - rate) + 1));
  const upper = Z * Math.sqrt(spread + 2 + 4 * rate * (runs * (1 - rate) - 1));
  return [
    passed === 0 ? 0 : Math.max(0, (middle - 1 - lower) / scale),
    passed === runs ? 1 : Math.min(1, (middle + 1 + upper) / scale),
  ];
}

/**
 * The 95 % Newcombe interval of the difference of two rates: `after` less `before`. It is the hybrid score interval with
 * continuity correction (method 11 of Newcombe, Statistics in Medicine 17, 1998), because the one without calls up to
 * 12 % of equal variants different when there are few runs.
 */
export function newcombeInterval(before: Rate, after: Rate): Interval {
  if (before.runs === 0 || after.runs === 0) return [-1, 1];
  const [first, second] = [before.passed / before.runs, after.passed / after.runs];
  const [firstLow, firstHigh] = correctedWilsonInterval(before);
  const [secondLow, secondHigh] = correctedWilsonInterval(after);
  const difference = second - first;
  return [
    difference - Math.hypot(second - secondLow, firstHigh - first),
    difference + Math.hypot(secondHigh - second, first - firstLow),
  ];
}

/** Compares two rates: better or worse if the interval of the difference does not contain 0. */
export function compareRates(before: Rate, after: Rate): Verdict {
  const [from, to] = newcombeInterval(before, after);
  if (from > 0) return 'better';
  return to < 0 ? 'worse' : 'inconclusive';
}

/** True if this many runs of each variant can distinguish two, at least when all pass in one and none in the other. */
export function canDecide(runs: number): boolean {
  return compareRates({ passed: 0, runs }, { passed: runs, runs }) === 'better';
}

/** The smallest number of runs that can tell two variants apart. */
export const FEWEST_RUNS = 3;

/** The number of runs with which a regression of 30 points is found in four of five evaluations; see evaluation.md. */
export const RECOMMENDED_RUNS = 45;
