/**
 * Invisible characters that change how a text looks: controls, format characters (bidi, zero-width, tags), line and
 * paragraph separators, lone surrogates and the characters that Unicode lets a terminal ignore. The two variation
 * selectors that only choose the emoji or the text form of a character are not among them.
 */
const UNSEEN = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Escapes every unseen character of an untrusted text as `\u{…}`, so that the text can neither control a terminal nor
 * hide a part of itself. Tabs stay, and so do line feeds unless `keepNewlines` is false, which one-line texts such as
 * file names need. Idempotent.
 */
export function escapeForTerminal(
  text: string,
  options: { readonly keepNewlines: boolean } = { keepNewlines: true },
): string {
  return text.replace(UNSEEN, (character) =>
    character === '\t' || (character === '\n' && options.keepNewlines) ? character : asEscape(character),
  );
}

/** The first unseen character of a text, tabs and line feeds included, escaped; nothing when there is none. */
export function findUnseenCharacter(text: string): string | undefined {
  const index = text.search(UNSEEN);
  const code = index < 0 ? undefined : text.codePointAt(index);
  return code === undefined ? undefined : asEscape(String.fromCodePoint(code));
}

function asEscape(character: string): string {
  return [...character].map((part) => `\\u{${part.codePointAt(0)?.toString(16)}}`).join('');
}
