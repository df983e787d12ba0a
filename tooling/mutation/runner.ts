// A process that runs unit tests on mutants: it receives a Job and answers with a Verdict. Sources are replaced while
// they are loaded, so that no file changes. The parent ends the process when the tests of a mutant never end.
import path from 'node:path';
import { createVitest, type TestSpecification } from 'vitest/node';
import { EndlessWatch, type Job, maxCpuMs, NEAREST, type Verdict } from './judge.ts';
import { WarmThread } from './warm-thread.ts';

const WATCH_INTERVAL_MS = 2_000;
const root = path.join(import.meta.dirname, '../..');
let current: Job | undefined;
/** Watches the last run of tests. */
let watch: EndlessWatch | undefined;
/** Durations of the test files, by path. */
const durations = new Map<string, number>();
/** Numbers of mutants of the current file that test files killed, by path: they are likely to kill the next one. */
const kills = new Map<string, number>();

/** Runs the test files in the order of the job. The default is the slowest first. */
class JobOrder {
  sort(specifications: TestSpecification[]): TestSpecification[] {
    return specifications;
  }
  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications;
  }
}

const thread = new WarmThread();
const vitest = await createVitest(
  {
    root,
    config: false,
    watch: false,
    bail: 1,
    sequence: { sequencer: JobOrder },
    // No limit, which would count tests as failed that are only slow on a busy machine.
    testTimeout: 0,
    hookTimeout: 0,
    include: ['test/unit/**/*.test.ts'],
    pool: thread,
    isolate: false,
    maxWorkers: 1,
    update: 'none',
    // Modules on the disk are those of other mutants.
    fsModuleCache: false,
    setupFiles: ['test/support/setup/no-network.ts'],
    globalSetup: ['test/support/setup/temporary-home.ts'],
    reporters: [{}],
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id) => (current !== undefined && id === path.join(root, current.file) ? current.source : undefined),
      },
    ],
  },
);
await vitest.standalone();

process.on('message', (job: Job) => {
  const answer = (verdict: Verdict): void => {
    clearInterval(timer);
    process.send?.(verdict);
  };
  const timer = setInterval(() => {
    const by = watch?.check(performance.now(), cpuTime());
    if (by !== undefined) answer({ type: 'endless', by });
  }, WATCH_INTERVAL_MS);
  run(job).then(answer, (error: unknown) => answer({ type: 'broken', reason: String(error) }));
});

/** The processor time of all threads of this process so far, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function run(job: Job): Promise<Verdict> {
  if (job.file !== current?.file) kills.clear();
  const changed = [current?.file, job.file].filter((file) => file !== undefined);
  current = job;
  for (const file of changed) {
    vitest.invalidateFile(path.join(root, file));
    thread.forget(path.join(root, file));
  }
  const tests = job.tests.map((test) => path.join(root, test)).toSorted((left, right) => costOf(left) - costOf(right));
  // When a file of several fails, the next one has begun and runs to its end. The nearest tests fail often.
  for (const part of tests.length > NEAREST ? [tests] : tests.map((test) => [test])) {
    const verdict = await runTests(part);
    if (verdict.type !== 'passed') return verdict;
  }
  return { type: 'passed' };
}

async function runTests(tests: readonly string[]): Promise<Verdict> {
  watch = new EndlessWatch(performance.now(), cpuTime(), maxCpuMs(tests.length));
  const project = vitest.getRootProject();
  const specifications = tests.map((test) => project.createSpecification(test));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The result also contains the modules of earlier runs.
  const own = new Set(specifications.map(({ moduleId }) => moduleId));
  const modules = testModules.filter(({ moduleId }) => own.has(moduleId));
  if (modules.length !== own.size) throw new Error(`${own.size} test files were to run, not ${modules.length}`);
  for (const module of modules) {
    if (module.ok()) durations.set(module.moduleId, module.diagnostic().duration);
  }
  const failed = modules.find((module) => !module.ok() || module.errors().length > 0);
  if (failed !== undefined) {
    kills.set(failed.moduleId, (kills.get(failed.moduleId) ?? 0) + 1);
    const [test] = failed.children.allTests('failed');
    const message = [...failed.errors(), ...(test?.result().errors ?? [])][0]?.message;
    const file = path.relative(root, failed.moduleId);
    return { type: 'failed', by: `${file} (${message})`, test: file };
  }
  if (unhandledErrors.some((error) => /Worker exited unexpectedly/.test(String(error)))) return { type: 'crashed' };
  return unhandledErrors.length > 0 ? { type: 'failed', by: 'an unhandled error' } : { type: 'passed' };
}

/** The time to kill a mutant with a test file, as far as it is known. */
function costOf(test: string): number {
  return (durations.get(test) ?? 0) / (1 + 10 * (kills.get(test) ?? 0));
}
