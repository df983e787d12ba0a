/** A number and the noun it counts: `1 scenario`, `2 scenarios`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The first `length` characters of a text, with no surrogate pair split. Its cost does not grow with the text. */
export function startOfText(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length <= length ? text : characters.slice(0, length).join('');
}

/** As `startOfText`, followed by an ellipsis if characters were cut. */
export function cutText(text: string, length: number): string {
  const start = startOfText(text, length);
  return start === text ? text : `${start}…`;
}

/** Clients refuse a response whose headers have more than 16 KB in all. */
const MAX_HEADER = 2000;

/** A header with as many of the parts as fit, and the number of the others. Only printable ASCII may be in a header. */
export function headerText(parts: readonly string[], separator: string): string {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const next = text === '' ? part : `${text}${separator}${part}`;
    if (next.length > MAX_HEADER) {
      const others = `${parts.length - index} more`;
      return text === '' ? others : `${text}${separator}${others}`;
    }
    text = next;
  }
  return text;
}

/** Message of a thrown value. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The text with characters escaped that control a terminal, end a line or turn its direction: `\\u{a}`. */
export function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/** The percent-decoded text, or the text itself if its encoding is broken. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text without any of the given characters at its end, in linear time (a regular expression would backtrack). */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

const MAX_WORDS = 6;
const MAX_LENGTH = 50;
/** Length of the text that `shortTitle` reads. */
export const MAX_TITLE_SOURCE = 2000;

/** The first words of a text as one short line, without markup and quotes; `Mock session` if there are none. */
export function shortTitle(text: string): string {
  const plain = text.slice(0, MAX_TITLE_SOURCE).replaceAll(/<[^<>]*>/g, ' ');
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}.'_/-]*/gu) ?? [];
  const title = startOfText(words.slice(0, MAX_WORDS).join(' '), MAX_LENGTH).replace(/[\s.'_/-]+$/, '');
  return title === '' ? 'Mock session' : title;
}

/** The words of `shortTitle` in lower case, joined with hyphens. */
export function slugOf(text: string): string {
  const words = shortTitle(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return words.replaceAll(/^-|-$/g, '');
}

/** The name itself, or the first of `name-2`, `name-3` and so on that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name}-${number}`;
  return free;
}

/** A text in which no template begins. */
export function escapeTemplates(text: string): string {
  return text.replaceAll('{{', '{{{{');
}
