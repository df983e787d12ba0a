import { expect, it } from 'vitest';
import { clipboardSequence, multiplexerIn } from '../../../../src/terminal/editor/clipboard.ts';

const [ESC, BEL] = ['\u001b', '\u0007'];

/** The texts that a terminal finds in the OSC 52 sequences of an output. */
function copied(output: string): readonly string[] {
  return [...output.matchAll(new RegExp(`${ESC}\\]52;c;([A-Za-z0-9+/=]*)${BEL}`, 'g'))].map(([, base64 = '']) =>
    new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))),
  );
}

it('gives a text with any characters to the terminal', () => {
  expect(copied(clipboardSequence('naïve 日本語 🎉\n', undefined))).toEqual(['naïve 日本語 🎉\n']);
});

it('speaks to tmux, and through it to the terminal with the doubled ESC that it wants', () => {
  const sequence = clipboardSequence('text', 'tmux');
  const [, passed = ''] = new RegExp(`${ESC}Ptmux;([\\s\\S]*)${ESC}\\\\$`).exec(sequence) ?? [];
  expect(copied(sequence.slice(0, sequence.indexOf('\u001bP')))).toEqual(['text']);
  expect(copied(passed.replaceAll('\u001b\u001b', '\u001b'))).toEqual(['text']);
});

it('is cut for screen, which passes on 768 bytes at once', () => {
  const parts = [
    ...clipboardSequence('a'.repeat(2_000), 'screen').matchAll(new RegExp(`${ESC}P([\\s\\S]*?)${ESC}\\\\`, 'g')),
  ];
  expect(Math.max(...parts.map(([whole]) => whole.length))).toBeLessThanOrEqual(768);
  expect(copied(parts.map(([, part]) => part).join(''))).toEqual(['a'.repeat(2_000)]);
});

it.each([
  [{ TMUX: '/tmp/tmux-0/default,1,0', STY: '1.pts' }, 'tmux'],
  [{ STY: '1.pts' }, 'screen'],
  [{ TMUX: '' }, undefined],
])('finds the multiplexer in %j', (environment, multiplexer) => {
  expect(multiplexerIn(environment)).toBe(multiplexer);
});
