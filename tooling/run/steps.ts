import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import * as z from 'zod';
import { PROGRESS, type Totals } from './progress-reporter.ts';

/** One command of `npm test`. */
export interface Step {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** The path of the file to which the command writes its totals. A step that fails without a failed test counts as one failure. */
  readonly report?: string;
}

/** The result of a step. `output` contains standard output and standard error without the progress. */
export interface StepResult {
  readonly step: Step;
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly output: string;
  readonly totals: Totals;
}

const TotalsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });

/** Steps that run in sequence. */
export type Lane = readonly Step[];

/** Receives each result as soon as it is known, and each line of progress. */
export interface Listeners {
  readonly report: (result: StepResult) => void;
  readonly progress: (step: Step, text: string) => void;
}

/**
 * Runs the lanes of a stage in parallel. When a step fails, the running steps are cancelled and no further steps start;
 * both kinds have no result.
 */
export async function runStage(
  root: string,
  stage: readonly Lane[],
  listeners: Listeners,
): Promise<readonly StepResult[]> {
  const failed = new AbortController();
  const results = await Promise.all(
    stage.map(async (lane) => {
      const finished: StepResult[] = [];
      for (const step of lane) {
        if (failed.signal.aborted) break;
        const result = await runStep(root, step, listeners, failed.signal);
        if (result === undefined) break;
        listeners.report(result);
        if (!result.ok) failed.abort();
        finished.push(result);
      }
      return finished;
    }),
  );
  return results.flat();
}

async function runStep(
  root: string,
  step: Step,
  { progress }: Listeners,
  signal: AbortSignal,
): Promise<StepResult | undefined> {
  const started = performance.now();
  const [file, ...args] = step.command;
  const lines: string[] = [];
  const command = execa(file, args, {
    cwd: root,
    preferLocal: true,
    reject: false,
    buffer: false,
    all: true,
    stdin: 'ignore',
    cancelSignal: signal,
    killDescendants: true,
    env: { ...step.environment },
  });
  for await (const line of command.iterable({ from: 'all' })) {
    if (line.startsWith(PROGRESS)) progress(step, line.slice(PROGRESS.length));
    else lines.push(line);
  }
  const { failed, isCanceled, shortMessage } = await command;
  if (isCanceled) return undefined;
  const report = step.report === undefined ? undefined : await readReport(step.report);
  return {
    step,
    ok: !failed,
    milliseconds: performance.now() - started,
    output: [...lines, ...(failed ? [shortMessage] : [])].join('\n'),
    totals: totalsOf(!failed, report),
  };
}

async function readReport(file: string): Promise<Totals | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return TotalsSchema.parse(JSON.parse(text));
}

/** The totals of one step, from its report if it wrote one. */
export function totalsOf(ok: boolean, report: Totals | undefined): Totals {
  const totals = report ?? { passed: 0, failed: 0, skipped: 0 };
  return { ...totals, failed: ok ? totals.failed : Math.max(totals.failed, 1) };
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
