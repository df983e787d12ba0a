// Measures whether the unit tests notice changed code: `npm run mutation`. It deletes each row of a table of the safety
// policy, of the core and of the dialects, one at a time, and makes a seeded sample of other small changes. Fails when
// fewer than 95 % of the changes are noticed, when a deleted row is not, or when survivors.ts is out of date.
// `-- --only TEXT` takes the files whose path contains TEXT, with every change instead of a sample.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { minimatch } from 'minimatch';
import { projectFiles } from '../../test/support/house/project-files.ts';
import { type Failure, firstFailure } from './judge.ts';
import { type Mutant, mutantsOf, mutate } from './mutants.ts';
import { Runner } from './pool.ts';
import { relatedTests } from './related-tests.ts';
import { isInSample, type Outcome, summarize } from './summary.ts';
import { EQUIVALENT, MUTATED, TOLERATED } from './survivors.ts';

const files = projectFiles('src', 'mock-llm-server', 'test', 'tooling');
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const isPartial = only !== undefined;

interface Task {
  readonly file: string;
  readonly mutants: readonly Mutant[];
}

// A runner takes whole files, so that each file has its controls once. The longest come first, so that the runners end
// at about the same time.
const queue: Task[] = [...files]
  .filter(([file]) => MUTATED.some((glob) => minimatch(file, glob)) && (!isPartial || file.includes(only)))
  .map(([file, source]) => ({
    file,
    mutants: mutantsOf(source).filter(({ kind, name }) => kind === 'row' || isPartial || isInSample(file, name)),
  }))
  .filter(({ mutants }) => mutants.length > 0)
  .sort((one, other) => other.mutants.length - one.mutants.length);
const total = queue.reduce((sum, { mutants }) => sum + mutants.length, 0);
let done = 0;
const runners = Array.from({ length: os.availableParallelism() }, () => new Runner());
try {
  const outcomes = (await Promise.all(runners.map(work))).flat();
  const exists = (file: string, name: string) =>
    mutantsOf(files.get(file) ?? '').some((mutant) => mutant.name === name);
  const { text, problems } = summarize(outcomes, { equivalent: EQUIVALENT, tolerated: TOLERATED, exists });
  console.log(text);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  for (const runner of runners) runner.stop();
}

/** Takes files from the queue until it is empty. The controls come before and after the mutants of each. */
async function work(runner: Runner): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const { file, mutants } = task;
    const tests = relatedTests(file, files);
    const killers = new Set(tests.slice(0, 1));
    await checkFatal(runner, file, tests);
    for (const mutant of mutants) {
      const failure = await test(runner, file, mutate(files.get(file) ?? '', mutant), tests);
      outcomes.push({ file, name: mutant.name, kind: mutant.kind, killedBy: failure?.by });
      if (failure?.test !== undefined) killers.add(failure.test);
      if (failure === undefined) console.log(`survived: ${file}: ${mutant.name}`);
      if (failure?.type === 'endless') console.log(`${failure.by}: ${file}: ${mutant.name}`);
      done += 1;
      if (done % 50 === 0) console.log(`${done} of ${total} mutants`);
    }
    // They could fail on every source, also because a mutant changed what stays loaded in the runner.
    await checkHarmless(runner, file, [...killers]);
  }
  return outcomes;
}

/** The first of the tests that fails on a source; undefined when all pass. */
async function test(
  runner: Runner,
  file: string,
  source: string,
  tests: readonly string[],
): Promise<Failure | undefined> {
  const job = { file, source, tests };
  const failure = await firstFailure((part) => runner.run(part), job);
  if (failure?.type !== 'failed' || failure.test !== undefined) return failure;
  // An error outside of the tests may come from what tests of an earlier mutant have left behind.
  runner.stop();
  return firstFailure((part) => runner.run(part), job);
}

/** Throws unless one of the tests fails on a fatal change of a file. */
async function checkFatal(runner: Runner, file: string, tests: readonly string[]): Promise<void> {
  if ((await test(runner, file, `throw new Error('mutant');\n${files.get(file)}`, tests)) === undefined) {
    throw new Error(`control: no unit test fails on a fatal change of ${file}`);
  }
}

/** Throws if one of the tests fails on a harmless change of a file. */
async function checkHarmless(runner: Runner, file: string, tests: readonly string[]): Promise<void> {
  const failed = await test(runner, file, `${files.get(file)}\nexport const unused = true;\n`, tests);
  if (failed !== undefined) throw new Error(`control: ${failed.by} fails on a harmless change of ${file}`);
}
