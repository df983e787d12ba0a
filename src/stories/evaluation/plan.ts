import type { Story } from '../../../mock-llm-server/scenario/format.ts';
import { UsageError } from '../../agent/errors.ts';
import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { Config } from '../../config/schema.ts';
import type { FileTree } from '../compare-trees.ts';
import type { PlayableStory } from '../play/play-story.ts';
import { canDecide, FEWEST_RUNS, RECOMMENDED_RUNS } from './statistics.ts';
import type { EvaluationVariant } from './variants.ts';

/** A story with the number of runs of each variant. */
export interface PlannedStory {
  readonly playable: PlayableStory;
  readonly runs: number;
}

export interface PlannedRun {
  readonly playable: PlayableStory;
  readonly variant: EvaluationVariant;
  /** Counted from 1. */
  readonly run: number;
}

/** Runs of each variant where neither the command line nor the story names a number, to find large differences. */
const COMPARED_RUNS = 10;

/**
 * The number of runs of each variant: that of the command line, or of the story. Throws `UsageError` for a number that
 * cannot tell variants apart whatever happens.
 */
export function runsOf(
  name: string,
  { policy = 'always' }: Pick<Story, 'policy'>,
  { wanted, variants }: { readonly wanted: number | undefined; readonly variants: number },
): number {
  const ofStory = policy === 'always' ? undefined : policy.runs;
  const runs = wanted ?? ofStory ?? (variants > 1 ? COMPARED_RUNS : 1);
  if (variants === 1 || canDecide(runs)) return runs;
  const source = wanted === undefined ? `The policy of the story ${name}` : `--runs ${runs}`;
  throw new UsageError(
    `${source} cannot tell variants apart: even 0 of ${runs} against ${runs} of ${runs} is inconclusive. Use at least ${FEWEST_RUNS} runs; ${RECOMMENDED_RUNS} find a difference of 30 points.`,
  );
}

/**
 * All runs in the order in which they start: first the first run of every variant on every story, and so on, so that an
 * evaluation that ends early has compared the same runs.
 */
export function orderRuns(
  stories: readonly PlannedStory[],
  variants: readonly EvaluationVariant[],
): readonly PlannedRun[] {
  const most = Math.max(0, ...stories.map(({ runs }) => runs));
  return Array.from({ length: most }, (_, index) => index + 1).flatMap((run) =>
    stories
      .filter(({ runs }) => run <= runs)
      .flatMap(({ playable }) => variants.map((variant) => ({ playable, variant, run }))),
  );
}

/** Everything that decides the result of a run, as far as it can be known before. */
export interface RunConditions {
  readonly config: Config;
  /** Text of `prompt.system_file`. */
  readonly rules: string;
  readonly before: FileTree;
  readonly expected: FileTree;
}

/** The name under which the result of a run is kept until its evaluation is complete. */
export function runKey({ playable, variant, run }: PlannedRun, facts: RunConditions, digest: ComputeDigest): Digest {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const treeOf = (tree: FileTree) => [...tree].map(([name, bytes]) => [name, digest(bytes)]).sort();
  const { story, source, name } = playable;
  const parts = [story, source.content, name, variant.name, run, facts.config, facts.rules];
  return digest(bytesOf(JSON.stringify(['run', 1, ...parts, treeOf(facts.before), treeOf(facts.expected)])));
}
