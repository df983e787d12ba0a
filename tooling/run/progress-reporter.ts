import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** The first characters of a line that reports progress; `npm test` prints these lines while the tests run. */
export const PROGRESS = '· ';

/** A failed test, or a file that failed outside its tests. Paths are relative to the project. */
export interface Failure {
  readonly title: string;
  readonly errors: readonly FailureError[];
}

/** The part of an error that a description contains. */
export interface FailureError {
  readonly message: string;
  readonly name?: string;
  /** The difference between the expected and the received value. */
  readonly diff?: string;
  readonly stacks?: readonly { readonly file: string; readonly line: number; readonly column: number }[];
  /** The error behind it, which alone names what a failed connection has met. */
  readonly cause?: unknown;
}

/** The environment variable with the path of the file to which the reporter writes its `Totals` as JSON. */
export const TOTALS_FILE = 'YBS_TEST_TOTALS';

/** Numbers of tests. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const MAX_FAILURES = 20;
const MAX_LINES = 24;
const MAX_SLOWEST = 5;
const STYLES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Describes failures in a few lines each. */
export function describeFailures(failures: readonly Failure[], root: string): string {
  const shown = failures.slice(0, MAX_FAILURES).map(({ title, errors }) => {
    const lines = errors.flatMap((error) => describeError(error, root));
    const omitted = lines.length - MAX_LINES;
    const kept = omitted > 0 ? [...lines.slice(0, MAX_LINES), `… ${omitted} more lines`] : lines;
    return [`FAILED ${title}`, ...kept.map((line) => `  ${line}`)].join('\n');
  });
  const omitted = failures.length - shown.length;
  return [...shown, ...(omitted > 0 ? [`… ${omitted} more failures`] : [])].join('\n\n');
}

function describeError({ name, message, diff, stacks = [], cause }: FailureError, root: string): readonly string[] {
  const [frame] = stacks.filter(({ file }) => file.startsWith(root) && !file.includes('node_modules'));
  const where = frame === undefined ? [] : [`at ${path.relative(root, frame.file)}:${frame.line}:${frame.column}`];
  const headline = name === undefined || message.startsWith(name) ? message : `${name}: ${message}`;
  const reason = cause instanceof Object && 'message' in cause ? [`cause: ${cause.message}`] : [];
  const text = [headline, ...reason, ...(diff === undefined ? [] : [diff])].join('\n').replaceAll(STYLES, '');
  return [...where, ...text.split('\n').filter((line) => line.trim() !== '')];
}

/** One line for a test that passed on its second try only, with the place and the message of its first failure. */
export function describeSecondTry({ title, errors: [error] }: Failure, root: string): string {
  const first = error === undefined ? [] : describeError(error, root).slice(0, 2);
  return ['passed on the second try only', title, ...first].join(': ');
}

/** The test files that took the longest, with their seconds, the slowest first. */
export function describeSlowest(files: readonly { readonly name: string; readonly milliseconds: number }[]): string {
  const slowest = files.toSorted((left, right) => right.milliseconds - left.milliseconds).slice(0, MAX_SLOWEST);
  return slowest.map(({ name, milliseconds }) => `${name} ${(milliseconds / 1000).toFixed(1)} s`).join(', ');
}

/**
 * Reports each tenth of the test files when it is done, and at the end the slowest files, the failures and the tests
 * that needed a second try. Writes the totals to the file that `TOTALS_FILE` names.
 */
export default class ProgressReporter implements Reporter {
  #files = 0;
  #done = 0;
  #failed = 0;

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    this.#done += 1;
    if (!module.ok()) this.#failed += 1;
    const tenths = (done: number) => Math.floor((done * 10) / this.#files);
    if (tenths(this.#done) === tenths(this.#done - 1)) return;
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} of them failed`;
    console.log(`${PROGRESS}${this.#done} of ${this.#files} test files${failed}`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { name: module.relativeModuleId, milliseconds: collectDuration + duration };
    });
    console.log(`${PROGRESS}slowest: ${describeSlowest(files)}`);
    const file = process.env[TOTALS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(totalsOf(modules)));
    const failures: readonly Failure[] = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map((error) => ({ title: 'outside all tests', errors: [error] })),
    ];
    if (failures.length > 0) console.error(`\n${describeFailures(failures, process.cwd())}\n`);
    for (const test of modules.flatMap(secondTriesOf)) {
      console.log(`${PROGRESS}${describeSecondTry(test, process.cwd())}`);
    }
  }
}

function totalsOf(modules: readonly TestModule[]): Totals {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      totals[state === 'pending' ? 'skipped' : state] += 1;
    }
  }
  return totals;
}

function failuresOf(module: TestModule): readonly Failure[] {
  const file = path.relative(process.cwd(), module.moduleId);
  const suites = [module, ...module.children.allSuites()].map((suite) => ({ title: file, errors: suite.errors() }));
  const tests = [...module.children.allTests('failed')].map(describedTest);
  return [...suites.filter(({ errors }) => errors.length > 0), ...tests];
}

function secondTriesOf(module: TestModule): readonly Failure[] {
  return [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky).map(describedTest);
}

function describedTest(test: TestCase): Failure {
  const file = path.relative(process.cwd(), test.module.moduleId);
  return { title: `${file} > ${test.fullName}`, errors: test.result().errors ?? [] };
}
