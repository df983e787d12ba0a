// Measures whether the unit tests notice changed code: `npm run mutation`. It deletes each row of a table of the safety
// policy, of the core and of the dialects, one at a time, and makes a seeded sample of other small changes. Fails when
// fewer than 95 % of the changes are noticed, when a deleted row is not, or when survivors.ts is out of date.
// `-- --only TEXT` takes the files whose path contains TEXT, with every change instead of a sample.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { projectFiles } from '../../test/support/project-files.ts';
import { type Mutant, mutantsOf, mutate } from './mutants.ts';
import { Runner } from './pool.ts';
import { relatedTests } from './related-tests.ts';
import { isInSample, type Outcome, summarize } from './summary.ts';
import { EQUIVALENT, TOLERATED } from './survivors.ts';

const SCOPE = /^src\/(safety|core)\/|^src\/tools\/dialects/;
/** The first tests of a mutant, which kill most; the others run on those that survive. */
const NEAREST = 8;

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
const sources = [...new Set(queue.map(({ file }) => file))];
const runners = Array.from({ length: os.availableParallelism() }, () => new Runner());
try {
  const [runner] = runners;
  const problems = runner === undefined ? [] : [...(await checkControls(runner))];
  if (problems.length > 0) fail(problems);
  else await measure();
} finally {
  for (const runner of runners) runner.stop();
}

async function measure(): Promise<void> {
  const outcomes: Outcome[] = [];
  const total = queue.length;
  const work = async (runner: Runner): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const killedBy = await run(runner, next.file, next.mutant);
      outcomes.push({ file: next.file, name: next.mutant.name, kind: next.mutant.kind, killedBy });
      if (killedBy === undefined) console.log(`survived: ${next.file}: ${next.mutant.name}`);
      if (outcomes.length % 50 === 0) console.log(`${outcomes.length} of ${total} mutants`);
    }
  };
  await Promise.all(runners.map(work));
  const { text, problems } = summarize(outcomes, { equivalent: EQUIVALENT, tolerated: TOLERATED, isPartial });
  console.log(text);
  if (problems.length > 0) fail(problems);
}

/** The first test that fails on a mutant; undefined when all related tests pass. */
async function run(runner: Runner, file: string, mutant: Mutant): Promise<string | undefined> {
  const source = mutate(files.get(file) ?? '', mutant);
  const tests = relatedTests(file, files);
  for (const part of [tests.slice(0, NEAREST), tests.slice(NEAREST)]) {
    if (part.length === 0) continue;
    const { failed, error } = await runner.run({ file, source, tests: part });
    if (error !== undefined) throw new Error(`${file}: ${mutant.name}: ${error}`);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** Problems with the measurement itself: the tests must pass on a harmless change and fail on a fatal one. */
async function checkControls(runner: Runner): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const file of sources) {
    const source = files.get(file) ?? '';
    const tests = relatedTests(file, files).slice(0, NEAREST);
    if (tests.length === 0) problems.push(`${file} has no unit test`);
    if (tests.length === 0) continue;
    const harmless = await runner.run({ file, source: `${source}\nexport const unused = true;\n`, tests });
    if (harmless.failed !== undefined)
      problems.push(`control: ${harmless.failed} fails on a harmless change of ${file}`);
  }
  const [file = ''] = sources;
  const fatal = `throw new Error('mutant');\n${files.get(file) ?? ''}`;
  const { failed } = await runner.run({ file, source: fatal, tests: relatedTests(file, files).slice(0, NEAREST) });
  if (failed === undefined) problems.push(`control: the tests pass on a fatal change of ${file}`);
  return problems;
}

function fail(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
}
