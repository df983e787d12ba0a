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

/** Code points that join an emoji to the one before, or change it, and take columns in some terminals. */
const JOINED = /[\u200d\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Widths that are estimated until what measures them exactly is loaded. */
export interface Widths {
  /**
   * The number of columns that a text takes on a screen. Escape sequences and control characters take none. Before
   * `loadWidths`, a text with other than narrow characters may get too large a width, and never too small a one.
   */
  readonly textWidth: (text: string) => number;
  /**
   * The largest number of columns that a terminal may give to a text, for rows that no terminal must wrap: some terminals
   * draw an emoji of several code points, such as a skin tone, as that many characters.
   */
  readonly maxWidth: (text: string) => number;
  /** Loads what measures every text exactly. Resolves to whether an earlier width was an estimate. */
  readonly loadWidths: () => Promise<boolean>;
}

/** Creates widths with a function that loads the exact ones. */
export function createWidths(load: () => Promise<(text: string) => number>): Widths {
  let exactWidth: ((text: string) => number) | undefined;
  let hasEstimated = false;
  const textWidth = (text: string): number => {
    if (NARROW.test(text)) return text.length;
    if (exactWidth !== undefined) return exactWidth(text);
    const shown = text.replaceAll(STYLES, '');
    if (NARROW.test(shown)) return shown.length;
    hasEstimated = true;
    return clusters(shown).reduce((width, one) => width + (NARROW.test(one) ? 1 : WIDEST * one.length), 0);
  };
  return {
    textWidth,
    maxWidth(text) {
      // Only joiners, modifiers and flags make an emoji of several code points that take columns of their own.
      if (exactWidth === undefined || !JOINED.test(text)) return textWidth(text);
      return clusters(text.replaceAll(STYLES, '')).reduce(
        (width, one) => width + Math.max(textWidth(one), sum(Array.from(one, textWidth))),
        0,
      );
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
export const { textWidth, maxWidth, loadWidths } = createWidths(async () => (await import('string-width')).default);

/** The grapheme clusters of a text: the characters that a person sees. A line feed is one, and so is CR LF. */
export function clusters(text: string): readonly string[] {
  return NARROW.test(text) ? text.split('') : Array.from(segmentsOf(text), ({ segment }) => segment);
}

/** The place at which the grapheme cluster that contains another place starts. */
export function clusterStart(text: string, place: number): number {
  return segmentsOf(text).containing(place)?.index ?? place;
}

function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

/** The parts of a word between which a row may end. */
export function unitsOf(word: string): readonly string[] {
  const all = clusters(word);
  if (textWidth(word) === all.length) return [word];
  const units: string[] = [];
  for (const [index, cluster] of all.entries()) {
    if (index === 0 || isBreakable(all[index - 1], cluster)) units.push(cluster);
    else units[units.length - 1] += cluster;
  }
  return units;
}

/** Punctuation that a row does not begin with. */
const CLOSING = /^[\p{Pe}\p{Pf}、。，．：；！？,.:;!?]/u;

/** True if a row may end between two characters: one of them is wide, and none belongs to the other. */
export function isBreakable(before = '', after = ''): boolean {
  return (textWidth(before) > 1 || textWidth(after) > 1) && !CLOSING.test(after) && !/\p{Ps}$/u.test(before);
}

/** The columns of a text without line feeds, in which a tab goes to the next eighth column. */
export function columnsOf(text: string): number {
  if (!text.includes('\t')) return textWidth(text);
  return text.split('\t').reduce((width, part, index) => {
    const start = index === 0 ? 0 : (Math.floor(width / 8) + 1) * 8;
    return start + textWidth(part);
  }, 0);
}
