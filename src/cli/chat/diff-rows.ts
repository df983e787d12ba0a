import type { Palette } from '../../ports/terminal.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { truncateLines } from '../../text/truncate.ts';

/** The rows of a diff, escaped, coloured and indented. More than `maxRows` are shortened in the middle. */
export function diffRows(unified: string, palette: Palette, maxRows = Number.POSITIVE_INFINITY): readonly string[] {
  const rows = escapeForTerminal(unified).replace(/\n$/, '').split('\n');
  return truncateLines(rows, maxRows).map((row) => {
    if (row.startsWith('@@')) return `  ${palette('cyan', row)}`;
    if (row.startsWith('+')) return `  ${palette('green', row)}`;
    return `  ${row.startsWith('-') ? palette('red', row) : row}`;
  });
}
