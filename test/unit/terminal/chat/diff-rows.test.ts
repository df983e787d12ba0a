import { describe, expect, it } from 'vitest';
import { diffRows } from '../../../../src/terminal/chat/diff-rows.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { TAGS } from '../../../support/screens/markdown-screen.ts';

const DIFF = [
  '--- a/a.js',
  '+++ b/a.js',
  '@@ -1,5 +1,5 @@',
  ' same',
  '-const a = 1;',
  '-const b = one;',
  '+const a = 2;',
  '+const b = one + two;',
  ' same',
  '-gone',
  '+entirely different',
  '+added',
  '\\ No newline at end of file',
].join('\n');

describe('the rows of a diff', () => {
  it('have colours, and mark the words that differ', () => {
    expect(diffRows(`${DIFF}\n`, TAGS)).toEqual({
      hidden: 0,
      rows: [
        '  <red>--- a/a.js</red>',
        '  <green>+++ b/a.js</green>',
        '  <cyan>@@ -1,5 +1,5 @@</cyan>',
        '   same',
        '  <red>-const a = <inverse>1</inverse>;</red>',
        '  <red>-const b = one;</red>',
        '  <green>+const a = <inverse>2</inverse>;</green>',
        '  <green>+const b = one<inverse> + two</inverse>;</green>',
        '   same',
        '  <red>-gone</red>',
        '  <green>+entirely different</green>',
        '  <green>+added</green>',
        '  \\ No newline at end of file',
      ],
    });
  });

  it('are the escaped rows of the source without colours', () => {
    expect(diffRows(`${DIFF}\n-\u001b[2J▌\n+x`, PLAIN).rows).toEqual(
      [...DIFF.split('\n'), '-\\u{1b}[2J\\u{258c}', '+x'].map((row) => `  ${row}`),
    );
  });

  it('are shortened in the middle', () => {
    const rows = Array.from({ length: 100 }, (_, index) => `+${index}`);
    const shown = ['@@ -0,0 +1,100 @@', '+0', '+1', '+2', '[… 95 lines omitted …]', '+98', '+99'];
    expect(diffRows(`@@ -0,0 +1,100 @@\n${rows.join('\n')}`, PLAIN, { maxRows: 6 })).toEqual({
      rows: shown.map((row) => `  ${row}`),
      hidden: 95,
    });
    expect(diffRows('', PLAIN)).toEqual({ rows: [], hidden: 0 });
  });
});
