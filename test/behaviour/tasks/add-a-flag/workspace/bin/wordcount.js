#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { count } from '../src/count.js';
import { format } from '../src/format.js';
import { parseOptions } from '../src/options.js';

const options = parseOptions(process.argv.slice(2));
if (options.help) {
  console.log('Usage: wordcount [--lines] FILE');
} else {
  const text = readFileSync(options.file === '-' ? 0 : options.file, 'utf8');
  console.log(format(count(text), options));
}
