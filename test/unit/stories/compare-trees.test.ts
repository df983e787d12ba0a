import { describe, expect, it } from 'vitest';
import { compareTrees } from '../../../src/stories/compare-trees.ts';
import { treeOf } from '../../support/fakes/memory-story-disk.ts';

const bytes = (...values: number[]): ReadonlyMap<string, Uint8Array> => new Map([['a', Uint8Array.from(values)]]);

describe('the expected and the actual files of a story', () => {
  it('are equal when all bytes are equal', () => {
    expect(compareTrees(treeOf({ a: 'x', 'd/b': '' }), treeOf({ 'd/b': '', a: 'x' }))).toEqual([]);
  });

  it('are compared in the order of their names', () => {
    const problems = compareTrees(treeOf({ a: '1\n', c: '' }), treeOf({ b: '', a: '2\n' }));
    expect(problems).toEqual([
      'a differs (- expected, + found):\n@@ -1,1 +1,1 @@\n-1\n+2',
      'b is not expected',
      'c is missing',
    ]);
  });

  it.each([
    ['the final newline', 'a\n', 'a'],
    ['a line ending', 'a\nb\n', 'a\r\nb\n'],
    ['a byte order mark', 'a\n', '\ufeffa\n'],
  ])('differ in %s', (_name, expected, actual) => {
    const [problem] = compareTrees(treeOf({ a: expected }), treeOf({ a: actual }));
    expect(problem).toMatch(/^-.*\n(\\.*\n)?\+|^\+.*\n(\\.*\n)?-/m);
  });

  it('have their names and contents escaped', () => {
    const problems = compareTrees(treeOf({ a: 'x\n' }), treeOf({ a: '\u001b[2J\n', 'b\n\u0007': '' }));
    expect(problems.join('\n')).toContain('\\u{1b}[2J');
    expect(problems).toContain('b\\u{a}\\u{7} is not expected');
  });

  it.each([
    [bytes(0, 1, 2), bytes(0, 9, 2), 'a differs: binary, expected 3 bytes, found 3, first difference at byte 1'],
    [bytes(0, 1), bytes(0, 1, 2), 'a differs: binary, expected 2 bytes, found 3, first difference at byte 2'],
    [bytes(0xff), bytes(65), 'a differs: binary, expected 1 bytes, found 1, first difference at byte 0'],
    [bytes(65), bytes(0xc3), 'a differs: binary, expected 1 bytes, found 1, first difference at byte 0'],
  ])('are compared by byte if they are binary: %j, %j', (expected, actual, problem) => {
    expect(compareTrees(expected, actual)).toEqual([problem]);
  });
});
