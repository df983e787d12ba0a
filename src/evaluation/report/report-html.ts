import type { EvaluationReport } from './report-format.ts';

/** The report as a page. */
export function reportHtml(report: EvaluationReport): string {
  return `<!doctype html>${report.variants.length}`;
}
