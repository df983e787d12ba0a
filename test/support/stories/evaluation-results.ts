import type { RunResult } from '../../../src/stories/evaluation/report/report-format.ts';
import type { ReportFiles } from '../../../src/stories/report/read-reports.ts';

/** A finished run that passed, with these differences. */
export function resultOf(rest: Partial<RunResult> = {}): RunResult {
  return {
    story: 's',
    variant: 'a',
    run: 1,
    passed: true,
    problems: [],
    turns: 2,
    toolCalls: 1,
    toolErrors: 0,
    inputTokens: 100,
    outputTokens: 10,
    durationMs: 1_000,
    steps: [],
    ...rest,
  };
}

/** Files of reports by their names; others are missing. */
export function reportFiles(files: Readonly<Record<string, string>>): ReportFiles {
  return {
    kindOf: async (file) => (file in files ? 'file' : 'missing'),
    readFile: async (file) => files[file] ?? '',
  };
}
