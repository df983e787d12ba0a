import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parserOptions } from '../../../src/cli/command-line/arguments.ts';
import { readmeBlocks, writeBlocks } from '../../../tooling/docs/blocks.ts';
import { ybsEntry } from '../../support/processes/entry.ts';
import { runBin } from '../../support/processes/run-bin.ts';

const root = path.join(import.meta.dirname, '../../..');
const readme = await readFile(path.join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
const { scripts, version } = z
  .object({ scripts: z.record(z.string(), z.string()), version: z.string() })
  .parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));

/** The words after `npx ybs`, without quotes. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(2);
}

describe('README.md', () => {
  it('opens with the two commands', () => {
    expect(commands.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'postprepare']));
  });

  it('installs the file that npm run package writes', () => {
    const start = commands.indexOf('npm run package');
    expect(commands[start + 1]).toBe(`npm install --save-dev /path/to/ybs-${version}.tgz`);
  });

  it('shows the output of a real run', async () => {
    expect(readme, 'README.md is out of date: run npm run docs').toBe(
      await writeBlocks(readme, readmeBlocks(ybsEntry)),
    );
  });

  it.each(commands.filter((command) => command.startsWith('npx ybs')))('has valid options in %s', (command) => {
    const { values } = parseArgs({ args: wordsOf(command), options: parserOptions(), allowPositionals: true });
    expect(values).toBeDefined();
  });

  it('has only commands that a test runs; test/long/built-stories.test.ts runs the stories', async () => {
    const runnable = commands.filter((command) => /^npx ybs (--help|test )/.test(command));
    expect(runnable).toEqual(['npx ybs --help', 'npx ybs test scenarios']);
    expect((await runBin(['--help'], { directory: root })).code).toBe(0);
  });

  it('links to files that exist', async () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) await expect(access(path.join(root, link)), link).resolves.toBeUndefined();
  });
});
