// Writes the generated blocks of the documentation in place. The transcript in README.md needs the built commands.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PAGES, readmeBlocks, writeBlocks } from './blocks.ts';
import { eventsSchemaText } from './events-schema.ts';
import { configSchemaText } from './tables.ts';

/** Files that are generated as a whole, by their path in the project. */
const FILES = {
  'schema/config.schema.json': configSchemaText,
  'schema/events.schema.json': eventsSchemaText,
} as const;

const root = path.join(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/ybs.js');
if (!existsSync(bin)) console.error('Skipping README.md, because dist/ is missing. Build it first: npm run build');

for (const [name, render] of Object.entries(FILES)) {
  const file = path.join(root, name);
  const after = render();
  if (existsSync(file) && (await readFile(file, 'utf8')) === after) continue;
  await writeFile(file, after);
  console.log(`updated ${name}`);
}

for (const [page, blocks] of Object.entries({
  ...PAGES,
  ...(existsSync(bin) ? { 'README.md': readmeBlocks(bin) } : {}),
})) {
  const file = path.join(root, page);
  const before = await readFile(file, 'utf8');
  const after = await writeBlocks(before, blocks);
  if (after === before) continue;
  await writeFile(file, after);
  console.log(`updated ${page}`);
}
