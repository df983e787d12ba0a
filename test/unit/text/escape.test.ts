import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeForTerminal, escapeInQuestion, findInvisibleCharacter } from '../../../src/text/escape.ts';
import { propertySettings } from '../../support/random/property.ts';

const LINES = { keepNewlines: true };
const NAME = { keepNewlines: false };

/** The classes of characters that look like a space or are invisible, with an example of each. */
const BLANKS: Readonly<Record<string, RegExp>> = {
  controls: /\p{Cc}/u,
  'format characters': /\p{Cf}/u,
  'separators of lines': /\p{Zl}|\p{Zp}/u,
  'spaces of other widths': /(?! )\p{Zs}/u,
  'ignorable characters': /\p{Default_Ignorable_Code_Point}/u,
  'signs without ink': /[\u2800\u{16FE4}\u{1D159}]/u,
};
const NAMED = [0x2800, 0x3164, 0x115f, 0x1160, 0xffa0, 0xad, 0x34f, 0x180e, 0xa0, 0x202f, 0xfe0f, 0xe0041, 0xe0100];

describe('escapeInQuestion', () => {
  it.each(Object.entries(BLANKS))('escapes all %s', (_name, members) => {
    const left: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (members.test(character) && escapeInQuestion(`a${character}b`, { keepNewlines: false }).includes(character))
        left.push(code.toString(16));
    }
    // A tab is visible, and drawn as one only by the terminal.
    expect(left.filter((code) => code !== '9')).toEqual([]);
  });

  it.each(NAMED.map((code) => [code.toString(16), String.fromCodePoint(code)]))('escapes U+%s', (code, character) => {
    expect(escapeInQuestion(`rm${character}-rf`)).toBe(`rm\\u{${code}}-rf`);
  });

  it('keeps the selectors of emoji and signs, and ordinary spaces', () => {
    for (const text of ['❤\ufe0f a', '1\ufe0f\u20e3', 'a b\tc\nd', '日本']) expect(escapeInQuestion(text)).toBe(text);
  });
});

describe('escapeForTerminal', () => {
  it.each([
    ['plain text', 'a b\tc', 'a b\tc'],
    ['other scripts', 'žluťoučký 日本語 😀 ❤️', 'žluťoučký 日本語 😀 ❤️'],
    ['a colour code', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a window title', '\u001b]0;x\u0007', '\\u{1b}]0;x\\u{7}'],
    ['a lone carriage return', 'good\rbad', 'good\\u{d}bad'],
    ['backspaces', 'ab\b\bcd', 'ab\\u{8}\\u{8}cd'],
    ['NUL and DEL', '\0\u007f', '\\u{0}\\u{7f}'],
    ['C1 controls', '\u009b31m', '\\u{9b}31m'],
    ['bidirectional overrides', 'a\u202eb\u2066c\u061c', 'a\\u{202e}b\\u{2066}c\\u{61c}'],
    ['zero-width characters', 'a\u200bb\u200d\ufeff\u2060', 'a\\u{200b}b\\u{200d}\\u{feff}\\u{2060}'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['tag characters', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
    ['lone surrogates', 'a\ud800b\udfff', 'a\\u{d800}b\\u{dfff}'],
    ['soft hyphen and blank fillers', '\u00ad\u3164\u115f', '\\u{ad}\\u{3164}\\u{115f}'],
    ['invisible signs', 'a\u2800b\u{16fe4}\u{1d159}', 'a\\u{2800}b\\u{16fe4}\\u{1d159}'],
    ['supplementary variation selectors', 'a\u{e0100}', 'a\\u{e0100}'],
    ['a joiner at the end of an emoji', '👩\u200d', '👩\\u{200d}'],
    ['a joiner between an emoji and a letter', '👩\u200da', '👩\\u{200d}a'],
    ['two joiners between emoji', '👩\u200d\u200d👩', '👩\\u{200d}\\u{200d}👩'],
    ['joiners between letters of scripts without joining', 'r\u200dm \u200c-rf', 'r\\u{200d}m \\u{200c}-rf'],
    [
      'the mark of ybs and similar characters',
      '▌a▉▍▐❘❙❚',
      '\\u{258c}a\\u{2589}\\u{258d}\\u{2590}\\u{2758}\\u{2759}\\u{275a}',
    ],
    ['text in tag characters after a flag', '🏴\u{e0072}\u{e006d}\u{e007f}', '🏴\\u{e0072}\\u{e006d}\\u{e007f}'],
  ])('escapes %s', (_name, text, shown) => {
    expect(escapeForTerminal(text, LINES)).toBe(shown);
  });

  it.each([
    ['a family', '👩\u200d👩\u200d👧\u200d👦'],
    ['a profession with a skin tone', '👩🏽\u200d💻'],
    ['a sequence with variation selectors', '❤️\u200d🔥 🏳️\u200d🌈 🏃\u200d♂️'],
    ['the flags of England, Scotland and Wales', ['eng', 'sct', 'wls'].map((name) => tagFlag(`gb${name}`)).join('')],
    ['a flag of two letters, a keycap', '🇨🇿 1️⃣'],
    ['joiners of Persian', 'می\u200cخواهم'],
    ['joiners of Sinhala and Malayalam', 'ශ්\u200dරී ന്\u200dറെ'],
  ])('keeps %s', (_name, text) => {
    expect(escapeForTerminal(text, NAME)).toBe(text);
  });

  it('keeps bars and frames, and keeps marks only with `keepMarks`', () => {
    expect(escapeForTerminal('█▀▄░▒▓ │┃|')).toBe('█▀▄░▒▓ │┃|');
    expect(escapeForTerminal('▌\u0007', { keepMarks: true })).toBe('▌\\u{7}');
  });

  it('keeps line feeds in texts and escapes them in names', () => {
    expect(escapeForTerminal('a\nb', LINES)).toBe('a\nb');
    expect(escapeForTerminal('a\nb')).toBe('a\nb');
    expect(escapeForTerminal('a\nb', NAME)).toBe('a\\u{a}b');
  });

  it('leaves no unsafe character and is idempotent', () => {
    const hostile = fc.string({
      unit: fc.oneof(fc.nat(0xffff), fc.nat(0x10ffff)).map((code) => String.fromCodePoint(code)),
    });
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, keepNewlines) => {
        const shown = escapeForTerminal(text, { keepNewlines });
        expect([...shown].filter((character) => isUnsafe(character, keepNewlines))).toEqual([]);
        expect(escapeForTerminal(shown, { keepNewlines })).toBe(shown);
      }),
      propertySettings(200),
    );
  });

  it('is tested with a check that detects a missing escape of C1', () => {
    const forgetful = (text: string) => text.replace(/\p{Cc}/gu, (found) => (found < '\u0080' ? '?' : found));
    expect([...forgetful('\u009b31m')].some((character) => isUnsafe(character, true))).toBe(true);
  });
});

describe('findInvisibleCharacter', () => {
  it.each([
    ['src/a b.ts', undefined],
    ['', undefined],
    ['a\tb', '\\u{9}'],
    ['a\nb', '\\u{a}'],
    ['a\u202eb', '\\u{202e}'],
    ['a\u{e0041}', '\\u{e0041}'],
  ])('searches %j and returns %s', (text, found) => {
    expect(findInvisibleCharacter(text)).toBe(found);
  });
});

/** The flag whose region is spelled in tag characters. */
function tagFlag(region: string): string {
  const tags = [...region].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)));
  return `🏴${tags.join('')}\u{e007f}`;
}

/** The list of the specification by code point, written without the character classes of the tested code. */
function isUnsafe(character: string, keepNewlines: boolean): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09) return false;
  if (code === 0x0a) return !keepNewlines;
  const ranges = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0x61c, 0x61c],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0xd800, 0xdfff],
    [0xfeff, 0xfeff],
    [0xe0000, 0xe007f],
  ] as const;
  return ranges.some(([first, last]) => code >= first && code <= last);
}
