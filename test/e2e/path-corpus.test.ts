import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ybsEntry } from '../support/processes/entry.ts';
import { binEnvironment } from '../support/processes/run-bin.ts';
import { corpusDifferences } from '../support/random/path-corpus.ts';

const isRoot = process.geteuid?.() === 0;
const ORDINARY = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] : [];

// FIFOs, permission bits and the directories of the system are those of Linux. test/integration/cli has the other user.
it.skipIf(process.platform !== 'linux')('ybs check decides every case of the corpus for an ordinary user', async () => {
  const differences = await corpusDifferences(true, async ({ args, home, input }) => {
    const [program = '', ...words] = [...ORDINARY, process.execPath, ybsEntry, ...args];
    return execFileSync(program, words, {
      cwd: '/',
      env: { ...binEnvironment(), HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') },
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
  });
  expect(differences).toEqual([]);
});
