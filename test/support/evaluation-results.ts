import type { RunResult } from '../../src/stories/evaluation/report/report-format.ts';

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
