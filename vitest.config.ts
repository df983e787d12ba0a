import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { ShuffledByProject, StartingFirst } from './test/support/setup/file-order.ts';

const ci = process.env['CI'] !== undefined && process.env['CI'] !== '';
const long = process.env['YBS_TEST_LONG'] === '1';
// Long enough for a busy machine; the timeout only ends tests that hang. Tests and hooks have no shorter one.
const HANGING_MS = long ? 600_000 : 60_000;
const guards = 'test/support/setup';

/** Whether the tests start the commands from their sources and count their coverage: in `npm run coverage`. */
const countsCommands = process.env['YBS_ENTRY'] !== undefined;

/** Globs of files whose lines, branches and functions unit and integration tests cover completely. */
export const COMPLETE = [
  'src/policy/**',
  'src/agent/**',
  'src/providers/**',
  'src/tools/*.ts',
  'src/tools/{files,search,shell,tasks}/*.ts',
  'src/tools/wrappers/*.ts',
  'mock-llm-server/drift/**',
] as const;

/** Percentages over all files, and for each file that must be complete. Spawned commands do not count for the latter. */
function thresholds() {
  const overall = { lines: 80, branches: 80 };
  if (countsCommands) return overall;
  const complete = { lines: 100, branches: 100, functions: 100, perFile: true };
  return { ...overall, ...Object.fromEntries(COMPLETE.map((glob) => [glob, complete])) };
}

/**
 * How often a test of real processes, terminals or pages runs again after a failure. Only on CI, whose machines may be
 * busy; the reporter names each test that needed it. Unit tests and the suites of races and escapes never run again.
 */
const secondTries = ci ? 1 : 0;

/** Node runs the tests and the sources as they are. Modules that vite transforms cost a third more processor time. */
const native = { viteModuleRunner: false, nodeLoader: false };

/**
 * Workers without Node's cache of compiled code: to write it once takes longer than to compile each module in two
 * workers. The commands that they start, which are many and short, have it by `compiled-commands.ts`. With one arena, the
 * memory of a worker is a third smaller; each process that it starts takes processor time in proportion to that memory.
 */
const workerEnvironment = { NODE_COMPILE_CACHE: '', MALLOC_ARENA_MAX: '1' };

/** Most code of a test runs only a few times, so V8's optimizing compiler takes more processor time than it saves. */
const workerOptions = long ? [] : ['--no-opt'];

export default defineConfig({
  test: {
    experimental: native,
    passWithNoTests: false,
    // Golden files and inline snapshots change by `vitest run --update` only.
    update: 'none',
    // Each worker loads the sources again. Tests of the built commands mostly wait: tooling/run/test.ts adds a third.
    maxWorkers: Math.max(2, os.availableParallelism() - 1),
    slowTestThreshold: 100,
    sequence: ci ? { shuffle: true, sequencer: ShuffledByProject } : { sequencer: StartingFirst },
    globalSetup: [`${guards}/check-runtime.ts`, `${guards}/temporary-home.ts`],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'mock-llm-server/**/*.ts'],
      reporter: countsCommands ? ['text-summary', 'lcovonly', 'html'] : ['text-summary'],
      autoAttachSubprocess: countsCommands,
      thresholds: thresholds(),
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          env: workerEnvironment,
          execArgv: workerOptions,
          // Not threads, whose stack is four times as large as that of the commands.
          pool: 'forks',
          isolate: false,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/no-network.ts`],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts', 'chapters/*.test.ts'],
          env: workerEnvironment,
          execArgv: workerOptions,
          pool: 'forks',
          isolate: false,
          retry: secondTries,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/compiled-commands.ts`, `${guards}/loopback-only.ts`],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          env: workerEnvironment,
          execArgv: workerOptions,
          pool: 'forks',
          isolate: false,
          retry: secondTries,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/compiled-commands.ts`, `${guards}/loopback-only.ts`],
        },
      },
      // The promises of README.md and docs/security.md, on the built commands.
      {
        test: {
          name: 'behaviour',
          include: ['test/behaviour/**/*.test.ts'],
          env: workerEnvironment,
          execArgv: workerOptions,
          pool: 'forks',
          isolate: false,
          retry: secondTries,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/compiled-commands.ts`, `${guards}/loopback-only.ts`],
        },
      },
      // Crash, race, fuzz and escape suites, and suites of all combinations, with few repetitions: `CI=true npm test`.
      {
        test: {
          name: 'thorough',
          include: ['test/thorough/**/*.test.ts'],
          env: workerEnvironment,
          execArgv: workerOptions,
          pool: 'forks',
          isolate: false,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/compiled-commands.ts`, `${guards}/loopback-only.ts`],
        },
      },
      // Pages in Chromium: `npm run test:browser`.
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          pool: 'forks',
          isolate: false,
          expect: { poll: { timeout: HANGING_MS / 2 } },
          retry: secondTries,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/loopback-only.ts`],
        },
      },
      // The published package, as its users install it, and the tools of the project.
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          pool: 'forks',
          isolate: false,
          retry: secondTries,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/loopback-only.ts`],
        },
      },
      // Crash, race, fuzz and soak suites, whose results may depend on time and on free processors.
      {
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: [`${guards}/loopback-only.ts`],
        },
      },
    ],
  },
});
