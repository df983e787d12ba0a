import type { TokenUsage } from '../../agent/ports/language-model.ts';
import type { Price } from '../../providers/limits/known-model.ts';
import { addRequest, type EvaluationBudget, NOTHING_SPENT, reachedLimit, type Spending } from './budget.ts';
import type { PlannedRun, PlannedStory } from './plan.ts';
import type { PlayedRun } from './play-run.ts';
import type { EvaluationReport, RunResult } from './report/report-format.ts';
import { type FailedRun, summarizeStory } from './report/summarize.ts';
import type { EvaluationVariant } from './variants.ts';

/** State of an evaluation that runs. */
export interface Progress {
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly unjudged: number;
  readonly spent: Spending;
}

/** Stories, variants and limits of an evaluation. */
export interface EvaluationPlan {
  readonly stories: readonly PlannedStory[];
  readonly variants: readonly EvaluationVariant[];
  /** In the order in which they start. */
  readonly runs: readonly PlannedRun[];
  readonly budget: EvaluationBudget;
  /** Largest number of runs at the same time. */
  readonly jobs: number;
}

export interface EvaluationPorts {
  /** Plays a run; `spend` is called for each request to the model. */
  readonly play: (run: PlannedRun, spend: Spend, signal: AbortSignal) => Promise<PlayedRun>;
  /** The result of an earlier evaluation that was interrupted. */
  readonly readRun: (run: PlannedRun) => Promise<RunResult | undefined>;
  readonly writeRun: (run: PlannedRun, result: RunResult) => Promise<void>;
  readonly onProgress: (progress: Progress) => void;
}

/** Reports what a run spends: a request with its tokens and price, or an answer from the cache. */
export interface Spend {
  readonly asked: (usage: TokenUsage, price: Price | undefined) => void;
  readonly cached: () => void;
}

/**
 * Plays the runs of an evaluation, several at a time, and reports them. Ends early when the budget is reached, when the
 * model cannot be asked at all, or when `stop` aborts; finished runs are kept, and runs that are under way are dropped.
 */
export async function runEvaluation(
  { stories, variants, runs, budget, jobs }: EvaluationPlan,
  { play, readRun, writeRun, onProgress }: EvaluationPorts,
  stop: AbortSignal,
): Promise<EvaluationReport> {
  let spent = NOTHING_SPENT;
  let reason: { readonly outcome: 'budget' | 'aborted' | 'not_met'; readonly text: string } | undefined;
  const results: RunResult[] = [];
  const errors: (FailedRun & { readonly story: string })[] = [];
  const abort = new AbortController();
  const end = (outcome: NonNullable<typeof reason>['outcome'], text: string): void => {
    reason ??= { outcome, text };
    abort.abort();
  };
  const onStop = () => end('aborted', 'it was interrupted; the same command continues it');
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  const spend: Spend = {
    asked(usage, price) {
      spent = addRequest(spent, usage, price);
      const limit = reachedLimit(spent, budget);
      if (limit !== undefined) end('budget', limit);
    },
    cached() {
      spent = { ...spent, cached: spent.cached + 1 };
    },
  };
  const report = (): void => {
    const passed = results.filter((result) => result.passed).length;
    onProgress({ planned: runs.length, passed, failed: results.length - passed, unjudged: errors.length, spent });
  };

  const playOne = async (run: PlannedRun): Promise<void> => {
    const earlier = await readRun(run);
    const played =
      earlier === undefined ? await play(run, spend, abort.signal) : ({ type: 'finished', result: earlier } as const);
    switch (played.type) {
      case 'finished':
        results.push(played.result);
        if (earlier === undefined) await writeRun(run, played.result);
        break;
      case 'unjudged':
        errors.push({ story: run.playable.name, variant: run.variant.name, message: played.message });
        if (played.isFatal) end('not_met', `the model cannot be asked: ${played.message}`);
        break;
      case 'stopped':
        return;
      default:
        played satisfies never;
    }
    report();
  };
  const waiting = runs.values();
  const work = async (): Promise<void> => {
    for (const run of waiting) {
      if (abort.signal.aborted) return;
      await playOne(run);
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } catch (error) {
    abort.abort();
    throw error;
  } finally {
    stop.removeEventListener('abort', onStop);
  }

  const names = variants.map(({ name }) => name);
  const ordered = results.toSorted((left, right) => left.run - right.run);
  const summaries = stories.map(({ playable: { name, story }, runs: planned }) =>
    summarizeStory(
      {
        ...{ name, planned, policy: story.policy ?? 'always' },
        results: ordered.filter((result) => result.story === name),
        errors: errors.filter((error) => error.story === name),
      },
      names,
    ),
  );
  const isMet = summaries.length > 0 && summaries.every(({ rows }) => rows.every(({ met }) => met));
  return {
    type: 'evaluation',
    outcome: reason?.outcome ?? (isMet ? 'met' : 'not_met'),
    stopped: reason?.text,
    variants: names,
    spent,
    stories: summaries,
  };
}
