import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 5_000,
        },
      },
      {
        test: { name: 'integration', include: ['test/integration/**/*.test.ts'], pool: 'forks', isolate: false },
      },
      {
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], pool: 'forks', testTimeout: 30_000 },
      },
    ],
  },
});
