import { type Charset, escapeAsciiMarks, legibleIn } from '../../text/bytes/charset.ts';
import { LINE_MARK } from '../../text/escape.ts';
import { clusters, maxWidth, textWidth } from '../../text/width.ts';

const SEQUENCE = String.raw`${'\u001b'}\[\d*m`;

/** The start of a line of ybs: the mark, which may be coloured, and the spaces before the content. */
const MARKED = new RegExp(`^((?:${SEQUENCE})*${LINE_MARK}(?:${SEQUENCE})*) +`, 'u');

/** True for a line of ybs, which can come while a row of an answer is open. */
export const isMarked = (text: string): boolean => new RegExp(`^(?:${SEQUENCE})*${LINE_MARK}`, 'u').test(text);

/** The start of a changed line of a diff. */
const CHANGE = new RegExp(`^(?:${SEQUENCE})*[+-]`, 'u');

/** Marks the further rows of a changed line, which would otherwise look like unchanged lines. */
const CHANGE_GOES_ON = '↪';

/** The control sequence of one style, or text up to the next one. */
const STYLE_OR_TEXT = new RegExp(String.raw`${'\u001b'}\[(?<code>\d*)m|(?:(?!${SEQUENCE}).)+`, 'gsu');

/** The codes of the styles that a code ends. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['', /^/],
  ['0', /^/],
  ['22', /^[12]$/],
  ['23', /^3$/],
  ['24', /^4$/],
  ['27', /^7$/],
  ['29', /^9$/],
  ['39', /^(?:3[0-7]|9[0-7])$/],
  ['49', /^(?:4[0-7]|10[0-7])$/],
]);
const NO_STYLE = '\u001b[0m';
const TAB_WIDTH = 8;

/**
 * The text, in which a line of ybs that is wider than the screen continues in further rows with the mark, so that every
 * row of ybs has it. A row ends after a space if one is in its second half; no character is omitted. Other lines stay as
 * they are.
 */
export function wrapMarkedLines(text: string, columns: number): string {
  if (!text.includes(LINE_MARK)) return text;
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');
}

/** Text for a terminal without control sequences, in the characters that it shows. */
export function plainRows(text: string, columns: number, charset: Charset): string {
  const legible = legibleIn(charset, escapeAsciiMarks(charset, text));
  // The mark has two columns there.
  return wrapMarkedLines(legible, charset === 'utf-8' ? columns : columns - 1);
}

function wrapLine(line: string, columns: number): string {
  const [before, mark = ''] = MARKED.exec(line) ?? [];
  if (before === undefined || line.length <= columns / 2) return line;
  const indent = textWidth(before) + 2;
  if (indent > columns / 2) return line;
  const goesOn = CHANGE.test(line.slice(before.length)) ? CHANGE_GOES_ON : ' ';
  const hanging = `${mark}${' '.repeat(indent - 3)}${goesOn} `;
  const rows: string[] = [];
  let styles: readonly string[] = [];
  let row = before;
  let width = indent - 2;
  /** The last place where the row can end. */
  let gap: { readonly length: number; readonly width: number; readonly styles: readonly string[] } | undefined;
  for (const { 0: piece, groups } of line.slice(before.length).matchAll(STYLE_OR_TEXT)) {
    const code = groups?.['code'];
    if (code !== undefined) {
      styles = restyled(styles, code);
      row += piece;
      continue;
    }
    for (const character of clusters(piece)) {
      const advance = character === '\t' ? TAB_WIDTH - (width % TAB_WIDTH) : maxWidth(character);
      if (width + advance > columns) {
        const end = gap !== undefined && gap.width > columns / 2 ? gap : { length: row.length, width, styles };
        rows.push(`${row.slice(0, end.length)}${end.styles.length === 0 ? '' : NO_STYLE}`);
        row = `${hanging}${end.styles.map(sequenceOf).join('')}${row.slice(end.length)}`;
        width = indent + width - end.width;
        gap = undefined;
      }
      row += character;
      width += advance;
      if (character === ' ') gap = { length: row.length, width, styles };
    }
  }
  return [...rows, row].join('\n');
}

/** The start of the further lines of a text after its prompt: the mark, if the prompt has one, and spaces. */
export function hangingPrompt(prompt: string): string {
  const [, mark = ''] = MARKED.exec(prompt) ?? [];
  return mark + ' '.repeat(textWidth(prompt) - textWidth(mark));
}

/** The styles after a code, which begins one or ends others. */
function restyled(styles: readonly string[], code: string): readonly string[] {
  const ended = ENDS.get(code);
  return ended === undefined ? [...styles, code] : styles.filter((style) => !ended.test(style));
}

function sequenceOf(code: string): string {
  return `\u001b[${code}m`;
}
