import { maxWidth } from './width.ts';

/** Minimum number of columns for text beside an indent. */
const MIN_WIDTH = 20;

/**
 * Breaks a line at spaces into rows of at most `columns`, after a prefix of narrow characters. Further rows are
 * indented to the start of the text, or by two spaces on a narrow screen. A word that is too long for a row stays
 * whole.
 */
export function fillRows(line: string, columns: number, prefix = ''): string {
  const start = prefix.length;
  const indent = columns - start < MIN_WIDTH || start === 0 ? 2 : start;
  const rows: string[] = [];
  let row = '';
  let room = columns - start;
  for (const word of line.split(' ')) {
    if (row !== '' && maxWidth(row) + 1 + maxWidth(word) > room) {
      rows.push(row);
      row = word;
      room = columns - indent;
    } else row = row === '' ? word : `${row} ${word}`;
  }
  return prefix + [...rows, row].join(`\n${' '.repeat(indent)}`);
}
