import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { readSteps } from '../../support/stories/page-steps.ts';

it('the example of docs/prompt.md prints the parts that the page shows', async () => {
  const directory = temporaryDirectory();
  const steps = readSteps(await readFile(path.join(import.meta.dirname, '../../../docs/prompt.md'), 'utf8'));
  expect(steps.map(({ type }) => type)).toEqual(['file', 'file', 'command']);
  for (const step of steps) {
    if (step.type === 'file') {
      await writeFile(path.join(directory, step.name), step.content);
      continue;
    }
    const { stdout, stderr } = await runMain(step.words.slice(2), { directory });
    expect(stdout, stderr).toContain(step.output);
  }
});
