import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';

mkdirSync('dist', { recursive: true });
for (const file of readdirSync('src')) copyFileSync(`src/${file}`, `dist/${file}`);
console.log('built dist');
