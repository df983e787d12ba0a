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
