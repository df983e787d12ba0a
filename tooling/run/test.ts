// All checks of a change: `npm test`. With --quick, only the unit tests run, or those of the named areas. In CI, the coverage is checked, the package
// is tested, unhandled promises are found, and the suites of test/thorough run too. With --long, property tests and
// fuzzers also run with their full counts, and so do the crash, race and soak suites of test/long. With --coverage, only
// the steps for the coverage run. Failures come last, then the totals; the last line is always "N passed, N failed".
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TOTALS_FILE } from './progress-reporter.ts';
import { addTotals, type Lane, runStage, type Step, type StepResult } from './steps.ts';

const root = path.join(import.meta.dirname, '../..');
const has = (flag: string): boolean => process.argv.includes(flag);
const long = has('--long');
const isCi = process.env['CI'] !== undefined && process.env['CI'] !== '';
/** True if the slow steps run, too: a change rarely breaks them alone. */
const isComplete = long || isCi;
const reports = await mkdtemp(path.join(os.tmpdir(), 'ybs-test-'));

/** Tests of the built commands mostly wait for them, so three workers are faster even on two processors. */
const e2eWorkers = Math.max(3, os.availableParallelism() - 1);

const build: Step = { name: 'build', command: ['node', 'tooling/build/build.ts'] };
const types = tsc('types', '.');
/** The files of the web page, which know a browser and no Node. */
const pageTypes = tsc('types of the page', 'src/web/page');
/** The rules about promises need the types of all files, which takes half as long as all other rules, even if skipped. */
const rules = isComplete ? [] : ['--config-path=biome.quick.json'];
const lint: Step = { name: 'lint', command: ['node', 'tooling/run/lint.ts', ...rules] };
const fast = ['--project', 'unit', '--project', 'integration'];
const tests = vitest('unit and integration', isComplete ? [...fast, ...countedIn('fast')] : fast);
const endToEnd = vitest('e2e over the built commands', [
  ...['--project', 'e2e', '--project', 'behaviour', '--maxWorkers', String(e2eWorkers)],
]);
const packageTests = vitest('package', ['--project', 'package']);
const thorough = vitest('thorough', ['--project', 'thorough']);
const longSuites = vitest('long suites', ['--project', 'long']);
/** Checks the thresholds for the files that unit and integration tests cover completely. */
const strictCoverage = vitest('coverage of unit and integration', [...fast, ...countedIn('fast')]);
/** Writes the report, and counts the commands that the stories start. */
const counted = ['test/unit', 'test/integration', 'test/thorough/runs/built-stories.test.ts', '--coverage'];
const wholeCoverage = vitest('coverage with commands', counted, { YBS_ENTRY: 'src/cli/bin.ts' });

const stages = stagesOf();
if (long) process.env['YBS_TEST_LONG'] = '1';
const started = performance.now();
console.log(
  `running ${stages
    .flat(2)
    .map(({ name }) => name)
    .join(', ')}; the first result comes after 10 to 60 s`,
);
process.once('SIGINT', () => {
  rmSync(reports, { recursive: true, force: true });
  process.exit(130);
});
const results: StepResult[] = [];
try {
  for (const stage of stages) {
    results.push(...(await runStage(root, stage, { report, progress })));
    if (results.some(({ ok }) => !ok)) break;
  }
} finally {
  await rm(reports, { recursive: true, force: true });
}
const failures = results.filter(({ ok }) => !ok);
for (const { step, output } of failures) console.log(`\n${step.name}:\n${output.trim()}\n`);
const { passed, failed, skipped } = addTotals(results.map(({ totals }) => totals));
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${seconds(performance.now() - started)} s in total`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;

function report({ step, ok, milliseconds }: StepResult): void {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${seconds(milliseconds).padStart(6)} s  ${step.name}`);
}

function progress(step: Step, text: string): void {
  console.log(`       ${seconds(performance.now() - started).padStart(6)} s  ${step.name}: ${text}`);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

/**
 * Checks the types of a project. Several checkers would each compute the types of the libraries, for twice the processor
 * time. Garbage collection is off because the compiler keeps nearly all objects. The next run checks only what has
 * changed since.
 */
function tsc(name: string, project: string): Step {
  const record = `node_modules/.cache/${name.replaceAll(' ', '-')}.json`;
  const options = ['--checkers', '1', '--incremental', '--tsBuildInfoFile', record];
  return { name, command: ['tsc', '-p', project, ...options], environment: { GOGC: 'off' } };
}

function vitest(name: string, args: readonly string[], environment: Step['environment'] = {}): Step {
  const file = path.join(reports, `${name}.json`);
  const command = ['vitest', 'run', ...args, '--reporter=./tooling/run/progress-reporter.ts'] as const;
  return { name, command, report: file, environment: { ...environment, [TOTALS_FILE]: file } };
}

function stagesOf(): readonly (readonly Lane[])[] {
  if (has('--quick')) return [[[vitest('unit', ['--project', 'unit', ...areas()])]]];
  if (has('--coverage')) return [[[strictCoverage, wholeCoverage]]];
  const builtTests = isComplete ? [build, endToEnd, packageTests, thorough] : [build, endToEnd];
  return [[builtTests, [lint, types, pageTypes], [tests]], ...(long ? [[[longSuites]]] : [])];
}

/** The folders of the unit tests of the areas on the command line. An unknown area matches no file, which is an error. */
function areas(): readonly string[] {
  return process.argv.slice(2).flatMap((word) => (word.startsWith('-') ? [] : [`test/unit/${word}/`]));
}

/** Options that count the coverage, with a directory of its own, because another run may use the usual one. */
function countedIn(name: string): readonly string[] {
  return ['--coverage', `--coverage.reportsDirectory=${path.join(reports, name)}`];
}
