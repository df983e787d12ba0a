import { describe, expect, it } from 'vitest';

/** One implementation of a port, as a contract suite runs it. `create` gives every case a fresh one. */
export interface Implementation<Subject> {
  readonly name: string;
  readonly create: () => Subject;
}

/**
 * Runs the same cases on every implementation of a port. Fails for fewer than two implementations, because a contract
 * that only the fake meets proves nothing about the real one.
 */
export function contractSuite<Subject>(
  port: string,
  implementations: readonly Implementation<Subject>[],
  cases: (create: () => Subject) => void,
): void {
  describe(`${port} contract`, () => {
    it('runs on at least two implementations', () => {
      const names = implementations.map(({ name }) => name);
      expect(new Set(names).size, names.join(', ')).toBeGreaterThanOrEqual(2);
    });
    for (const { name, create } of implementations) describe(name, () => cases(create));
  });
}
