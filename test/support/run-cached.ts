// Opens a code cache for a directory, loads a file of it, prints what its function returns, and ends.
import { createRequire } from 'node:module';
import path from 'node:path';
import { openCodeCache } from '../../src/adapters/code-cache.ts';

const [file = '', cache = ''] = process.argv.slice(2);
openCodeCache(path.dirname(file), cache);
const { answer } = createRequire(file)(file);
console.log(answer());
