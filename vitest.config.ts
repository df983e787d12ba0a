import os from 'node:os';
import { defineConfig } from 'vitest/config';

const ci = process.env['CI'] !== undefined && process.env['CI'] !== '';
const long = process.env['YBS_TEST_LONG'] === '1';
// Long enough for a busy machine; the timeout only ends tests that hang.
const HANGING_MS = 60_000;
const guards = 'test/support/setup';

export default defineConfig({
  test: {
    passWithNoTests: false,
    retry: 0,
    // Tests that spawn processes mostly wait, so three workers are faster even on two cores.
    maxWorkers: Math.max(3, os.availableParallelism() - 1),
    slowTestThreshold: 100,
    sequence: { shuffle: ci },
    globalSetup: [`${guards}/check-runtime.ts`, `${guards}/temporary-home.ts`],
    // scripts/coverage checks the thresholds, after it has added the coverage of spawned command lines.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'mock-llm-server/**/*.ts'],
      reportsDirectory: 'coverage/unit',
      reporter: ['text-summary', 'json'],
      reportOnFailure: true,
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: long ? 600_000 : HANGING_MS,
          setupFiles: [`${guards}/no-network.ts`],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          pool: 'forks',
          isolate: false,
          testTimeout: long ? 600_000 : HANGING_MS,
          setupFiles: [`${guards}/loopback-only.ts`],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          pool: 'forks',
          isolate: false,
          testTimeout: HANGING_MS,
          setupFiles: [`${guards}/loopback-only.ts`, `${guards}/cover-child-processes.ts`],
        },
      },
    ],
  },
});
