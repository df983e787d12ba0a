import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/recording.md'), 'utf8');
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
/** The words after `ybs` in the commands of the page; quotes keep words together. */
const commands = lines
  .filter((line) => line.startsWith('ybs '))
  .map((line) => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')).slice(1));

it('the commands of docs/recording.md for ybs work', async () => {
  const directory = temporaryDirectory();
  const setUp = ['--provider', 'mock', '--permission-mode', 'full-access', '--no-sandbox'];
  const [record = [], play = []] = commands;
  expect(await runMain([...record, ...setUp], { directory })).toMatchObject({ code: 0 });
  expect(await runMain([...play, '--drift', 'off'], { directory })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 passed, 0 failed'),
  });
});
