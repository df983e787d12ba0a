import { describe, expect, it } from 'vitest';
import {
  canDecide,
  compareRates,
  FEWEST_RUNS,
  newcombeInterval,
  RECOMMENDED_RUNS,
  wilsonInterval,
} from '../../../../src/stories/evaluation/statistics.ts';
import { verdictProbability } from '../../../support/stories/exact-rates.ts';

const rounded = (interval: readonly number[], digits = 4) => interval.map((value) => Number(value.toFixed(digits)));

// Examples of Newcombe, Statistics in Medicine 17 (1998): 857-872, method 3, and 873-890, method 11.
describe('the interval of a rate', () => {
  it.each<readonly [number, number, readonly number[]]>([
    [81, 263, [0.2553, 0.3662]],
    [15, 148, [0.0624, 0.1605]],
    [0, 20, [0, 0.1611]],
    [1, 29, [0.0061, 0.1718]],
    [29, 29, [0.883, 1]],
  ])('of %i of %i is that of Wilson', (passed, runs, interval) => {
    expect(rounded(wilsonInterval({ passed, runs }))).toEqual(interval);
  });

  it('is everything without runs', () => {
    expect(wilsonInterval({ passed: 0, runs: 0 })).toEqual([0, 1]);
  });
});

describe('the interval of a difference', () => {
  it.each<readonly [readonly [number, number], readonly [number, number], readonly number[]]>([
    [
      [56, 70],
      [48, 80],
      [0.0428, 0.3422],
    ],
    [
      [9, 10],
      [3, 10],
      [0.1013, 0.8387],
    ],
    [
      [6, 7],
      [2, 7],
      [-0.029, 0.8423],
    ],
    [
      [5, 56],
      [0, 29],
      [-0.0667, 0.2037],
    ],
    [
      [0, 10],
      [0, 20],
      [-0.2005, 0.3445],
    ],
    [
      [10, 10],
      [0, 10],
      [0.5128, 1],
    ],
  ])('of %j less %j is that of Newcombe', (second, first, interval) => {
    const rate = ([passed, runs]: readonly [number, number]) => ({ passed, runs });
    expect(rounded(newcombeInterval(rate(first), rate(second)))).toEqual(interval);
  });

  it('is everything without runs', () => {
    expect(newcombeInterval({ passed: 0, runs: 0 }, { passed: 1, runs: 1 })).toEqual([-1, 1]);
  });
});

describe('the verdict', () => {
  it.each([
    [2, 10, 9, 'better'],
    [9, 10, 2, 'worse'],
    [5, 10, 7, 'inconclusive'],
  ] as const)('on %i of %i and then %i is %s', (before, runs, after, verdict) => {
    expect(compareRates({ passed: before, runs }, { passed: after, runs })).toBe(verdict);
  });

  it(`needs ${FEWEST_RUNS} runs`, () => {
    expect([1, 2, 3, 4, 5].filter(canDecide)[0]).toBe(FEWEST_RUNS);
    expect(Array.from({ length: 200 }, (_, index) => index + FEWEST_RUNS).every(canDecide)).toBe(true);
  });

  const rates = [0.01, 0.05, 0.1, 0.2, 0.3, 0.34, 0.4, 0.5];
  it.each([3, 4, 5, 6, 8, 10, 12, 15, 20, 30, RECOMMENDED_RUNS, 60])(
    'calls equal variants different in at most 5 %% of evaluations with %i runs',
    (runs) => {
      const alarms = rates.map((rate) => verdictProbability(runs, rate, rate, ['better', 'worse']));
      expect(Math.max(...alarms)).toBeLessThan(0.05);
    },
  );

  it.each([1, 0.95, 0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3])(
    'finds a regression of 30 points from %d in at least 80 %% of evaluations with the recommended runs',
    (before) => {
      expect(verdictProbability(RECOMMENDED_RUNS, before, before - 0.3, ['worse'])).toBeGreaterThan(0.8);
    },
  );
});
