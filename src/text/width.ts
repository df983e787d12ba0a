import stringWidth from 'string-width';

/**
 * A text of characters that take one column each and do not join: printable ASCII, Latin letters, punctuation, box
 * drawing and the frames of a spinner. Of other texts, the library and the segmenter know, which take 40 ms at first.
 */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u259f\u2800-\u28ff]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The number of columns that a text takes on a screen. Escape sequences and control characters take none. */
export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** The grapheme clusters of a text: the characters that a person sees. A line feed is one, and so is CR LF. */
export function clusters(text: string): readonly string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
