import { describe, expect, it } from 'vitest';
import type { EvaluationBudget } from '../../../../src/stories/evaluation/budget.ts';
import { orderRuns, type PlannedRun, runsOf } from '../../../../src/stories/evaluation/plan.ts';
import type { PlayedRun } from '../../../../src/stories/evaluation/play-run.ts';
import type { RunResult } from '../../../../src/stories/evaluation/report/report-format.ts';
import { type Progress, runEvaluation, type Spend } from '../../../../src/stories/evaluation/run-evaluation.ts';
import type { PlayableStory } from '../../../../src/stories/play/play-story.ts';
import { resultOf } from '../../../support/stories/evaluation-results.ts';

const story = (name: string, policy?: PlayableStory['story']['policy']): PlayableStory => ({
  name,
  file: `/${name}.json`,
  source: { file: `${name}.json`, content: { scenarios: [] } },
  story: { prompts: ['go'], ...(policy !== undefined && { policy }) },
  workspace: undefined,
  expected: undefined,
  expectedPath: '/expected',
});
const variants = ['a', 'b'].map((name) => ({ name, file: undefined, keys: new Set<string>() }));
const nameOf = ({ playable, variant, run }: PlannedRun) => `${playable.name} ${variant.name} ${run}`;

interface Script {
  readonly runs?: number;
  readonly jobs?: number;
  readonly budget?: Partial<EvaluationBudget>;
  readonly stories?: readonly PlayableStory[];
  readonly kept?: Readonly<Record<string, RunResult>>;
  readonly stop?: AbortController;
  /** Plays a run; by default it passes after one request of 100 tokens. */
  readonly play?: (run: PlannedRun, spend: Spend, signal: AbortSignal) => Promise<PlayedRun>;
}

const usage = { inputTokens: 90, outputTokens: 10 };
const price = { input: 1_000, output: 1_000 };

async function evaluate(script: Script) {
  const { runs = 3, jobs = 1, stories = [story('s')], kept = {}, stop = new AbortController() } = script;
  const planned = stories.map((playable) => ({ playable, runs }));
  const played: string[] = [];
  const written: string[] = [];
  const progress: Progress[] = [];
  let [working, most] = [0, 0];
  const report = await runEvaluation(
    {
      stories: planned,
      variants,
      runs: orderRuns(planned, variants),
      budget: { maxTokens: undefined, maxCost: undefined, ...script.budget },
      jobs,
    },
    {
      async play(run, spend, signal) {
        played.push(nameOf(run));
        working += 1;
        most = Math.max(most, working);
        const result = await (script.play?.(run, spend, signal) ?? pass(run, spend, signal));
        working -= 1;
        return result;
      },
      readRun: async (run) => kept[nameOf(run)],
      async writeRun(run) {
        written.push(nameOf(run));
      },
      onProgress: (state) => progress.push(state),
    },
    stop.signal,
  );
  return { report, played, written, progress, most };
}

async function pass({ playable, variant, run }: PlannedRun, spend: Spend, signal: AbortSignal): Promise<PlayedRun> {
  spend.asked(usage, price);
  if (signal.aborted) return { type: 'stopped' };
  return { type: 'finished', result: resultOf({ story: playable.name, variant: variant.name, run }) };
}

describe('an evaluation', () => {
  it('plays the first run of every variant first, then the second, and reports every run', async () => {
    const { report, played, written, progress } = await evaluate({ runs: 2, stories: [story('s'), story('t')] });
    expect(played).toEqual(['s a 1', 's b 1', 't a 1', 't b 1', 's a 2', 's b 2', 't a 2', 't b 2']);
    expect(written).toEqual(played);
    expect(report).toMatchObject({ outcome: 'met', variants: ['a', 'b'], spent: { requests: 8, tokens: 800 } });
    expect(report.stories.map(({ name, rows }) => [name, ...rows.map(({ passed }) => passed)])).toEqual([
      ['s', 2, 2],
      ['t', 2, 2],
    ]);
    expect(progress.at(-1)).toMatchObject({ planned: 8, passed: 8, failed: 0 });
  });

  it('plays as many runs in parallel as allowed', async () => {
    const slow: Script['play'] = async (...args) => {
      await Promise.resolve();
      return pass(...args);
    };
    expect((await evaluate({ runs: 5, jobs: 3, play: slow })).most).toBe(3);
    expect((await evaluate({ runs: 5, play: slow })).most).toBe(1);
  });

  it.each([
    [{ maxTokens: 250 }, '300 of 250 tokens are spent (--max-tokens)'],
    [{ maxCost: 0.25 }, '$0.3000 of $0.25 are spent (--max-cost)'],
  ])('reports that it stopped at the budget %j', async (budget, stopped) => {
    const { report, played, written } = await evaluate({ budget });
    expect([played.length, written.length]).toEqual([3, 2]);
    expect(report).toMatchObject({ outcome: 'budget', stopped });
    expect(report.stories[0]?.rows.map(({ runs, met }) => [runs, met])).toEqual([
      [1, false],
      [1, false],
    ]);
  });

  it('reuses the results of an interrupted one', async () => {
    const kept = { 's a 1': resultOf({ variant: 'a', passed: false }), 's b 2': resultOf({ variant: 'b', run: 2 }) };
    const { report, played, written } = await evaluate({ kept });
    expect(played).toEqual(['s b 1', 's a 2', 's a 3', 's b 3']);
    expect(written).toEqual(played);
    expect(report.stories[0]?.rows.map(({ passed, runs }) => [passed, runs])).toEqual([
      [2, 3],
      [3, 3],
    ]);
    expect(report.outcome).toBe('not_met');
  });

  it('ends when it is interrupted, before or while it runs', async () => {
    const stop = new AbortController();
    const { report, played } = await evaluate({
      stop,
      async play(run, spend, signal) {
        if (run.run === 2) stop.abort();
        return pass(run, spend, signal);
      },
    });
    expect([report.outcome, played.length]).toEqual(['aborted', 3]);
    expect(report.stopped).toMatch(/interrupted; the same command continues it/);
    expect((await evaluate({ stop })).played).toEqual([]);
  });

  it('counts runs that cannot be judged separately, and ends if the model cannot be asked', async () => {
    const play = (isFatal: boolean) => async (): Promise<PlayedRun> => ({
      type: 'unjudged',
      message: 'No key.',
      isFatal,
    });
    const soft = await evaluate({ play: play(false) });
    expect(soft.played).toHaveLength(6);
    expect(soft.report).toMatchObject({ outcome: 'not_met' });
    expect(soft.report.stories[0]?.rows[0]).toMatchObject({
      runs: 0,
      met: false,
      errors: [{ text: 'No key.', runs: 3 }],
    });
    const fatal = await evaluate({ play: play(true) });
    expect(fatal.played).toHaveLength(1);
    expect(fatal.report).toMatchObject({ outcome: 'not_met', stopped: 'the model cannot be asked: No key.' });
  });

  it('without any run fails', async () => {
    expect((await evaluate({ stories: [] })).report.outcome).toBe('not_met');
  });

  it('rethrows an error of a run', async () => {
    await expect(evaluate({ jobs: 2, play: () => Promise.reject(new Error('disk')) })).rejects.toThrow('disk');
  });

  it.each<readonly [PlayableStory['story']['policy'], number, string]>([
    ['always', 0, 'met'],
    ['always', 1, 'not_met'],
    [{ usually: 0.8 }, 2, 'met'],
    [{ usually: 0.8 }, 3, 'not_met'],
  ])('judges the policy %j with %i failed runs of 10 as %s', async (policy, failed, outcome) => {
    const { report } = await evaluate({
      runs: 10,
      stories: [story('s', policy)],
      async play({ variant, run }, spend) {
        spend.cached();
        return { type: 'finished', result: resultOf({ variant: variant.name, run, passed: run > failed }) };
      },
    });
    expect([report.outcome, report.spent]).toEqual([outcome, { requests: 0, cached: 20, tokens: 0, cost: 0 }]);
  });
});

describe('the number of runs', () => {
  it.each<readonly [PlayableStory['story']['policy'], number | undefined, number, number]>([
    [undefined, undefined, 1, 1],
    [undefined, undefined, 2, 10],
    [{ usually: 0.9, runs: 20 }, undefined, 1, 20],
    [{ usually: 0.9, runs: 20 }, 5, 2, 5],
    ['always', 2, 1, 2],
  ])('with the policy %j, --runs %s and %i variants is %i', (policy, wanted, count, runs) => {
    expect(runsOf('s', { policy }, { wanted, variants: count })).toBe(runs);
  });

  it('is rejected if it cannot distinguish variants, with a sufficient number', () => {
    expect(() => runsOf('s', {}, { wanted: 2, variants: 2 })).toThrow(
      '--runs 2 cannot tell variants apart: even 0 of 2 against 2 of 2 is inconclusive. Use at least 3 runs; 45 find a difference of 30 points.',
    );
    expect(() => runsOf('s', { policy: { usually: 1, runs: 1 } }, { wanted: undefined, variants: 2 })).toThrow(
      'The policy of the story s cannot tell variants apart',
    );
  });
});
