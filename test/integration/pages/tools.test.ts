import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { readSteps } from '../../support/stories/page-steps.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/tools.md'), 'utf8');

it('every command of the page on tools prints the output that the page shows', async () => {
  const directory = temporaryDirectory();
  const steps = readSteps(page);
  expect(steps.map(({ type }) => type)).toEqual(['file', 'command', 'command', 'command']);
  for (const step of steps) {
    if (step.type === 'file') {
      writeFileSync(path.join(directory, step.name), step.content);
      continue;
    }
    const [program = '', ...args] = step.words;
    if (program !== 'npx') {
      execFileSync(program, args, { cwd: directory });
      continue;
    }
    const { stdout, stderr, code } = await runMain(args.slice(1), { directory });
    const shown = stdout.replaceAll(`${directory}/`, '').replaceAll(/ after \d+\.\d s/g, '');
    expect(shown, stderr).toBe(step.output);
    expect(code).toBe(0);
  }
  const checked = await runMain(['tools', 'check', 'my-tools/word-count.mjs'], { directory });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('word_count got: example') });
  const again = await runMain(['tools', 'new', 'word-count', 'my-tools'], { directory });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') });
});
