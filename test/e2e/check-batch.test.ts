import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { ybsEntry } from '../support/processes/entry.ts';
import { binEnvironment } from '../support/processes/run-bin.ts';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';

it.runIf(process.platform === 'linux')('a batch sees what has changed since the answer before', async () => {
  const directory = temporaryDirectory();
  mkdirSync(path.join(directory, 'src'));
  const args = [ybsEntry, 'check', '--batch', '--assume', 'trusted,sandboxed'];
  const batch = execa(process.execPath, args, { cwd: directory, env: binEnvironment(), extendEnv: false });
  const answers = createInterface(batch.stdout);
  const ask = async (command: string): Promise<object> => {
    batch.stdin.write(`${JSON.stringify({ command })}\n`);
    const [line] = await once(answers, 'line');
    return JSON.parse(String(line));
  };
  expect(await ask('grep -rn foo src')).toMatchObject({ verdict: 'allow' });
  // Nothing can hide what is in a directory whose name is not UTF-8.
  mkdirSync(Buffer.concat([Buffer.from(`${directory}/src/`), Buffer.from([0xff])]));
  expect(await ask('grep -rn foo src')).toMatchObject({ verdict: 'ask' });
  batch.stdin.end();
  expect((await batch).exitCode).toBe(0);
});
