// All checks of a change: `npm test`. With --long, property tests and fuzzers run with their full counts; with
// --coverage-only, only the steps for the coverage run. The last line is always "N passed, N failed".
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { addTotals, type Lane, runStage, type Step, type StepResult } from './steps.ts';

const root = path.join(import.meta.dirname, '..');
const long = process.argv.includes('--long');
const coverageOnly = process.argv.includes('--coverage-only');
const dumps = path.join(root, 'coverage/dumps');

const build: Step = { name: 'build', command: ['node', 'scripts/build.ts'] };
// Several checkers would each compute the types of the libraries, for twice the processor time. Garbage collection is
// off because the compiler keeps nearly all objects.
const types: Step = {
  name: 'types',
  command: ['tsc', '-p', '.', '--checkers', '1'],
  environment: { GOGC: 'off' },
};
const lint: Step = { name: 'lint', command: ['biome', 'check', '.'] };
const tests = vitest('unit and integration', 'tests', ['--project', 'unit', '--project', 'integration', '--coverage']);
const endToEnd = vitest('e2e over the built bins', 'e2e', ['--project', 'e2e']);
// The stories run again over the sources for coverage, because a bundle omits unused code.
const storyCoverage: Step = {
  ...vitest('e2e over the sources, for coverage', 'e2e-coverage', ['--project', 'e2e', 'stories']),
  environment: { YBS_ENTRY: 'src/cli/bin.ts', YBS_COVERAGE_DUMPS: dumps },
  repeated: true,
};
const coverage: Step = { name: 'coverage', command: ['node', '--no-warnings', 'scripts/coverage/main.ts'] };

const stages: readonly (readonly Lane[])[] = coverageOnly
  ? [[[tests], [storyCoverage]], [[coverage]]]
  : [[[build], [types], [lint]], [[tests], [endToEnd, storyCoverage]], [[coverage]]];

if (long) process.env['YBS_TEST_LONG'] = '1';
await rm(path.join(root, 'coverage'), { recursive: true, force: true });
await mkdir(dumps, { recursive: true });

const started = performance.now();
const results: StepResult[] = [];
for (const stage of stages) {
  const finished = await runStage(root, stage);
  results.push(...finished);
  for (const { step, ok, seconds } of finished)
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${step.name}`);
  const failures = finished.filter((result) => !result.ok);
  for (const { step, output } of failures) console.log(`\n${step.name}:\n${output}\n`);
  if (failures.length > 0) {
    process.exitCode = 1;
    break;
  }
}
const summary = results.find((result) => result.ok && result.step === coverage);
if (summary !== undefined) console.log(summary.output);
const { passed, failed, skipped } = addTotals(results.map((result) => result.totals));
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s in total`);
console.log(`${passed} passed, ${failed} failed`);

function vitest(name: string, report: string, args: readonly string[]): Step {
  const file = `coverage/results/${report}.json`;
  return {
    name,
    command: ['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    report: file,
  };
}
