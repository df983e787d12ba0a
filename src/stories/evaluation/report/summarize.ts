import type { Story } from '../../../../mock-llm-server/scenario/format.ts';
import { compareCodePoints } from '../../../text/compare-code-points.ts';
import { compareRates, newcombeInterval, wilsonInterval } from '../statistics.ts';
import type { Row, RunResult, StoryReport } from './report-format.ts';
import { choosePair } from './transcript.ts';

/** A run without a verdict. */
export interface FailedRun {
  readonly variant: string;
  readonly message: string;
}

export interface StoryRuns {
  readonly name: string;
  readonly policy: NonNullable<Story['policy']>;
  /** Runs of each variant. */
  readonly planned: number;
  readonly results: readonly RunResult[];
  readonly errors: readonly FailedRun[];
}

/** The report of a story: one row per variant, the first of which the others are compared with. */
export function summarizeStory(
  { name, policy, planned, results, errors }: StoryRuns,
  variants: readonly string[],
): StoryReport {
  const runsOf = (variant: string | undefined) => results.filter((result) => result.variant === variant);
  const [first, ...others] = variants;
  const baseline = runsOf(first);
  const rows = variants.map((variant) => {
    const row = summarizeRuns(variant, runsOf(variant), policy, planned);
    const own = errors.filter((error) => error.variant === variant).map(({ message }) => message);
    const compared = variant === first ? {} : compare(baseline, runsOf(variant));
    return { ...row, ...compared, errors: countTexts(own) };
  });
  return {
    name,
    policy: policy === 'always' ? policy : { usually: policy.usually },
    planned,
    durationMs: Math.round(sumOf(results, ({ durationMs }) => durationMs)),
    rows,
    pairs: others.flatMap((variant) => choosePair(baseline, runsOf(variant)) ?? []),
  };
}

function summarizeRuns(
  variant: string,
  results: readonly RunResult[],
  policy: StoryRuns['policy'],
  planned: number,
): Omit<Row, 'errors'> {
  const runs = results.length;
  const passed = results.filter((result) => result.passed).length;
  const rate = runs === 0 ? 0 : passed / runs;
  const mean = (read: (result: RunResult) => number) => (runs === 0 ? 0 : sumOf(results, read) / runs);
  const costs = results.flatMap(({ cost }) => cost ?? []);
  return {
    variant,
    runs,
    passed,
    rate,
    interval: wilsonInterval({ passed, runs }),
    met: runs > 0 && runs === planned && rate >= (policy === 'always' ? 1 : policy.usually),
    turns: mean(({ turns }) => turns),
    toolCalls: mean(({ toolCalls }) => toolCalls),
    toolErrors: mean(({ toolErrors }) => toolErrors),
    inputTokens: mean(({ inputTokens }) => inputTokens),
    outputTokens: mean(({ outputTokens }) => outputTokens),
    cost: runs > 0 && costs.length === runs ? sumOf(costs, (cost) => cost) / runs : undefined,
    durationMs: mean(({ durationMs }) => durationMs),
    problems: countTexts(
      results.flatMap(({ problems: [problem] }) => (problem === undefined ? [] : [firstLine(problem)])),
    ),
  };
}

function compare(before: readonly RunResult[], after: readonly RunResult[]): Pick<Row, 'verdict' | 'difference'> {
  const [first, second] = [before, after].map((results) => ({
    passed: results.filter(({ passed }) => passed).length,
    runs: results.length,
  }));
  if (first === undefined || second === undefined || first.runs === 0 || second.runs === 0) {
    return { verdict: 'inconclusive' };
  }
  return { verdict: compareRates(first, second), difference: newcombeInterval(first, second) };
}

/** Equal texts with their number, most frequent first. */
function countTexts(texts: readonly string[]): Row['problems'] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, runs]) => ({ text, runs }))
    .sort((left, right) => right.runs - left.runs || compareCodePoints(left.text, right.text));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function sumOf<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0);
}
