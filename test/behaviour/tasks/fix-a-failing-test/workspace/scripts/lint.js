import { readdirSync, readFileSync } from 'node:fs';

for (const file of readdirSync('src')) {
  if (/\t/.test(readFileSync(`src/${file}`, 'utf8'))) throw new Error(`${file} has tabs`);
}
console.log('no problems');
