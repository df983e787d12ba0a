import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { PATH_CASES, USER_CASES } from '../../support/random/path-cases.ts';
import { corpusDifferences } from '../../support/random/path-corpus.ts';

// FIFOs, permission bits and the directories of the system are those of Linux.
it.skipIf(process.platform !== 'linux')('ybs check decides every case of the corpus of paths', async () => {
  const differences = await corpusDifferences(process.geteuid?.() !== 0, async ({ args, home, input }) => {
    const environment = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
    return (await runMain(args, { directory: '/', environment, input })).stdout;
  });
  expect(differences).toEqual([]);
  expect(PATH_CASES.length + USER_CASES.length).toBeGreaterThan(250);
});
