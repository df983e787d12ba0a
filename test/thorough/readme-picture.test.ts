import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { recordAnimation } from '../../tooling/docs/animation/record.ts';
import { ybsEntry } from '../support/processes/entry.ts';

const root = path.join(import.meta.dirname, '../..');

it.runIf(process.platform !== 'win32')('README.md has a picture of a real run', async () => {
  const picture = await readFile(path.join(root, 'docs/run.svg'), 'utf8');
  expect(await readFile(path.join(root, 'README.md'), 'utf8')).toContain('](docs/run.svg)');
  expect(picture, 'docs/run.svg is out of date: run npm run docs').toBe(await recordAnimation(ybsEntry));
});
