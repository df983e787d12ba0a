import { readdirSync, readFileSync } from 'node:fs';

for (const file of readdirSync('src')) {
  const text = readFileSync(`src/${file}`, 'utf8');
  if (/\bvar\b|\t/u.test(text)) process.exitCode = 1;
}
console.log(process.exitCode ? 'lint failed' : 'lint passed');
