import { expect, it } from 'vitest';
import { escapeForTerminal } from '../../../src/text/escape.ts';
import { visible } from '../../../src/web/page/dom.js';

/** Characters that hide, turn or join, and some between which they may form one. */
const CHARACTERS = [
  ...['a', 'ß', '\t', '\n', '\r', '\u001b', '\u0000', '▌', '❘', 'ب', 'त', '\u202e', '\u2066', '\u200e', '\u200f'],
  ...['\u200b', '\u200c', '\u200d', '\u2028', '\ufeff', '\u00ad', '\u061c', '\ufe0e', '\ufe0f', '👩', '🏽', '🚀', '🏴'],
  ...['\u{e0067}', '\u{e0062}', '\u{e0065}', '\u{e006e}', '\u{e007f}', '\ud83d', '\ude00', '\u3164'],
];

it('the page shows hidden characters like the terminal', () => {
  const pairs = CHARACTERS.flatMap((left) => CHARACTERS.map((right) => `${left}${right}`));
  const follow = (pair: string) => CHARACTERS.map((last) => `${pair}${last}`).join('');
  const texts = [
    ...pairs,
    ...pairs.map(follow),
    ...['👩‍🚀', '👩🏽‍🚀', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'क्\u200dष', '🏴\u{e0067}'],
  ];
  // One comparison, because each `expect` takes longer than both functions.
  const shown = texts.map((text) => ({
    text,
    page: visible(text),
    terminal: escapeForTerminal(text, { keepMarks: true }),
  }));
  expect(shown.filter(({ page, terminal }) => page !== terminal)).toEqual([]);
});

it('the text of a link cannot reverse its address', () => {
  expect(visible('open\u202e (https://evil.example)')).toBe('open\\u{202e} (https://evil.example)');
});
