/** A number and what it counts: `1 scenario`, `2 scenarios`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The start of a text: at most `length` characters, none of them cut in two. Takes no longer for a longer text. */
export function startOfText(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length <= length ? text : characters.slice(0, length).join('');
}

/** As `startOfText`, with a sign behind it where there is more. */
export function cutText(text: string, length: number): string {
  const start = startOfText(text, length);
  return start === text ? text : `${start}…`;
}

/** What a thrown value says, whatever was thrown. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The text with control characters and line separators spelled out (`\\u{a}`), so that it stays one line of a log. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** The text with what is percent-encoded in it decoded, or as it is where that is no encoding. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text without those of the characters that it ends with; a pattern would look at every run of them. Pure. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

const MAX_WORDS = 6;
const MAX_LENGTH = 50;
/** How many characters of a text a title is made of. */
export const TITLE_LOOKS_AT = 2000;

/**
 * The first words of a text as one short line, without markup and quotes; `Mock session` where there are none. Pure.
 */
export function shortTitle(text: string): string {
  const plain = text.slice(0, TITLE_LOOKS_AT).replaceAll(/<[^<>]*>/g, ' ');
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}.'_/-]*/gu) ?? [];
  const title = [...words.slice(0, MAX_WORDS).join(' ')]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[\s.'_/-]+$/, '');
  return title === '' ? 'Mock session' : title;
}
