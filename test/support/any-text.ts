import fc from 'fast-check';

const PIECES = [
  'a',
  'b',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '"',
  '\\',
  '{',
  '}',
  'data: ',
  '\0',
  '\u2028',
  'é',
  'e\u0301',
  '漢',
  '字',
  '🙂',
  '👩‍👩‍👧',
  '\uFEFF',
  '</x>',
] as const;
const HALVES = ['\uD83D', '\uDE42'] as const;

const textOf = (...pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));

/** A text of pieces that encoders, streams and JSON handle each in their own way; much faster than all of Unicode. */
export const anyText = textOf(...PIECES, ...HALVES);

/** The same without halves of characters: what UTF-8 can carry. */
export const wellFormedText = textOf(...PIECES);
