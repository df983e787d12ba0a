import { expect, it } from 'vitest';
import { clipboardSequence, multiplexerIn } from '../../../../src/terminal/editor/clipboard.ts';

const [ESC, BEL] = ['\u001b', '\u0007'];

/** The texts that a terminal finds in the OSC 52 sequences of an output. */
function copied(output: string): readonly string[] {
  return [...output.matchAll(new RegExp(`${ESC}\\]52;c;([A-Za-z0-9+/=]*)${BEL}`, 'g'))].map(([, base64 = '']) =>
    new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))),
  );
}

it('a text with any characters is copied by the terminal', () => {
  expect(copied(clipboardSequence('naïve 日本語 🎉\n', undefined))).toEqual(['naïve 日本語 🎉\n']);
});

it('a text is copied by tmux, and through it by the terminal, with a doubled ESC', () => {
  const sequence = clipboardSequence('text', 'tmux');
  const [, passed = ''] = new RegExp(`${ESC}Ptmux;([\\s\\S]*)${ESC}\\\\$`).exec(sequence) ?? [];
  expect(copied(sequence.slice(0, sequence.indexOf('\u001bP')))).toEqual(['text']);
  expect(copied(passed.replaceAll('\u001b\u001b', '\u001b'))).toEqual(['text']);
});

it('a text is split for screen, which forwards 768 bytes at once', () => {
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
])('the multiplexer is found in %j', (environment, multiplexer) => {
  expect(multiplexerIn(environment)).toBe(multiplexer);
});
