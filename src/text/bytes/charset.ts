import { LINE_MARK } from '../escape.ts';

/** The characters that a terminal shows. */
export type Charset = 'utf-8' | 'latin-1' | 'ascii';

/**
 * The characters of the locale that the environment names, in the first of three variables with a value. Without any, as
 * in most containers, a terminal shows UTF-8.
 */
export function charsetOf(environment: Readonly<Record<string, string | undefined>>): Charset {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => environment[name] ?? '').find((value) => value !== '');
  if (locale === undefined || /(?:^|\.)utf-?8(?:@|$)/i.test(locale)) return 'utf-8';
  return /\.iso-?8859-?1(?:@|$)/i.test(locale) ? 'latin-1' : 'ascii';
}

/** Pairs of a character that ybs or prose has and its form in ASCII. */
const PAIRS =
  '… ...,– -,— -,· -,→ ->,− -,─ -,│ |,┼ +,● *,• *,✓ v,✗ x,✖ x,↪ >,› >,× x,≤ <=,≥ >=,µ u,‘ \',’ \',“ ",” ",▁ _,␍ \\r,⏎ \\n,☑ [x],☐ [ ],⠋ |,⠙ /,⠹ -,⠸ \\,⠼ |,⠴ /,⠦ -,⠧ \\,⠇ |,⠏ /';

const ASCII_FORMS: ReadonlyMap<string, string> = new Map(
  PAIRS.split(',').map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
);

/** The mark where no row is redrawn. Other text that looks like it is escaped. */
const ASCII_MARK = '~|';

/** The mark in a terminal with control sequences: a space in reverse, which no escaped text can imitate. */
const REVERSED_MARK = '\u001b[7m \u001b[27m';

/**
 * Replaces the characters that a terminal does not show, except marks: by a form in ASCII, or as `\u{…}`, because the
 * bytes of UTF-8 could be control characters there. Idempotent.
 */
export function legibleIn(charset: Charset, text: string): string {
  if (charset === 'utf-8') return text;
  return text.replaceAll(/[^\0-\x7f]/gu, (found) => {
    const code = found.codePointAt(0) ?? 0;
    if (found === LINE_MARK || (charset === 'latin-1' && code >= 0xa0 && code <= 0xff)) return found;
    return ASCII_FORMS.get(found) ?? `\\u{${code.toString(16)}}`;
  });
}

/** Escapes what would look like the mark in ASCII, also of two chunks. */
export function escapeAsciiMarks(charset: Charset, text: string): string {
  return charset === 'utf-8' ? text : text.replaceAll(/(?<=^|~)\|/g, '\\u{7c}');
}

/** A text in the characters of a terminal, which has control sequences if `isScreen`. */
export function encodeFor(charset: Charset, text: string, isScreen: boolean): string | Uint8Array {
  if (charset === 'utf-8') return text;
  const shown = legibleIn(charset, text).replaceAll(LINE_MARK, isScreen ? REVERSED_MARK : ASCII_MARK);
  return charset === 'ascii' ? shown : Uint8Array.from(shown, (character) => character.charCodeAt(0));
}
