import path from 'node:path';
import { expect, it } from 'vitest';
import { readMachine } from '../../../src/node/machine.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const machine = await readMachine({
  startMockModel: () => Promise.reject(new Error('not used')),
  warn: async () => {},
});

it('the free space of a directory is known, even before the directory exists', async () => {
  const directory = temporaryDirectory();
  const bytes = await machine.freeBytes?.(directory);
  expect(bytes).toBeGreaterThan(0);
  // Other programs use the disk between the two queries.
  expect(await machine.freeBytes?.(path.join(directory, 'a/b'))).toBeGreaterThan(Number(bytes) / 2);
});

it('the machine runs git', async () => {
  const result = await machine.runGit?.(
    { directory: temporaryDirectory(), args: ['--version'] },
    new AbortController().signal,
  );
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('git version') });
});
