import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { LONG } from '../../support/random/property.ts';
import { fuzzPolicy, seenByYbs, seenWithoutSubstitutions } from '../../support/random/shell-fuzz.ts';

// The scripts use the bash of Linux; that of macOS is older.
describe.skipIf(process.platform !== 'linux')('random scripts in bash', () => {
  it('start no program that the policy has not seen', async () => {
    const { accepted, started, missed } = await fuzzPolicy(seenByYbs, {
      count: LONG ? 1_000 : 60,
      seed: '5eed0001',
      directory: temporaryDirectory(),
    });
    expect(missed).toEqual([]);
    expect(accepted).toBeGreaterThan(30);
    expect(started).toBeGreaterThan(75);
  });

  it('catches a policy that ignores substitutions', async () => {
    const directory = temporaryDirectory();
    const { missed } = await fuzzPolicy(seenWithoutSubstitutions, { count: 40, seed: '5eed0001', directory });
    expect(missed.length).toBeGreaterThan(5);
  });
});
