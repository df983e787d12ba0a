// Writes the generated blocks of the documentation in place. Needs the built commands for the transcript in README.md.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PAGES, readmeBlocks, writeBlocks } from './blocks.ts';

const root = path.join(import.meta.dirname, '../..');
const pages = { ...PAGES, 'README.md': readmeBlocks(path.join(root, 'dist/ybs.js')) };

for (const [page, blocks] of Object.entries(pages)) {
  const file = path.join(root, page);
  const before = await readFile(file, 'utf8');
  const after = await writeBlocks(before, blocks);
  if (after === before) continue;
  await writeFile(file, after);
  console.log(`updated ${page}`);
}
