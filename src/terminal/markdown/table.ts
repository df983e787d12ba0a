import { Lexer, type Tokens } from 'marked';
import type { Palette } from '../../app/terminal.ts';
import { spansOf } from './inline.ts';
import { rowText, type Word, wordsOf, wrapWords } from './wrap.ts';

const SEPARATOR = ' │ ';
const RULE_SEPARATOR = '─┼─';

/** A column with fewer columns of the screen is not readable. */
const MIN_COLUMN = 6;

/** Longer lines and longer tables are shown as they are, because reading them may take quadratic time. */
const MAX_LENGTH = { line: 2_000, table: 100_000 };

/** The rows of a table that takes at most `width` columns; `undefined` if the text is not a table. */
export function tableRows(text: string, width: number, palette: Palette): readonly string[] | undefined {
  if (text.length > MAX_LENGTH.table || text.split('\n').some((line) => line.length > MAX_LENGTH.line))
    return undefined;
  const [table, ...more] = new Lexer().lex(text);
  if (table?.type !== 'table' || more.length > 0 || !isTable(table)) return undefined;
  const cells = [table.header, ...table.rows].map((row, index) =>
    row.map(({ tokens }) => wordsOf(spansOf(tokens, index === 0 ? ['bold'] : []))),
  );
  const widths = fitColumns(naturalWidths(cells), width);
  if (widths === undefined) return recordRows(cells, width, palette);
  const rows = cells.map((row) => gridRows(row, widths, table.align, palette));
  const rule = palette('dim', widths.map((columns) => '─'.repeat(columns)).join(RULE_SEPARATOR));
  const [header = [], ...body] = rows;
  return [...header, rule, ...body.flat()];
}

function isTable(token: { readonly type: string }): token is Tokens.Table {
  return token.type === 'table';
}

type Cells = readonly (readonly Word[])[];

function naturalWidths(rows: readonly Cells[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, words] of row.entries()) {
      const { width } = rowText(words, (_style, text) => text);
      widths[index] = Math.max(widths[index] ?? 1, width);
    }
  }
  return widths;
}

/** The widths of the columns: their own, or less for the widest ones; `undefined` if they would not be readable. */
function fitColumns(natural: readonly number[], width: number): readonly number[] | undefined {
  const available = width - SEPARATOR.length * (natural.length - 1);
  const total = natural.reduce((sum, columns) => sum + columns, 0);
  if (total <= available) return natural;
  const sorted = [...natural].sort((left, right) => left - right);
  let rest = available;
  let limit = 0;
  for (const [index, columns] of sorted.entries()) {
    limit = Math.floor(rest / (sorted.length - index));
    if (columns > limit) break;
    rest -= columns;
  }
  return limit < MIN_COLUMN ? undefined : natural.map((columns) => Math.min(columns, limit));
}

function gridRows(
  row: Cells,
  widths: readonly number[],
  align: readonly (string | null)[],
  palette: Palette,
): readonly string[] {
  const wrapped = row.map((words, index) => wrapWords(words, widths[index] ?? 1));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const cells = wrapped.map((lines, index) => {
      const { text, width } = rowText(lines[line] ?? [], palette);
      const space = (widths[index] ?? 0) - width;
      const before = align[index] === 'right' ? space : align[index] === 'center' ? Math.floor(space / 2) : 0;
      return `${' '.repeat(before)}${text}${' '.repeat(space - before)}`;
    });
    return cells.join(palette('dim', SEPARATOR)).trimEnd();
  });
}

/** The table for a narrow screen: for each row, a line for each of its cells after the name of its column. */
function recordRows([header = [], ...body]: readonly Cells[], width: number, palette: Palette): readonly string[] {
  const colon: Word = { pieces: [{ text: ':', styles: [] }], width: 1, gap: '' };
  const records = body.length === 0 ? [header.map(() => [])] : body;
  return records.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...row.flatMap((words, column) => {
      const [first, ...more] = words;
      const value = first === undefined ? [] : [{ ...first, gap: ' ' as const }, ...more];
      const line = [...(header[column] ?? []), colon, ...value];
      return wrapWords(line, width).map((part) => rowText(part, palette).text);
    }),
  ]);
}
