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
  '\uD83D',
  '\uDE42',
  '\uFEFF',
  '</x>',
] as const;

/** A text of pieces that encoders, streams and JSON handle each in their own way; much faster than all of Unicode. */
export const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''));
