import { describe, expect, it } from 'vitest';
import { type Charset, charsetOf, encodeFor, escapeAsciiMarks, legibleIn } from '../../../../src/text/bytes/charset.ts';

describe('the characters of a locale', () => {
  // The forms that `locale -a` and POSIX name.
  it.each<[environment: Record<string, string>, charset: Charset]>([
    [{}, 'utf-8'],
    [{ LC_ALL: '', LANG: '' }, 'utf-8'],
    [{ LANG: 'en_US.UTF-8' }, 'utf-8'],
    [{ LANG: 'C.utf8' }, 'utf-8'],
    [{ LC_CTYPE: 'UTF-8' }, 'utf-8'],
    [{ LANG: 'de_DE.UTF-8@euro' }, 'utf-8'],
    [{ LANG: 'C' }, 'ascii'],
    [{ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, 'ascii'],
    [{ LC_ALL: '', LC_CTYPE: 'C', LANG: 'en_US.UTF-8' }, 'ascii'],
    [{ LC_ALL: 'en_US.UTF-8', LC_CTYPE: 'C' }, 'utf-8'],
    [{ LANG: 'de_DE.ISO-8859-1' }, 'latin-1'],
    [{ LANG: 'de_DE.iso88591' }, 'latin-1'],
    [{ LANG: 'de_DE@euro' }, 'ascii'],
    [{ LANG: 'de_DE.ISO-8859-15@euro' }, 'ascii'],
    [{ LANG: 'ja_JP.eucJP' }, 'ascii'],
    [{ LANG: 'zh_CN.GB18030' }, 'ascii'],
    [{ LANG: 'ru_RU.KOI8-R' }, 'ascii'],
    [{ LANG: 'en_US' }, 'ascii'],
  ])('%j', (environment, charset) => {
    expect(charsetOf(environment)).toBe(charset);
  });
});

describe('a text in the characters of a terminal', () => {
  it.each<[charset: Charset, text: string, legible: string]>([
    ['utf-8', '▌ a → b … é 中 😀', '▌ a → b … é 中 😀'],
    ['latin-1', '▌ a → b … é · 中 😀', '▌ a -> b ... é · \\u{4e2d} \\u{1f600}'],
    ['ascii', '▌ a → b … é · 中 😀', '▌ a -> b ... \\u{e9} - \\u{4e2d} \\u{1f600}'],
    ['ascii', '(+1 −1) ● ✓ ✗ ⠙ “x” ⏎ ␍', '(+1 -1) * v x / "x" \\n \\r'],
    // In a terminal of one byte a character, the second byte of this letter begins a control sequence.
    ['ascii', '\u029b2J', '\\u{29b}2J'],
    ['latin-1', '\u029b2J \u009b', '\\u{29b}2J \\u{9b}'],
  ])('%s: %s', (charset, text, legible) => {
    expect(legibleIn(charset, text)).toBe(legible);
    expect(legibleIn(charset, legible)).toBe(legible);
  });

  it('has a mark that does not occur in escaped text', () => {
    expect(encodeFor('utf-8', '▌ a', true)).toBe('▌ a');
    expect(encodeFor('ascii', '▌ a', true)).toBe('\u001b[7m \u001b[27m a');
    expect(encodeFor('ascii', '▌ a', false)).toBe('~| a');
    expect(escapeAsciiMarks('ascii', '~| a | b ~')).toBe('~\\u{7c} a | b ~');
    expect(escapeAsciiMarks('ascii', '| a')).toBe('\\u{7c} a');
    expect(escapeAsciiMarks('utf-8', '~| a')).toBe('~| a');
  });

  it('is written as bytes of Latin-1', () => {
    expect(encodeFor('latin-1', '▌ é', false)).toEqual(Uint8Array.of(0x7e, 0x7c, 0x20, 0xe9));
  });
});
