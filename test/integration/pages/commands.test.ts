import { copyFileSync, cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { type MainOptions, runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { withoutDetails, withoutMeans } from '../../support/stories/page-steps.ts';
import { playPage } from '../../support/stories/play-page.ts';

const project = path.join(import.meta.dirname, '../../..');

/** The variables of a user with an empty home directory. */
function newHome() {
  const home = temporaryDirectory();
  return { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
}

describe('every command of the page prints the output that the page shows', () => {
  it('docs/check.md', async () => {
    const hasSandbox = (await missingSandbox()) === undefined;
    const run = (words: readonly string[], options: MainOptions = {}) => {
      const redirect = words.indexOf('<');
      const named = redirect < 0 ? words : words.slice(0, redirect);
      // The page shows a machine that has a sandbox.
      const args = hasSandbox || named.includes('--assume') ? named : [...named, '--assume', 'sandboxed'];
      const file = path.join(options.directory ?? '', words[redirect + 1] ?? '');
      return runMain(args, { ...options, input: redirect < 0 ? '' : readFileSync(file, 'utf8') });
    };
    expect(await playPage('check', { run })).toEqual([0, 0, 0, 0, 'file', 0, 'file', 0]);
  });

  it('docs/mcp.md', async () => {
    const options = { directory: temporaryDirectory(), environment: newHome() };
    const server = path.join(project, 'test/support/mcp/notes-server.mjs');
    copyFileSync(server, path.join(options.directory, 'notes-server.mjs'));
    symlinkSync(path.join(project, 'node_modules'), path.join(options.directory, 'node_modules'));
    const node = `${JSON.stringify(process.execPath)}, "read": [${JSON.stringify(project)}],`;
    const run: typeof runMain = (words, more) =>
      runMain(
        words.map((word) => word.replace('"node",', node)),
        more,
      );
    const shown = (output: string) => output.replaceAll(process.execPath, 'node');
    expect(await playPage('mcp', { ...options, run, shown })).toEqual([0, 0, 0]);
    expect(await runMain(['mcp', 'check', 'note'], options)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no server named note. Did you mean notes?'),
    });
  });

  it('docs/prompt-iteration.md', async () => {
    const directory = temporaryDirectory();
    for (const part of ['scenarios/read-then-answer', 'examples/playground'])
      cpSync(path.join(project, part), path.join(directory, part), { recursive: true });
    const run: typeof runMain = async (words, options) => {
      const result = await runMain(words, options);
      const kept = /the files are kept in (\S+?)</.exec(result.stdout)?.[1];
      if (kept !== undefined) onTestFinished(() => nodeStoryDisk.remove(kept));
      return result;
    };
    const shown = (output: string) => withoutMeans(withoutDetails(output.replaceAll('/work/', '/home/you/ybs/')));
    const results = await playPage('prompt-iteration', { directory, run, shown });
    // Only the command that should fail fails.
    expect(results.filter((result) => result !== 'file')).toEqual([0, 0, 1, 0, 0, 0]);
  });

  it('docs/prompt.md, a part of it', async () => {
    expect(await playPage('prompt', { isPart: true })).toEqual(['file', 'file', 0]);
  });

  it('docs/skills.md, a part of it', async () => {
    const shown = (output: string) => output.replaceAll(/skills: \d+ tokens/g, 'skills: N tokens');
    expect(await playPage('skills', { environment: newHome(), isPart: true, shown })).toEqual(['file', 0, 0, 0]);
  });

  it('docs/tools.md', async () => {
    const directory = temporaryDirectory();
    const shown = (output: string) => output.replaceAll('/work/', '').replaceAll(/ after \d+\.\d s/g, '');
    expect(await playPage('tools', { directory, shown })).toEqual(['file', 0, 0, 0]);
    const checked = await runMain(['tools', 'check', 'my-tools/word-count.mjs'], { directory });
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('word_count got: example') });
    const again = await runMain(['tools', 'new', 'word-count', 'my-tools'], { directory });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') });
  });

  it('docs/trust.md', async () => {
    const run: typeof runMain = async (words, options) => {
      const result = await runMain(words, options);
      expect(result.stderr).toBe('');
      return result;
    };
    expect(await playPage('trust', { environment: newHome(), run })).toEqual(['file', 0, 0, 'file', 0, 0, 0]);
  });
});

it('ybs check exits with 2 and prints no verdict when the command line is wrong', async () => {
  const { stdout, stderr, code } = await runMain(['check', 'ls', '--read', 'a'], { directory: temporaryDirectory() });
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toContain('Name one of: a command, --read <path>, --write <path>');
});
