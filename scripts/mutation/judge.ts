/** A source in place of the one of `file`, and the tests to run on it, in order until one fails. */
export interface Job {
  readonly file: string;
  readonly source: string;
  readonly tests: readonly string[];
}

/**
 * The result of a job. `failed`: `by` names the first test file that failed, with its message, or a timeout. `crashed`: the process of the
 * tests ended, which shows nothing about them. `broken`: the tests did not run.
 */
export type Verdict =
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly by: string }
  | { readonly type: 'crashed' }
  | { readonly type: 'broken'; readonly reason: string };

/** The first tests of a mutant, which kill most; the others run on those that survive. */
export const NEAREST = 8;

/**
 * The first related test that fails on a source; undefined when none does. Tests whose process crashes run once more,
 * and a second crash counts as if they passed.
 */
export async function firstFailure(run: (job: Job) => Promise<Verdict>, job: Job): Promise<string | undefined> {
  for (const tests of [job.tests.slice(0, NEAREST), job.tests.slice(NEAREST)]) {
    if (tests.length === 0) continue;
    const part = { ...job, tests };
    const first = await run(part);
    const verdict = first.type === 'crashed' ? await run(part) : first;
    if (verdict.type === 'broken') throw new Error(`the tests of ${job.file} did not run: ${verdict.reason}`);
    if (verdict.type === 'failed') return verdict.by;
  }
  return undefined;
}
