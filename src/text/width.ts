/**
 * Characters that take one column each and never join another one: printable ASCII, Latin, and the punctuation, boxes
 * and braille patterns that the program draws.
 */
const NARROW = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u259f\u2800-\u28ff]*$/;
const ESCAPE = '\u001b';
/** Sequences that set a style. */
const STYLES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');
/** Columns of the widest character for each of its UTF-16 units. */
const WIDEST = 2;

let segmenter: Intl.Segmenter | undefined;

/** Widths that are estimated until what measures them exactly is loaded. */
export interface Widths {
  /**
   * The number of columns that a text takes on a screen. Escape sequences and control characters take none. Before
   * `loadWidths`, a text with other than narrow characters may get too large a width, and never too small a one.
   */
  readonly textWidth: (text: string) => number;
  /** Loads what measures every text exactly. Resolves to whether an earlier width was an estimate. */
  readonly loadWidths: () => Promise<boolean>;
}

/** Creates widths with a function that loads the exact ones. */
export function createWidths(load: () => Promise<(text: string) => number>): Widths {
  let exactWidth: ((text: string) => number) | undefined;
  let hasEstimated = false;
  return {
    textWidth(text) {
      if (NARROW.test(text)) return text.length;
      if (exactWidth !== undefined) return exactWidth(text);
      const shown = text.replaceAll(STYLES, '');
      if (NARROW.test(shown)) return shown.length;
      hasEstimated = true;
      return clusters(shown).reduce((width, one) => width + (NARROW.test(one) ? 1 : WIDEST * one.length), 0);
    },
    async loadWidths() {
      exactWidth ??= await load();
      const wasEstimated = hasEstimated;
      hasEstimated = false;
      return wasEstimated;
    },
  };
}

/** The widths of this process. Loading the exact ones takes longer than drawing the first prompt. */
export const { textWidth, loadWidths } = createWidths(async () => (await import('string-width')).default);

/** The grapheme clusters of a text: the characters that a person sees. A line feed is one, and so is CR LF. */
export function clusters(text: string): readonly string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
