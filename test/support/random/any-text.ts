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
const LONE_SURROGATES = ['\uD83D', '\uDE42'] as const;

const textOf = (...pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));

/** A text of fragments that are special to encoders, streams or JSON; much faster to generate than any Unicode text. */
export const anyText = textOf(...PIECES, ...LONE_SURROGATES);

/** The same without lone surrogates, so that UTF-8 can encode it. */
export const wellFormedText = textOf(...PIECES);
