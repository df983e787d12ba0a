import { describe, expect, it } from 'vitest';
import { fuzzPolicy, seenByYbs, seenWithoutSubstitutions } from '../support/shell-fuzz.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// The scripts use the bash of Linux; that of macOS is older.
describe.skipIf(process.platform !== 'linux')('random scripts in bash', () => {
  it('start no program that the policy has not seen', async () => {
    const { accepted, started, missed } = await fuzzPolicy(seenByYbs, {
      count: 120,
      seed: '5eed0001',
      directory: temporaryDirectory(),
    });
    expect(missed).toEqual([]);
    expect(accepted).toBeGreaterThan(60);
    expect(started).toBeGreaterThan(150);
  });

  it('find a policy out that does not look into substitutions', async () => {
    const directory = temporaryDirectory();
    const { missed } = await fuzzPolicy(seenWithoutSubstitutions, { count: 40, seed: '5eed0001', directory });
    expect(missed.length).toBeGreaterThan(5);
  });
});
