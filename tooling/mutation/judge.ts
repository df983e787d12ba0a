/** A source in place of the one of `file`, and the tests to run on it, in order until one fails. */
export interface Job {
  readonly file: string;
  readonly source: string;
  readonly tests: readonly string[];
}

/** A failure: what failed, or why the tests never end, and the test file, if it is known. */
export interface Failure {
  readonly type: 'failed' | 'endless';
  readonly by: string;
  readonly test?: string;
}

/**
 * The result of a job. `endless`: the tests will never end, which counts as a failure. `crashed`: the process of the
 * tests ended, which shows nothing about them. `broken`: the tests did not run.
 */
export type Verdict =
  | { readonly type: 'passed' }
  | Failure
  | { readonly type: 'crashed' }
  | { readonly type: 'broken'; readonly reason: string };

/** The number of the first tests of a mutant, which kill most. The others run on mutants that survive these. */
export const NEAREST = 8;

/**
 * The first related test that fails on a source; undefined when none does. Tests whose process crashes run once more,
 * and a second crash counts as if they passed.
 */
export async function firstFailure(run: (job: Job) => Promise<Verdict>, job: Job): Promise<Failure | undefined> {
  for (const tests of [job.tests.slice(0, NEAREST), job.tests.slice(NEAREST)]) {
    if (tests.length === 0) continue;
    const part = { ...job, tests };
    const first = await run(part);
    const verdict = first.type === 'crashed' ? await run(part) : first;
    if (verdict.type === 'broken') throw new Error(`the tests of ${job.file} did not run: ${verdict.reason}`);
    if (verdict.type === 'failed' || verdict.type === 'endless') return verdict;
  }
  return undefined;
}

/** More processor time than one test file or several need, in a thread that has loaded nothing yet, in milliseconds. */
export function maxCpuMs(tests: number): number {
  return tests > 1 ? 90_000 : 15_000;
}

/** Tests that use no processor time for so long, in milliseconds, wait for something that never happens. */
const MAX_IDLE_MS = 20_000;
/** A process that does nothing uses less processor time than this in that time, and one on the busiest machine more. */
const IDLE_CPU_MS = 60;

/**
 * Notices that a run of tests never ends. Elapsed time alone does not show that: on a busy machine tests take many
 * times as long as on another one. All times are in milliseconds.
 */
export class EndlessWatch {
  readonly #maxCpu: number;
  #active: { readonly time: number; readonly cpu: number };

  constructor(time: number, cpu: number, maxCpuMs: number) {
    this.#maxCpu = cpu + maxCpuMs;
    this.#active = { time, cpu };
  }

  /** Reason for which the tests will never end, if that is so after this much time and processor time. */
  check(time: number, cpu: number): string | undefined {
    if (cpu > this.#maxCpu) return 'an endless loop';
    if (cpu - this.#active.cpu > IDLE_CPU_MS) this.#active = { time, cpu };
    return time - this.#active.time > MAX_IDLE_MS ? 'an endless wait' : undefined;
  }
}
