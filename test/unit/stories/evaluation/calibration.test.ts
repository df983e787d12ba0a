import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECOMMENDED_RUNS } from '../../../../src/stories/evaluation/statistics.ts';
import { calibrate } from '../../../../tooling/bench/calibration-grid.ts';
import { verdictProbability } from '../../../support/stories/exact-rates.ts';

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

  it('agrees with the exact probabilities, as far as 1,000 seeds can', () => {
    for (const { before, loss, runs: count, shown } of cells.filter((cell) => cell.runs <= 20)) {
      const exact = verdictProbability(count, before, before - loss, loss === 0 ? ['better', 'worse'] : ['worse']);
      const deviation = Math.sqrt((exact * (1 - exact)) / 1_000);
      expect(Math.abs(shown - exact), `${before} ${loss} ${count}`).toBeLessThanOrEqual(4 * deviation + 0.0006);
    }
  });
});
