// Writes the generated blocks of the documentation in place. The transcript in README.md needs the built commands.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manPage } from '../../src/cli/command-line/man-page.ts';
import { recordAnimation } from './animation/record.ts';
import { PAGES, readmeBlocks, writeBlocks } from './blocks.ts';
import { eventsSchemaText } from './events-schema.ts';
import { INDEX, promiseIndex } from './promises.ts';
import { configSchemaText } from './tables.ts';

const root = path.join(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/ybs.js');
const isBuilt = existsSync(bin);
if (!isBuilt) {
  console.error('Skipping README.md and docs/run.svg, because dist/ is missing. Build it first: npm run build');
}

/** Files that are generated as a whole, by their path in the project. */
const FILES = {
  'schema/config.schema.json': configSchemaText,
  'schema/events.schema.json': eventsSchemaText,
  'docs/ybs.1': manPage,
  [INDEX]: promiseIndex,
  ...(isBuilt ? { 'docs/run.svg': () => recordAnimation(bin) } : {}),
};

for (const [name, render] of Object.entries(FILES)) {
  const file = path.join(root, name);
  const after = await render();
  if (existsSync(file) && (await readFile(file, 'utf8')) === after) continue;
  await writeFile(file, after);
  console.log(`updated ${name}`);
}

for (const [page, blocks] of Object.entries({
  ...PAGES,
  ...(isBuilt ? { 'README.md': readmeBlocks(bin) } : {}),
})) {
  const file = path.join(root, page);
  const before = await readFile(file, 'utf8');
  const after = await writeBlocks(before, blocks);
  if (after === before) continue;
  await writeFile(file, after);
  console.log(`updated ${page}`);
}
