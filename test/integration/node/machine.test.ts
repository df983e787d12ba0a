import path from 'node:path';
import { expect, it } from 'vitest';
import { readMachine } from '../../../src/node/machine.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const machine = await readMachine({
  startMockModel: () => Promise.reject(new Error('not used')),
  warn: async () => {},
});

it('knows the free space of a directory, and of one that does not exist yet', async () => {
  const directory = temporaryDirectory();
  const bytes = await machine.freeBytes?.(directory);
  expect(bytes).toBeGreaterThan(0);
  // The disk is in use by others between the two questions.
  expect(await machine.freeBytes?.(path.join(directory, 'a/b'))).toBeGreaterThan(Number(bytes) / 2);
});

it('runs git', async () => {
  const result = await machine.runGit?.(
    { directory: temporaryDirectory(), args: ['--version'] },
    new AbortController().signal,
  );
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('git version') });
});
