import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { readSteps } from '../../support/stories/page-steps.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/trust.md'), 'utf8');

it('every command of the page on trust prints the output that the page shows', async () => {
  const directory = temporaryDirectory();
  const home = temporaryDirectory();
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const steps = readSteps(page);
  expect(steps.map(({ type }) => type)).toEqual([
    ...['file', 'command', 'command', 'file'],
    ...['command', 'command', 'command'],
  ]);
  for (const step of steps) {
    if (step.type === 'file') {
      writeFileSync(path.join(directory, step.name), step.content);
      continue;
    }
    const [, , ...args] = step.words;
    const { stdout, stderr, code } = await runMain(args, { directory, environment });
    expect(stdout.replaceAll(directory, '/work'), stderr).toBe(step.output);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  }
});
