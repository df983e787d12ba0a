// `npm run chapter 3`: runs the program of a chapter.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const chapters = path.join(import.meta.dirname, '../../chapters');
const names = readdirSync(chapters).filter((name) => /^\d\d-/.test(name));
const [number = ''] = process.argv.slice(2);
const name = names.find((candidate) => candidate.startsWith(`${number.padStart(2, '0')}-`));
if (number === '' || name === undefined) {
  console.error(`Say which chapter to run, for instance "npm run chapter 1". The chapters are:\n${names.join('\n')}`);
  process.exit(2);
}
await import(pathToFileURL(path.join(chapters, name, 'main.ts')).href);
