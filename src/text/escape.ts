/**
 * Invisible characters that change how a text looks: control characters, format characters (bidi, zero-width, tags),
 * line and paragraph separators, lone surrogates and the characters that Unicode lets a terminal ignore. The two
 * variation selectors that only choose the emoji or the text form of a character are not among them.
 */
const INVISIBLE = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Escapes every invisible character of an untrusted text as `\u{…}`, so that the text can neither control a terminal
 * nor hide a part of itself. Tabs are kept, and so are line feeds unless `keepNewlines` is false, which single-line
 * texts such as file names need. Idempotent.
 */
export function escapeForTerminal(
  text: string,
  options: { readonly keepNewlines: boolean } = { keepNewlines: true },
): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\t' || (character === '\n' && options.keepNewlines) ? character : escapeCharacter(character),
  );
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
