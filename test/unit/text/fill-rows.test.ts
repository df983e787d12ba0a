import { beforeAll, expect, it } from 'vitest';
import { fillRows } from '../../../src/text/fill-rows.ts';
import { loadWidths } from '../../../src/text/width.ts';

beforeAll(loadWidths);

it.each<[line: string, columns: number, prefix: string, rows: string]>([
  ['one two', 80, '', 'one two'],
  ['one two three', 7, '', 'one two\n  three'],
  ['one two three', 8, '', 'one two\n  three'],
  ['a unbreakable b', 8, '', 'a\n  unbreakable\n  b'],
  ['日本 日本 日本', 9, '', '日本 日本\n  日本'],
  ['👍🏽 👍🏽 a', 8, '', '👍🏽\n  👍🏽 a'],
  ['is valid, from the defaults alone', 32, '✓ name  ', '✓ name  is valid, from the\n        defaults alone'],
  ['is valid', 12, '✓ name  ', '✓ name  is\n  valid'],
  ['', 10, '✓ ', '✓ '],
  ['any length', Number.POSITIVE_INFINITY, '✓ ', '✓ any length'],
])('the line %j is broken at spaces into rows of %i columns', (line, columns, prefix, rows) => {
  expect(fillRows(line, columns, prefix)).toBe(rows);
});
