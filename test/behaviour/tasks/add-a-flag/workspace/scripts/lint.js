import { readdirSync, readFileSync } from 'node:fs';

for (const name of readdirSync('src')) {
  if (/\t| $/m.test(readFileSync(`src/${name}`, 'utf8'))) throw new Error(`src/${name}: trailing space or tab`);
}
console.log('no problems');
