// Measures whether the unit tests notice changed code: `npm run mutation`. It deletes each row of a table of the safety
// policy, of the core and of the dialects, one at a time, and makes a seeded sample of other small changes. Fails when
// fewer than 95 % of the changes are noticed, when a deleted row is not, or when survivors.ts is out of date.
// `-- --only TEXT` takes the files whose path contains TEXT, with every change instead of a sample.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { projectFiles } from '../../test/support/project-files.ts';
import { firstFailure, NEAREST } from './judge.ts';
import { type Mutant, mutantsOf, mutate } from './mutants.ts';
import { Runner } from './pool.ts';
import { relatedTests } from './related-tests.ts';
import { isInSample, type Outcome, summarize } from './summary.ts';
import { EQUIVALENT, TOLERATED } from './survivors.ts';

const SCOPE = /^src\/(safety|core|async|context)\/|^src\/tools\/dialects/;

const files = projectFiles('src', 'mock-llm-server', 'test', 'scripts', 'bench');
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const isPartial = only !== undefined;

interface Task {
  readonly file: string;
  readonly mutants: readonly Mutant[];
}

// A runner takes whole files, so that each file has its controls once. The longest come first, so that the runners end
// at about the same time.
const queue: Task[] = [...files]
  .filter(([file]) => SCOPE.test(file) && (!isPartial || file.includes(only)))
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

/** Takes files from the queue until it is empty. Checks the controls before and after the mutants of each. */
async function work(runner: Runner): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const { file, mutants } = task;
    await checkControls(runner, file);
    for (const mutant of mutants) {
      const killedBy = await test(runner, file, mutate(files.get(file) ?? '', mutant));
      outcomes.push({ file, name: mutant.name, kind: mutant.kind, killedBy });
      if (killedBy === undefined) console.log(`survived: ${file}: ${mutant.name}`);
      done += 1;
      if (done % 50 === 0) console.log(`${done} of ${total} mutants`);
    }
    // A mutant could have broken the runner, so that every test fails.
    await checkHarmless(runner, file, 1);
  }
  return outcomes;
}

/** The first of the related tests that fails on a source; undefined when all pass. */
function test(runner: Runner, file: string, source: string, count?: number): Promise<string | undefined> {
  return firstFailure((job) => runner.run(job), { file, source, tests: relatedTests(file, files).slice(0, count) });
}

/** Throws unless the tests of a file fail on a fatal change of it and pass on a harmless one. */
async function checkControls(runner: Runner, file: string): Promise<void> {
  if ((await test(runner, file, `throw new Error('mutant');\n${files.get(file)}`)) === undefined) {
    throw new Error(`control: no unit test fails on a fatal change of ${file}`);
  }
  await checkHarmless(runner, file, NEAREST);
}

/** Throws if one of the nearest tests of a file fails on a harmless change of it. */
async function checkHarmless(runner: Runner, file: string, count: number): Promise<void> {
  const failed = await test(runner, file, `${files.get(file)}\nexport const unused = true;\n`, count);
  if (failed !== undefined) throw new Error(`control: ${failed} fails on a harmless change of ${file}`);
}
