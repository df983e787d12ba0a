import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';

/** One command of `npm test`. */
export interface Step {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** The path of the JSON report that vitest writes, relative to the project. */
  readonly report?: string;
  /** True when another step counts the same tests, so that only failures are added to the totals. */
  readonly repeated?: boolean;
}

/** Numbers of tests. A step that fails without a failed test counts as one failure. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The result of a step. `output` contains standard output and standard error. */
export interface StepResult {
  readonly step: Step;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
  readonly totals: Totals;
}

const ReportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

/** Steps that run in sequence. */
export type Lane = readonly Step[];

/**
 * Runs the lanes of a stage in parallel. When a step fails, the running steps are cancelled and no further steps start;
 * both kinds have no result.
 */
export async function runStage(root: string, stage: readonly Lane[]): Promise<readonly StepResult[]> {
  const failed = new AbortController();
  const results = await Promise.all(
    stage.map(async (lane) => {
      const finished: StepResult[] = [];
      for (const step of lane) {
        if (failed.signal.aborted) break;
        const result = await runStep(root, step, failed.signal);
        if (result === undefined) break;
        if (!result.ok) failed.abort();
        finished.push(result);
      }
      return finished;
    }),
  );
  return results.flat();
}

async function runStep(root: string, step: Step, signal: AbortSignal): Promise<StepResult | undefined> {
  const started = performance.now();
  const [file, ...args] = step.command;
  const { failed, isCanceled, all, shortMessage } = await execa(file, args, {
    cwd: root,
    preferLocal: true,
    reject: false,
    all: true,
    stdin: 'ignore',
    cancelSignal: signal,
    killDescendants: true,
    env: { ...step.environment },
  });
  if (isCanceled) return undefined;
  const output = failed ? `${all ?? ''}\n${shortMessage}` : all;
  const seconds = (performance.now() - started) / 1000;
  const report = step.report === undefined ? undefined : await readReport(path.join(root, step.report));
  return { step, ok: !failed, seconds, output, totals: totalsOf(step, !failed, report) };
}

async function readReport(file: string): Promise<Totals | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const report = ReportSchema.parse(JSON.parse(text));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The totals of one step, from its report if it wrote one. */
export function totalsOf(step: Pick<Step, 'repeated'>, ok: boolean, report: Totals | undefined): Totals {
  const { passed, failed, skipped } = report ?? { passed: 0, failed: 0, skipped: 0 };
  const failures = ok ? failed : Math.max(failed, 1);
  return step.repeated === true ? { passed: 0, failed: failures, skipped: 0 } : { passed, failed: failures, skipped };
}

/** The sum of all totals. */
export function addTotals(totals: readonly Totals[]): Totals {
  return totals.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      failed: sum.failed + next.failed,
      skipped: sum.skipped + next.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
