/**
 * Characters that change how a text looks without being seen: controls, format characters (bidi, zero-width, tags),
 * line and paragraph separators, lone surrogates and everything Unicode lets a terminal ignore. The two variation
 * selectors that only pick the picture or the text form of a character are left alone.
 */
const UNSEEN = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes every unseen character of a foreign text visible as `\u{…}`, so that the text can neither drive a terminal nor
 * hide a part of itself. Tabs stay, and line feeds unless `keepNewlines` is false, as it has to be for file names and
 * other texts of one line. Applying it twice changes nothing more.
 */
export function escapeForTerminal(
  text: string,
  options: { readonly keepNewlines: boolean } = { keepNewlines: true },
): string {
  return text.replace(UNSEEN, (character) =>
    character === '\t' || (character === '\n' && options.keepNewlines) ? character : asEscape(character),
  );
}

/** The first unseen character of a text in its visible form, tabs and line feeds included, if there is one. */
export function findUnseenCharacter(text: string): string | undefined {
  const index = text.search(UNSEEN);
  const code = index < 0 ? undefined : text.codePointAt(index);
  return code === undefined ? undefined : asEscape(String.fromCodePoint(code));
}

function asEscape(character: string): string {
  return [...character].map((part) => `\\u{${part.codePointAt(0)?.toString(16)}}`).join('');
}
