import { takeEnd, takeStart } from './truncate.ts';

/** Tokens of one ASCII character, and of any other UTF-16 unit: more than most tokenizers need. */
const ASCII_TOKENS = 0.33;
const OTHER_TOKENS = 1.5;

const NOT_ASCII = /[^\0-\x7f]/;

/** Estimated tokens of a text. Errs high; not an integer. */
export function estimateTokens(text: string): number {
  let others = 0;
  // Most texts are ASCII, which a search detects faster than a loop.
  const first = text.search(NOT_ASCII);
  if (first >= 0)
    for (let index = first; index < text.length; index += 1) if (text.charCodeAt(index) > 127) others += 1;
  return text.length * ASCII_TOKENS + others * (OTHER_TOKENS - ASCII_TOKENS);
}

/**
 * Truncates a text of more than `limit` estimated tokens in the middle, with a line that counts the omitted characters.
 * A limit too small for that line leaves `…`.
 */
export function truncateToTokens(text: string, limit: number): string {
  if (estimateTokens(text) <= limit) return text;
  const room = (limit - estimateTokens(omission(text.length))) / 2;
  if (room <= 0) return '…';
  const start = takeStart(text, lengthWithin(text, room, 0, 1));
  const end = takeEnd(text, lengthWithin(text, room, text.length - 1, -1));
  return `${start}${omission(text.length - start.length - end.length)}${end}`;
}

/** The start of a text with at most `limit` estimated tokens, up to the end of a line if one is near. */
export function takeTokens(text: string, limit: number): string {
  if (estimateTokens(text) <= limit) return text;
  const start = takeStart(text, lengthWithin(text, limit, 0, 1));
  const lineEnd = start.lastIndexOf('\n');
  return lineEnd > start.length / 2 ? start.slice(0, lineEnd) : start;
}

function omission(count: number): string {
  return `\n[… ${count} characters omitted …]\n`;
}

/** Number of UTF-16 units, from `first` in the direction of `step`, that have at most `limit` tokens. */
function lengthWithin(text: string, limit: number, first: number, step: 1 | -1): number {
  let tokens = 0;
  for (let length = 0; ; length += 1) {
    tokens += text.charCodeAt(first + length * step) > 127 ? OTHER_TOKENS : ASCII_TOKENS;
    if (tokens > limit) return length;
  }
}
