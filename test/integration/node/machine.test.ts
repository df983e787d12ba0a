import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { readMachine } from '../../../src/node/machine.ts';
import { stubEnvironment } from '../../support/fakes/stub-environment.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

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

it.skipIf(process.platform === 'win32')('a program that prints a token is not taken from the project', async () => {
  const project = temporaryDirectory();
  writeFiles(project, { 'bin/gh': '#!/bin/sh\necho token\n' });
  chmodSync(path.join(project, 'bin/gh'), 0o755);
  stubEnvironment({ PATH: path.join(project, 'bin') });
  const { signal } = new AbortController();
  expect(await machine.runProgram?.('gh', [], signal)).toEqual({ type: 'output', text: 'token\n' });
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  expect(await machine.runProgram?.('gh', [], signal)).toMatchObject({ type: 'failed' });
});
