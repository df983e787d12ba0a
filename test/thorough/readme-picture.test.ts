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

it.each(['light', 'dark'])('README.md has a %s picture of the page', async (theme) => {
  const picture = await readFile(path.join(root, `docs/web-${theme}.png`));
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  expect(readme).toContain(`"docs/web-${theme}.png"`);
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([900, 744]);
});
