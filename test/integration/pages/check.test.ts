import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { readSteps } from '../../support/stories/page-steps.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/check.md'), 'utf8');

it('every command of the page on checks prints the output that the page shows', async () => {
  const directory = temporaryDirectory();
  const hasSandbox = (await missingSandbox()) === undefined;
  const steps = readSteps(page);
  expect(steps.map(({ type }) => type)).toEqual([
    ...['command', 'command', 'command', 'command'],
    ...['file', 'command', 'file', 'command'],
  ]);
  for (const step of steps) {
    if (step.type === 'file') {
      writeFileSync(path.join(directory, step.name), step.content);
      continue;
    }
    const [, , ...words] = step.words;
    const redirect = words.indexOf('<');
    const named = redirect < 0 ? words : words.slice(0, redirect);
    // The page shows a machine that has a sandbox.
    const args = hasSandbox || named.includes('--assume') ? named : [...named, '--assume', 'sandboxed'];
    const input = redirect < 0 ? '' : readFileSync(path.join(directory, words[redirect + 1] ?? ''), 'utf8');
    const { stdout, stderr, code } = await runMain(args, { directory, input });
    expect(stdout.replaceAll(directory, '/work'), stderr).toBe(step.output);
    expect(code).toBe(0);
  }
});

it('exits with 2 and prints no verdict when the command line is wrong', async () => {
  const directory = temporaryDirectory();
  const { stdout, stderr, code } = await runMain(['check', 'ls', '--read', 'a'], { directory });
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toContain('Name one of: a command, --read <path>, --write <path>');
});
