// Measures whether the unit tests notice changed code: `npm run mutation`. It deletes each row of a table of the safety
// policy, of the core and of the dialects, one at a time, and makes a seeded sample of other small changes. Fails when
// fewer than 95 % of the changes are noticed, when a deleted row is not, or when survivors.ts is out of date.
// `-- --only TEXT` takes the files whose path contains TEXT, with every change instead of a sample.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { projectFiles } from '../../test/support/project-files.ts';
import { firstFailure, NEAREST } from './judge.ts';
import { mutantsOf, mutate } from './mutants.ts';
import { Runner } from './pool.ts';
import { relatedTests } from './related-tests.ts';
import { isInSample, type Outcome, summarize } from './summary.ts';
import { EQUIVALENT, TOLERATED } from './survivors.ts';

const SCOPE = /^src\/(safety|core|context)\/|^src\/tools\/dialects/;

const files = projectFiles('src', 'mock-llm-server', 'test', 'scripts', 'bench');
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const isPartial = only !== undefined;

const queue = [...files].flatMap(([file, source]) =>
  !SCOPE.test(file) || (isPartial && !file.includes(only))
    ? []
    : mutantsOf(source)
        .filter((mutant) => mutant.kind === 'row' || isPartial || isInSample(file, mutant.name))
        .map((mutant) => ({ file, mutant })),
);
const total = queue.length;
const runners = Array.from({ length: os.availableParallelism() }, () => new Runner());
try {
  const outcomes = (await Promise.all(runners.map(work))).flat();
  const { text, problems } = summarize(outcomes, { equivalent: EQUIVALENT, tolerated: TOLERATED, isPartial });
  console.log(text);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  for (const runner of runners) runner.stop();
}

/** Takes mutants from the queue until it is empty. Checks the controls before the first mutant of each file. */
async function work(runner: Runner): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let checked: string | undefined;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { file, mutant } = next;
    if (file !== checked) await checkControls(runner, file);
    checked = file;
    const killedBy = await test(runner, file, mutate(files.get(file) ?? '', mutant));
    outcomes.push({ file, name: mutant.name, kind: mutant.kind, killedBy });
    if (killedBy === undefined) console.log(`survived: ${file}: ${mutant.name}`);
    if ((total - queue.length) % 50 === 0) console.log(`${total - queue.length} of ${total} mutants`);
  }
  // Earlier mutants could have broken the runner, so that every test fails.
  if (checked !== undefined) await checkControls(runner, checked);
  return outcomes;
}

/** The first of the related tests that fails on a source; undefined when all pass. */
function test(runner: Runner, file: string, source: string, count?: number): Promise<string | undefined> {
  return firstFailure((job) => runner.run(job), { file, source, tests: relatedTests(file, files).slice(0, count) });
}

/** Throws unless the tests of a file fail on a fatal change of it and pass on a harmless one. */
async function checkControls(runner: Runner, file: string): Promise<void> {
  const source = files.get(file) ?? '';
  if ((await test(runner, file, `throw new Error('mutant');\n${source}`)) === undefined) {
    throw new Error(`control: no unit test fails on a fatal change of ${file}`);
  }
  const failed = await test(runner, file, `${source}\nexport const unused = true;\n`, NEAREST);
  if (failed !== undefined) throw new Error(`control: ${failed} fails on a harmless change of ${file}`);
}
