import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { readSteps, withoutDetails, withoutMeans } from '../../support/stories/page-steps.ts';

const root = path.join(import.meta.dirname, '../../..');

it('every command of the page on prompts prints the output that the page shows', async () => {
  const directory = temporaryDirectory();
  for (const part of ['scenarios/read-then-answer', 'examples/playground']) {
    await cp(path.join(root, part), path.join(directory, part), { recursive: true });
  }
  const steps = readSteps(await readFile(path.join(root, 'docs/prompt-iteration.md'), 'utf8'));
  const codes: (number | null)[] = [];
  for (const step of steps) {
    if (step.type === 'file') {
      await writeFile(path.join(directory, step.name), step.content);
      continue;
    }
    const { stdout, stderr, code } = await runMain(step.words.slice(2), { directory });
    codes.push(code);
    const kept = /the files are kept in (\S+?)</.exec(stdout)?.[1];
    if (kept !== undefined) onTestFinished(() => nodeStoryDisk.remove(kept));
    const shown = withoutMeans(withoutDetails(stdout.replaceAll(`${directory}/`, '/home/you/ybs/')));
    if (step.output !== undefined) expect(shown, stderr).toBe(withoutMeans(withoutDetails(step.output)));
  }
  // Only the command that should fail fails.
  expect(codes).toEqual([0, 0, 1, 0, 0, 0]);
});
