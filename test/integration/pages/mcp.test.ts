import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { readSteps } from '../../support/stories/page-steps.ts';

const project = path.join(import.meta.dirname, '../../..');
const page = readFileSync(path.join(project, 'docs/mcp.md'), 'utf8');

it('every command of the page on servers prints the output that the page shows', async () => {
  const [directory, home] = [temporaryDirectory(), temporaryDirectory()];
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  copyFileSync(path.join(project, 'test/support/mcp/notes-server.mjs'), path.join(directory, 'notes-server.mjs'));
  symlinkSync(path.join(project, 'node_modules'), path.join(directory, 'node_modules'));
  const steps = readSteps(page);
  expect(steps.map(({ type }) => type)).toEqual(['command', 'command', 'command']);
  for (const step of steps) {
    if (step.type !== 'command') continue;
    const words = step.words
      .slice(2)
      .map((word) =>
        word.replace('"node",', `${JSON.stringify(process.execPath)}, "read": [${JSON.stringify(project)}],`),
      );
    const { stdout, stderr, code } = await runMain(words, { directory, environment });
    expect(code, stdout + stderr).toBe(0);
    if (step.output !== undefined) expect(stdout.replaceAll(process.execPath, 'node')).toBe(step.output);
  }
  const unknown = await runMain(['mcp', 'check', 'note'], { directory, environment });
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no server note. Did you mean notes?'),
  });
});
