import { UsageError } from '../../../agent/errors.ts';
import { compareCodePoints } from '../../../text/compare-code-points.ts';
import { checkShards } from '../../shards/shard.ts';
import { type EvaluationReport, EvaluationReportSchema } from './report-format.ts';

/** Outcomes from the best to the worst. */
const OUTCOMES = ['met', 'not_met', 'budget', 'aborted'] as const;

/** Merges the reports of all shards of an evaluation, which are texts in JSON. Throws `UsageError`. */
export function mergeReports(files: readonly { readonly file: string; readonly text: string }[]): EvaluationReport {
  const reports = files.map(({ file, text }) => ({ file, report: readReport(file, text) }));
  checkShards(reports.map(({ file, report: { shard } }) => ({ file, shard })));
  const [first] = reports;
  const variants = first?.report.variants ?? [];
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
    ...(stopped.length > 0 && { stopped: [...new Set(stopped)].join('; ') }),
    variants,
    spent: all.reduce((sum, { spent }) => addSpending(sum, spent), { requests: 0, cached: 0, tokens: 0, cost: 0 }),
    stories: all.flatMap(({ stories }) => stories).sort((left, right) => compareCodePoints(left.name, right.name)),
  };
}

function addSpending(left: EvaluationReport['spent'], right: EvaluationReport['spent']): EvaluationReport['spent'] {
  return {
    requests: left.requests + right.requests,
    cached: left.cached + right.cached,
    tokens: left.tokens + right.tokens,
    cost: left.cost + right.cost,
  };
}

function readReport(file: string, text: string): EvaluationReport {
  try {
    return EvaluationReportSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(
      `${file} is not a report of ybs eval. --merge takes files that --output-format json has written.`,
    );
  }
}
