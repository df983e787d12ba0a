import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  canDecide,
  compareRates,
  FEWEST_RUNS,
  newcombeInterval,
  RECOMMENDED_RUNS,
  wilsonInterval,
} from '../../../../src/stories/evaluation/statistics.ts';
import { calibrate } from '../../../../tooling/bench/calibration-grid.ts';
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

  it('is the whole range without runs', () => {
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

  it('is the whole range without runs', () => {
    expect(newcombeInterval({ passed: 0, runs: 0 }, { passed: 1, runs: 1 })).toEqual([-1, 1]);
  });
});

describe('the verdict', () => {
  it.each([
    [2, 10, 9, 'better'],
    [9, 10, 2, 'worse'],
    [5, 10, 7, 'inconclusive'],
  ] as const)('for %i of %i and then %i passed runs is %s', (before, runs, after, verdict) => {
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

describe('verdicts on runs that the mock draws from seeds', () => {
  it('call equal variants different in at most 5 % of evaluations', () => {
    const [verdicts] = calibrate({ before: 0.8, loss: 0 }, { seeds: 300, runs: [10] });
    expect((verdicts?.better ?? 1) + (verdicts?.worse ?? 1)).toBeLessThanOrEqual(0.05);
  });

  it('find a regression of 30 points in at least 80 % of evaluations with the recommended runs', () => {
    const [verdicts] = calibrate({ before: 0.9, loss: 0.3 }, { seeds: 60, runs: [RECOMMENDED_RUNS] });
    expect(verdicts?.worse).toBeGreaterThanOrEqual(0.8);
    expect(verdicts?.better).toBe(0);
  });
});

describe('the grid of docs/evaluation.md', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/evaluation.md'), 'utf8');
  const [, block = ''] = /<!-- calibration: .*?-->\n([\s\S]*?)<!-- \/calibration -->/.exec(page) ?? [];
  const [headings = [], , ...rows] = block
    .trim()
    .split('\n')
    .map((line) => line.split('|').slice(1, -1));
  const runs = headings.slice(2).map((heading) => Number.parseInt(heading, 10));
  const cells = rows.flatMap(([before = '', loss = '', ...parts]) =>
    parts.map((part, index) => ({
      before: Number.parseInt(before, 10) / 100,
      loss: loss.trim() === 'none' ? 0 : Number.parseInt(loss, 10) / 100,
      runs: runs[index] ?? 0,
      shown: Number.parseFloat(part) / 100,
    })),
  );

  it('has no false alarms in more than 5 % of a cell, and finds 30 points in at least 80 % with the recommended runs', () => {
    expect(cells).toHaveLength(150);
    const alarms = cells.filter(({ loss }) => loss === 0).map(({ shown }) => shown);
    expect(Math.max(...alarms)).toBeLessThanOrEqual(0.05);
    const found = cells.filter(({ loss, runs: count }) => loss === 0.3 && count === RECOMMENDED_RUNS);
    expect(found).toHaveLength(6);
    expect(Math.min(...found.map(({ shown }) => shown))).toBeGreaterThanOrEqual(0.8);
  });

  it('agrees with the exact probabilities within the error of 1,000 seeds', () => {
    for (const { before, loss, runs: count, shown } of cells.filter((cell) => cell.runs <= 20)) {
      const exact = verdictProbability(count, before, before - loss, loss === 0 ? ['better', 'worse'] : ['worse']);
      const deviation = Math.sqrt((exact * (1 - exact)) / 1_000);
      expect(Math.abs(shown - exact), `${before} ${loss} ${count}`).toBeLessThanOrEqual(4 * deviation + 0.0006);
    }
  });
});
