import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import { fuzzPolicy, seenByYbs, seenWithoutSubstitutions } from '../support/random/shell-fuzz.ts';

describe.skipIf(process.platform !== 'linux')('20,000 random scripts in bash', () => {
  it.each(['5eed1001', '5eed1002', '5eed1003', '5eed1004', '5eed1005'])(
    'start no program that the policy has not seen (seed %s)',
    async (seed) => {
      const directory = temporaryDirectory();
      const { accepted, started, missed } = await fuzzPolicy(seenByYbs, { count: 4_000, seed, directory, lanes: 3 });
      console.log(`seed ${seed}: ${accepted} scripts accepted, ${started} programs started, ${missed.length} not seen`);
      expect(missed).toEqual([]);
      expect(accepted).toBeGreaterThan(2_400);
    },
  );

  it('catches a policy that ignores substitutions', async () => {
    const directory = temporaryDirectory();
    const { missed } = await fuzzPolicy(seenWithoutSubstitutions, { count: 200, seed: '5eed1001', directory });
    expect(missed.length).toBeGreaterThan(50);
  });
});
