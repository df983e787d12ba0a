import { onTestFinished, vi } from 'vitest';

/**
 * Sets variables of this process until the end of the test. `process.env` stays the same object: a copy in its place would
 * keep variables that later tests of the worker remove.
 */
export function stubEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
