/**
 * Invisible characters that change how a text looks: control characters, format characters (bidi, zero-width, tags),
 * line and paragraph separators, lone surrogates, the characters that Unicode lets a terminal ignore, and signs without
 * ink (the blank of Braille, the filler of Khitan, the null note). The two variation selectors that only choose the emoji
 * or the text form of a character are not among them.
 */
const INVISIBLE =
  /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}]/gu;

/**
 * Characters that look like a space or like nothing, and are neither: spaces of all widths, and the two variation
 * selectors where no emoji, sign or digit is before them. Prose has them, so that they are escaped in questions only.
 */
const BLANK = /(?! )\p{Zs}|(?<![\p{Emoji}\p{So}\p{Sm}\p{Po}\p{Lo}])[\uFE0E\uFE0F]/gu;

/** Begins each line of ybs among those of the model and of commands. No untrusted text that is shown contains it. */
export const LINE_MARK = '▌';

/** The mark, and the characters that look like it. */
const MARK_LIKE = '[\u2589-\u2590\u2758-\u275A]';

/** One emoji, possibly with the selector of its emoji form or a skin tone. */
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?`;

/** A letter or mark of a script in which a joiner between two letters changes their form. */
const JOINING = String.raw`[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Mong}\p{scx=Mymr}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}]`;

/** The flags of England, Scotland and Wales: a black flag and the name of the region in tag characters. */
const TAG_FLAG = `\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls'].map(tagCharacters).join('|')})\u{e007f}`;

/** Texts whose invisible characters hide nothing, because they only form the characters around them. */
const FORMING = String.raw`${EMOJI}(?:\u200D${EMOJI})+|${TAG_FLAG}|(?<=${JOINING})[\u200C\u200D](?=${JOINING})`;

/** A character to escape that is not a tab or a line feed. A text without any needs none of the large expressions. */
const HIDDEN = new RegExp(`(?![\\t\\n])${INVISIBLE.source}|${MARK_LIKE}`, 'u');

/** A character that continues nothing before it, and that nothing continues. */
const PLAIN = /[\t\n\x20-\x7e]/;

let large: ReturnType<typeof largeExpressions> | undefined;

/** Compiled for the first text that needs them, because that takes milliseconds at every start. */
function largeExpressions() {
  const unfinished = String.raw`(?:(?:${EMOJI}\u200D){0,9}(?:${EMOJI})?|\u{1f3f4}[\u{e0061}-\u{e007a}]{0,5}|(?:${JOINING}[\u200C\u200D]){0,9}${JOINING}?)[\uD800-\uDBFF]?$`;
  return {
    formingOrInvisible: new RegExp(`(?<forming>${FORMING})|${INVISIBLE.source}|(?<mark>${MARK_LIKE})`, 'gu'),
    unfinished: new RegExp(unfinished, 'u'),
  };
}

/**
 * Escapes every invisible character of an untrusted text as `\u{…}`, so that the text can neither control a terminal
 * nor hide a part of itself, and every mark, so that no line of it, however a terminal wraps it, looks like one of ybs.
 * Joiners within an emoji or between letters that join are kept. Tabs are kept, and so are line feeds unless
 * `keepNewlines` is false, which single-line texts such as file names need; and marks with `keepMarks`, where no line
 * of ybs is. Idempotent.
 */
export function escapeForTerminal(
  text: string,
  { keepNewlines = true, keepMarks = false }: { readonly keepNewlines?: boolean; readonly keepMarks?: boolean } = {},
): string {
  if (!HIDDEN.test(text) && (keepNewlines || !text.includes('\n'))) return text;
  large ??= largeExpressions();
  return text.replace(large.formingOrInvisible, (found, forming: string | undefined, mark: string | undefined) => {
    const isKept = forming !== undefined || found === '\t' || (found === '\n' && keepNewlines);
    return isKept || (mark !== undefined && keepMarks) ? found : escapeCharacter(found);
  });
}

/** An untrusted text without the characters that `escapeForTerminal` escapes, except marks. */
export function removeInvisible(text: string): string {
  if (!HIDDEN.test(text)) return text;
  large ??= largeExpressions();
  return text.replace(large.formingOrInvisible, (found, forming: string | undefined, mark: string | undefined) =>
    forming !== undefined || mark !== undefined || found === '\t' || found === '\n' ? found : '',
  );
}

/** Escapes an untrusted text for a single line, including its line feeds. Idempotent. */
export function escapeLine(text: string): string {
  return escapeForTerminal(text, { keepNewlines: false });
}

/**
 * Escapes an untrusted text that the user is to judge, such as a command: also what only looks like a space. Idempotent.
 */
export function escapeInQuestion(text: string, options?: Parameters<typeof escapeForTerminal>[1]): string {
  return escapeForTerminal(text, options).replace(BLANK, escapeCharacter);
}

/** The index from which the escaped form of a text can still change when more text follows. */
export function unfinishedStart(text: string): number {
  if (text === '' || PLAIN.test(text.slice(-1))) return text.length;
  large ??= largeExpressions();
  return text.search(large.unfinished);
}

/** The first invisible character of a text, escaped, or `undefined`. Tabs and line feeds count as invisible. */
export function findInvisibleCharacter(text: string): string | undefined {
  const index = text.search(INVISIBLE);
  const code = index < 0 ? undefined : text.codePointAt(index);
  return code === undefined ? undefined : escapeCharacter(String.fromCodePoint(code));
}

function escapeCharacter(character: string): string {
  return [...character].map((part) => `\\u{${part.codePointAt(0)?.toString(16)}}`).join('');
}

function tagCharacters(letters: string): string {
  return [...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}
