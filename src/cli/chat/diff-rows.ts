import type { Palette } from '../../ports/terminal.ts';
import { type ChangedPart, diffWords } from '../../text/diff/word-diff.ts';
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
  const shown: string[] = [];
  let inHunk = false;
  for (let index = 0; index < rows.length; ) {
    const removed = inHunk ? runOf(rows, index, '-') : [];
    const added = inHunk ? runOf(rows, index + removed.length, '+') : [];
    if (removed.length > 0 && added.length > 0) {
      shown.push(...changedRows(removed, added, palette));
      index += removed.length + added.length;
      continue;
    }
    const row = rows[index] ?? '';
    if (row.startsWith('@@')) inHunk = true;
    shown.push(plainRow(row, palette));
    index += 1;
  }
  return { rows: shown.map((row) => `  ${row}`), hidden: Math.max(0, all.length - maxRows) };
}

function plainRow(row: string, palette: Palette): string {
  if (row.startsWith('@@')) return palette('cyan', row);
  if (row.startsWith('+')) return palette('green', row);
  return row.startsWith('-') ? palette('red', row) : row;
}

/** The rows with a sign that follow each other from an index on. */
function runOf(rows: readonly string[], start: number, sign: '-' | '+'): readonly string[] {
  let end = start;
  while (rows[end]?.startsWith(sign) === true) end += 1;
  return rows.slice(start, end);
}

/** Removed rows and the added ones that replace them, with the words that differ in inverse colours. */
function changedRows(removed: readonly string[], added: readonly string[], palette: Palette): readonly string[] {
  const text = (rows: readonly string[]) => rows.map((row) => row.slice(1)).join('\n');
  const changes = diffWords(text(removed), text(added));
  if (changes === undefined) return [...removed, ...added].map((row) => plainRow(row, palette));
  return [...markedRows('-', changes.before, palette), ...markedRows('+', changes.after, palette)];
}

function markedRows(sign: '-' | '+', parts: readonly ChangedPart[], palette: Palette): readonly string[] {
  const rows = [sign];
  for (const { text, changed } of parts) {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) rows.push(sign);
      rows[rows.length - 1] += changed && line !== '' ? palette('inverse', line) : line;
    }
  }
  return rows.map((row) => palette(sign === '-' ? 'red' : 'green', row));
}
