import { UsageError } from '../../../agent/errors.ts';
import { compareCodePoints } from '../../../text/compare-code-points.ts';
import { type ReportFiles, readShardReports } from '../../report/read-reports.ts';
import { addSpending, NOTHING_SPENT } from '../budget.ts';
import { type EvaluationReport, EvaluationReportSchema } from './report-format.ts';

/** Outcomes from the best to the worst. */
const OUTCOMES = ['met', 'not_met', 'budget', 'aborted'] as const;

/** Merges the reports of all shards of an evaluation. Throws `UsageError`. */
export async function mergeReports(paths: readonly string[], files: ReportFiles): Promise<EvaluationReport> {
  const source = { command: 'ybs eval', option: '--output-format json' };
  const reports = await readShardReports(paths, EvaluationReportSchema, source, files);
  const variants = reports[0]?.report.variants ?? [];
  for (const { file, report } of reports) {
    if (report.variants.join() === variants.join()) continue;
    throw new UsageError(
      `${file} compares ${report.variants.join(', ')}, not ${variants.join(', ')}, so it cannot be merged.`,
    );
  }
  const all = reports.map(({ report }) => report);
  const stopped = all.flatMap((report) => report.stopped ?? []);
  return {
    type: 'evaluation',
    outcome: OUTCOMES.findLast((outcome) => all.some((report) => report.outcome === outcome)) ?? 'not_met',
    stopped: stopped.length > 0 ? [...new Set(stopped)].join('; ') : undefined,
    variants,
    spent: all.reduce((sum, { spent }) => addSpending(sum, spent), NOTHING_SPENT),
    stories: all.flatMap(({ stories }) => stories).sort((left, right) => compareCodePoints(left.name, right.name)),
  };
}
