import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';

mkdirSync('lib', { recursive: true });
for (const name of readdirSync('src')) copyFileSync(`src/${name}`, `lib/${name}`);
