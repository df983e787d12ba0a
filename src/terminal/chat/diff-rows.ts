import type { Palette } from '../../app/terminal.ts';
import { diffRowWords } from '../../text/diff/word-diff.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { truncateLines } from '../../text/truncate.ts';

/** The rows of a diff, and the number of hidden ones. */
export interface DiffRows {
  readonly rows: readonly string[];
  readonly hidden: number;
}

/**
 * The rows of a diff, escaped, coloured and indented, with the changed words of changed lines marked. More than
 * `maxRows` are shortened in the middle, with `note` for the number of those that are hidden. No rows for no text.
 */
export function diffRows(
  unified: string,
  palette: Palette,
  { maxRows, note }: { readonly maxRows: number; readonly note?: (count: number) => string } = { maxRows: Infinity },
): DiffRows {
  if (unified === '') return { rows: [], hidden: 0 };
  const all = escapeForTerminal(unified).replace(/\n$/, '').split('\n');
  const rows = truncateLines(all, maxRows, note);
  const shown = diffRowWords(rows).map((parts, index) => {
    const text = parts.map((part) => (part.changed ? palette('inverse', part.text) : part.text)).join('');
    return colouredRow(rows[index] ?? '', text, palette);
  });
  return { rows: shown.map((row) => `  ${row}`), hidden: Math.max(0, all.length - maxRows) };
}

function colouredRow(row: string, text: string, palette: Palette): string {
  if (row.startsWith('@@')) return palette('cyan', text);
  if (row.startsWith('+')) return palette('green', text);
  return row.startsWith('-') ? palette('red', text) : text;
}
