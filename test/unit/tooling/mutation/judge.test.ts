import { describe, expect, it } from 'vitest';
import {
  EndlessWatch,
  type Failure,
  firstFailure,
  type Job,
  maxCpuMs,
  type Verdict,
} from '../../../../tooling/mutation/judge.ts';

const PASSED: Verdict = { type: 'passed' };
const FAILED: Failure = { type: 'failed', by: 'a.test.ts (message)', test: 'a.test.ts' };
const ENDLESS: Failure = { type: 'endless', by: 'an endless loop' };
const CRASHED: Verdict = { type: 'crashed' };

/** Judges ten tests with the given verdicts. Returns the failure and the tests of each run. */
async function judge(...verdicts: readonly Verdict[]): Promise<readonly [Failure | undefined, readonly string[]]> {
  const tests = Array.from({ length: 10 }, (_, index) => String(index));
  const runs: string[] = [];
  const run = async (job: Job): Promise<Verdict> => verdicts[runs.push(job.tests.join('')) - 1] ?? PASSED;
  return [await firstFailure(run, { file: 'a.ts', source: '', tests }), runs];
}

describe('firstFailure', () => {
  it.each<readonly [string, readonly Verdict[], readonly [Failure | undefined, readonly string[]]]>([
    ['all tests when none fails', [], [undefined, ['01234567', '89']]],
    ['the nearest tests when one of them fails', [FAILED], [FAILED, ['01234567']]],
    ['no more tests when they never end', [ENDLESS], [ENDLESS, ['01234567']]],
    ['the other tests when the nearest pass', [PASSED, FAILED], [FAILED, ['01234567', '89']]],
    ['tests again whose process crashed', [CRASHED, FAILED], [FAILED, ['01234567', '01234567']]],
    ['no tests a third time', [CRASHED, CRASHED], [undefined, ['01234567', '01234567', '89']]],
  ])('runs %s', async (_name, verdicts, result) => {
    expect(await judge(...verdicts)).toEqual(result);
  });

  it('throws when the tests do not run', async () => {
    await expect(judge({ type: 'broken', reason: 'no file' })).rejects.toThrow(
      'the tests of a.ts did not run: no file',
    );
  });
});

describe('EndlessWatch', () => {
  /** The judgement after the last of the moments, each with its seconds and its milliseconds of processor time. */
  const check = (moments: readonly (readonly [seconds: number, cpuMs: number])[]) => {
    const watch = new EndlessWatch(0, 1_000, 90_000);
    return moments.map(([seconds, cpuMs]) => watch.check(seconds * 1_000, 1_000 + cpuMs)).at(-1);
  };

  it.each<readonly [string, readonly (readonly [number, number])[], string | undefined]>([
    ['uses much processor time', [[2, 90_001]], 'an endless loop'],
    [
      'uses no processor time',
      [
        [10, 0],
        [21, 0],
      ],
      'an endless wait',
    ],
    [
      'uses no processor time after a while',
      [
        [10, 5_000],
        [31, 5_060],
      ],
      'an endless wait',
    ],
    [
      'uses a little on a busy machine',
      [
        [19, 100],
        [38, 200],
        [57, 300],
        [76, 400],
      ],
      undefined,
    ],
  ])('judges a job that %s', (_name, moments, expected) => {
    expect(check(moments)).toBe(expected);
  });
});

describe('maxCpuMs', () => {
  it('is larger for several tests than for one', () => {
    expect(maxCpuMs(2)).toBeGreaterThan(maxCpuMs(1));
  });
});
