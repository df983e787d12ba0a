import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { LONG } from '../../support/random/property.ts';
import { fuzzPolicy, seenByYbs, seenWithoutSubstitutions } from '../../support/random/shell-fuzz.ts';

const COUNT = LONG ? 4_000 : 60;
const SEEDS = ['5eed0001', '5eed1001', '5eed1002', '5eed1003', '5eed1004'];

// The scripts use the bash of Linux; that of macOS is older.
describe.skipIf(process.platform !== 'linux')('random scripts in bash', () => {
  it.each(LONG ? SEEDS : SEEDS.slice(0, 1))('start no program that the policy has not seen (seed %s)', async (seed) => {
    const run = { count: COUNT, seed, directory: temporaryDirectory(), ...(LONG && { lanes: 3 }) };
    const { accepted, started, missed } = await fuzzPolicy(seenByYbs, run);
    expect(missed).toEqual([]);
    expect(accepted).toBeGreaterThan(COUNT / 2);
    expect(started).toBeGreaterThan(COUNT * 1.25);
  });

  it('catches a policy that ignores substitutions', async () => {
    const directory = temporaryDirectory();
    const { missed } = await fuzzPolicy(seenWithoutSubstitutions, { count: 40, seed: '5eed0001', directory });
    expect(missed.length).toBeGreaterThan(5);
  });
});
