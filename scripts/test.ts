// All checks of a change: `npm test`. With --quick, only the unit tests run. With --long, property tests and fuzzers run
// with their full counts, and the crash, race and soak suites run too. With --coverage, the only step is the report of
// the coverage, which also counts commands that the tests start. Failures come last, then the totals; the last line is
// always "N passed, N failed".
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addTotals, type Lane, runStage, type Step, type StepResult } from './steps.ts';

const root = path.join(import.meta.dirname, '..');
const long = process.argv.includes('--long');
const reports = await mkdtemp(path.join(os.tmpdir(), 'ybs-test-'));

const build: Step = { name: 'build', command: ['node', 'scripts/build.ts'] };
// Several checkers would each compute the types of the libraries, for twice the processor time. Garbage collection is
// off because the compiler keeps nearly all objects.
const types: Step = {
  name: 'types',
  command: ['tsc', '-p', '.', '--checkers', '1'],
  environment: { GOGC: 'off' },
};
const lint: Step = { name: 'lint', command: ['biome', 'check', '.'] };
const tests = vitest('unit and integration', [
  ...['--project', 'unit', '--project', 'integration'],
  ...['--coverage', `--coverage.reportsDirectory=${path.join(reports, 'coverage')}`],
]);
const endToEnd = vitest('e2e over the built commands', ['--project', 'e2e']);
const longSuites = vitest('long suites', ['--project', 'long']);
const coverage: Step = {
  ...vitest('coverage', ['test/unit', 'test/integration', 'test/e2e/stories.test.ts', '--coverage']),
  environment: { YBS_ENTRY: 'src/cli/bin.ts' },
};

const stages: readonly (readonly Lane[])[] = process.argv.includes('--quick')
  ? [[[vitest('unit', ['--project', 'unit'])]]]
  : process.argv.includes('--coverage')
    ? [[[coverage]]]
    : [[[build, endToEnd], [lint, types], [tests]], ...(long ? [[[longSuites]]] : [])];

if (long) process.env['YBS_TEST_LONG'] = '1';
const started = performance.now();
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

function vitest(name: string, args: readonly string[]): Step {
  const file = path.join(reports, `${name}.json`);
  const reporters = ['--reporter=./scripts/progress-reporter.ts', '--reporter=json', `--outputFile.json=${file}`];
  return { name, command: ['vitest', 'run', ...args, ...reporters], report: file };
}
