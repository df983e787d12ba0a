import { describe, expect, it } from 'vitest';

import {
  findNearestWindow as findInSteps,
  type NearestWindow,
  showWhitespace,
  showWindow,
} from '../../../src/text/diff/nearest-window.ts';
import { runAtOnce } from '../../../src/text/steps.ts';
import { countSteps } from '../../support/house/steps.ts';

function findNearestWindow(content: string, wanted: string): NearestWindow | undefined {
  return runAtOnce(findInSteps(content, wanted));
}

const FILE = 'import a from "a";\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n';

describe('findNearestWindow', () => {
  it.each<readonly [string, string, string, string | undefined]>([
    ['a line', FILE, 'function tow() {', '7: function two() { @7:11 "w"/"o"'],
    ['some lines', FILE, 'function two() {\n  return 3;\n}', '7: function two() {|  return 2;|} @8:10 "2"/"3"'],
    [
      'indentation',
      FILE,
      'function one() {\n    return 1;\n}',
      '3: function one() {|  return 1;|} @4:3 "r"/" " only whitespace',
    ],
    ['the first of equal lines', 'ab\nab\n', 'ab!', '1: ab @1:3 "\\n"/"!"'],
    ['at the end of the file', 'x\nabcdef', 'abcdef\nghi', '2: abcdef @2:7 ""/"\\n"'],
    ['characters beyond 16 bits', 'a😀b', 'a😀c', '1: a😀b @1:3 "b"/"c"'],
    ['CRLF as LF', 'one two\r\nthree\r\n', 'one two\nthere\n', '1: one two|three @2:3 "r"/"e"'],
    ['no similar line', FILE, 'zzzz', undefined],
    ['blank lines only', FILE, '   ', '2:  @2:1 "\\n"/" " only whitespace'],
    ['nothing in an empty file', '', 'a', undefined],
    ['a window that would start before the file', 'bcdefg\n', 'xx\nbcdefg', undefined],
  ])('finds %s', (_name, content, wanted, expected) => {
    const found = findNearestWindow(content, wanted);
    const {
      line,
      column,
      found: here,
      wanted: there,
    } = found?.difference ?? { line: 0, column: 0, found: '', wanted: '' };
    const shown =
      found &&
      `${found.firstLine}: ${found.lines.join('|')} @${line}:${column} ${JSON.stringify(here)}/${JSON.stringify(there)}` +
        (found.onlyWhitespace ? ' only whitespace' : '');
    expect(shown).toBe(expected);
  });

  it('compares only the start of very long lines and windows', () => {
    const line = `needle ${'x'.repeat(300_000)}`;
    expect(findNearestWindow(`${line}y\n`, `${line}z\n`)).toMatchObject({
      firstLine: 1,
      onlyWhitespace: false,
      difference: { line: 1, column: 300_008, found: 'y', wanted: 'z' },
    });
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}\n`);
    expect(findNearestWindow(lines.join(''), lines.with(299, 'end\n').join(''))?.difference.line).toBe(300);
  });

  it('pauses in proportion to the file', () => {
    const steps = (lines: number) =>
      countSteps(findInSteps('const value = compute();\n'.repeat(lines), 'const x = 1;'));
    // The candidates need a fixed number of steps.
    expect(steps(15_000) - steps(5_000)).toBeGreaterThanOrEqual(8);
  });
});

it.each([
  ['\ta b ', '→a·b·'],
  ['a\r', 'a␍'],
  ['a\u00a0b\u3000', 'a<U+00A0>b<U+3000>'],
])('showWhitespace(%j) is %s', (line, expected) => {
  expect(showWhitespace(line)).toBe(expected);
});

it('a long window is truncated with a note', () => {
  const content = Array.from({ length: 30 }, (_, index) => `line number ${index}${'x'.repeat(400)}\n`).join('');
  const window = findNearestWindow(content, content.replaceAll('number', 'nmber'));
  const lines = window === undefined ? [] : showWindow(window).split('\n');
  expect([lines.length, lines[14]]).toEqual([21, '[… 10 lines omitted …]']);
  expect(lines[0]).toMatch(/^1\tline·number·0x+ \[… truncated: 300 of 413 characters shown\]$/);
});
