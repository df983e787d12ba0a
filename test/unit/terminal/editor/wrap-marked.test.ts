import { beforeAll, describe, expect, it } from 'vitest';
import { wrapMarkedLines } from '../../../../src/terminal/editor/wrap-marked.ts';
import { loadWidths } from '../../../../src/text/width.ts';

beforeAll(loadWidths);

const CYAN = '\u001b[36m▌\u001b[39m';

describe('a line of ybs that is wider than the screen', () => {
  it.each<readonly [string, string, number, readonly string[]]>([
    ['continues after a space', '▌   one two three', 12, ['▌   one two ', '▌     three']],
    ['is split if no space is near', '▌ a 23456789012345', 12, ['▌ a 23456789', '▌   012345']],
    ['may need several rows', '▌ 123456789012345678', 10, ['▌ 12345678', '▌   901234', '▌   5678']],
    ['has a sign if it is a line of a diff', '▌   +one two 12', 12, ['▌   +one ', '▌   ↪ two 12']],
    [
      'has a sign in several rows of a coloured diff',
      `${CYAN}   \u001b[31m-12345678901234567890\u001b[39m`,
      14,
      [
        `${CYAN}   \u001b[31m-123456789\u001b[0m`,
        `${CYAN}   ↪ \u001b[31m01234567\u001b[0m`,
        `${CYAN}   ↪ \u001b[31m890\u001b[39m`,
      ],
    ],
    ['counts wide characters', '▌ 漢字漢字漢字', 9, ['▌ 漢字漢', '▌   字漢', '▌   字']],
    ['counts the most that a terminal may give an emoji', '▌ 👍🏽👍🏽👍🏽👍🏽', 12, ['▌ 👍🏽👍🏽', '▌   👍🏽👍🏽']],
    ['keeps a character of several code points whole', '▌ 12345e\u0301x', 8, ['▌ 12345e\u0301', '▌   x']],
    ['counts a tab up to its column', '▌ \t3456789', 12, ['▌ \t3456', '▌   789']],
    ['keeps its mark in colour', `${CYAN} one two three`, 10, [`${CYAN} one two `, `${CYAN}   three`]],
    [
      'ends its styles before the mark and begins them after it',
      '▌ \u001b[1m\u001b[31mone two three\u001b[39m\u001b[22m',
      10,
      ['▌ \u001b[1m\u001b[31mone two \u001b[0m', '▌   \u001b[1m\u001b[31mthree\u001b[39m\u001b[22m'],
    ],
    [
      'begins no style that has ended',
      '▌ \u001b[1m\u001b[31mone\u001b[39m two three\u001b[0m',
      10,
      ['▌ \u001b[1m\u001b[31mone\u001b[39m two \u001b[0m', '▌   \u001b[1mthree\u001b[0m'],
    ],
  ])('%s', (_name, line, columns, rows) => {
    expect(wrapMarkedLines(`${line}\n`, columns)).toBe(`${rows.join('\n')}\n`);
  });
});

describe('a line does not change', () => {
  it.each<readonly [string, string, number]>([
    ['if it fits', '▌ one two', 9],
    ['if it is not a line of ybs', 'one two three four ▌', 10],
    ['if it has a style in front that is no mark', '\u001b[1mone two three four\u001b[22m ▌', 10],
    ['on a screen that is too narrow', '▌         one two three', 12],
  ])('%s', (_name, line, columns) => {
    expect(wrapMarkedLines(`${line}\n`, columns)).toBe(`${line}\n`);
  });
});
