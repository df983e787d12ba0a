import stringWidth from 'string-width';

/** A text of printable ASCII, each of whose characters takes one column. */
const ASCII = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The number of columns that a text takes on a screen. Escape sequences and control characters take none. */
export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** The grapheme clusters of a text: the characters that a person sees. A line feed is one, and so is CR LF. */
export function clusters(text: string): readonly string[] {
  if (ASCII.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
