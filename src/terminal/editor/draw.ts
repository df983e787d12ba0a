import { escapeLine, LINE_MARK } from '../../text/escape.ts';
import { withSeparators } from '../../text/quantities.ts';
import { clusters, maxWidth, textWidth } from '../../text/width.ts';
import type { Buffer } from './buffer.ts';
import { matchingChoices } from './choice-list.ts';
import { type LineState, withLabels } from './line-state.ts';
import { hangingPrompt } from './wrap-marked.ts';

/** Rows of text for the bottom of a screen, and the place of the cursor in them. */
export interface Drawing {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

export interface Space {
  readonly columns: number;
  /** Maximum number of rows; of a longer text, the part around the cursor is shown. */
  readonly rows: number;
}

const TAB = '    ';

/**
 * Draws a buffer after its prompt. A line that is too long continues in the next row, and every row but the first is
 * indented by the width of the prompt, with its mark, if it has one. No row fills the last column, because terminals
 * differ in what follows it.
 */
export function drawBuffer(
  buffer: Buffer,
  prompt: string,
  { columns, rows: maxRows }: Space,
  pastes: readonly string[] = [],
): Drawing {
  const { text, cursor } = linesAround(buffer, maxRows);
  const indent = Math.min(textWidth(prompt), Math.max(columns - 4, 0));
  const width = Math.max(columns - 1, indent + 2);
  const rows: string[] = [''];
  let column = indent;
  /** Columns that the row takes in a terminal that draws emoji as wide as possible. */
  let filled = indent;
  let place = { row: 0, column: indent };
  let offset = 0;
  for (const cluster of clusters(text)) {
    if (offset === cursor) place = { row: rows.length - 1, column };
    offset += cluster.length;
    if (cluster === '\n') {
      rows.push('');
      column = filled = indent;
      continue;
    }
    const label = withLabels(cluster, pastes);
    for (const [index, part] of (label === cluster ? [cluster] : clusters(label)).entries()) {
      const shown = shownForm(part);
      const size = maxWidth(shown);
      if (filled + size > width && column > indent) {
        rows.push('');
        column = filled = indent;
        if (index === 0 && offset - cluster.length === cursor) place = { row: rows.length - 1, column };
      }
      rows[rows.length - 1] += shown;
      column += textWidth(shown);
      filled += size;
    }
  }
  if (offset === cursor) place = { row: rows.length - 1, column };
  const hanging = indent < textWidth(prompt) ? ' '.repeat(indent) : hangingPrompt(prompt);
  const first = firstShownRow(place.row, rows.length, maxRows);
  return {
    rows: rows.map((row, index) => (index === 0 ? prompt : hanging) + row).slice(first, first + Math.max(maxRows, 1)),
    cursor: { row: place.row - first, column: place.column },
  };
}

/** The lines of a buffer that may be on the screen: as many as it has rows on each side of the cursor. A paste can be long. */
function linesAround({ text, cursor }: Buffer, maxRows: number): Buffer {
  let start = cursor;
  for (let line = 0; line <= maxRows && start > 0; line += 1) start = text.lastIndexOf('\n', start - 1);
  let end = cursor - 1;
  for (let line = 0; line <= maxRows && end < text.length; line += 1) {
    const next = text.indexOf('\n', end + 1);
    end = next < 0 ? text.length : next;
  }
  const from = start <= 0 ? 0 : start + 1;
  return { text: text.slice(from, end), cursor: cursor - from };
}

/** A longer message leaves half of these lines on the screen. */
const MAX_ECHO = 40;

/** The rows of a message that stay on the screen after it was sent, which the terminal wraps. Ends with a line feed. */
export function echo(text: string, prompt: string): string {
  const hanging = hangingPrompt(prompt);
  const all = text.split('\n');
  const shown =
    all.length > MAX_ECHO
      ? [...all.slice(0, MAX_ECHO / 2), `[${withSeparators(all.length - MAX_ECHO / 2)} more lines]`]
      : all;
  const lines = shown.map((line) => clusters(line).map(shownForm).join(''));
  return `${lines.map((line, index) => (index === 0 ? prompt : hanging) + line).join('\n')}\n`;
}

function shownForm(cluster: string): string {
  return cluster === '\t' ? TAB : escapeLine(cluster);
}

function firstShownRow(cursorRow: number, count: number, maxRows: number): number {
  if (count <= maxRows) return 0;
  return Math.min(Math.max(cursorRow - Math.floor(maxRows / 2), 0), count - maxRows);
}

/** The start of a text that takes at most `columns`. */
export function fitInto(text: string, columns: number): string {
  if (maxWidth(text) <= columns) return text;
  let width = 0;
  let shown = '';
  for (const cluster of clusters(text)) {
    width += maxWidth(cluster);
    if (width > columns) break;
    shown += cluster;
  }
  return shown;
}

/** Maximum length of a text in one row. */
const MAX_ROW = 1_000;

/** Maximum number of completions and of waiting messages that are shown at a time. */
const MAX_ROWS = 8;

/** The prompt of a message that is typed while the chat is busy or asks something else. */
export const QUEUED_PROMPT = 'next> ';

/** The texts drawn around a line: messages that wait, the start of one that is put aside, and a hint on its keys. */
interface Surroundings {
  readonly waiting?: readonly string[];
  readonly steering?: readonly string[];
  readonly aside?: string;
  readonly hint?: string;
}

/** The effects of the keys that send a message during a run, by the setting. */
export const SEND_HINTS = {
  steer: 'Enter: with the next request · Ctrl-Q: after this run',
  queue: 'Enter: after this run · Ctrl-Q: with the next request',
} as const;

/** Advice at keys that have an effect in other agents only, and at keys that do not answer a question. */
export const KEY_HINTS = {
  rewind: 'Up brings back a message to change it; /undo takes back what the last run has changed.',
  letter: 'To answer, pause, then type one letter.',
  picture: 'Pictures are not pasted. Name the file, as in @shot.png',
} as const;

/**
 * Draws a line with its prompt: above it the messages that wait, below it the completions to choose from, and the start
 * of the message that is put `aside` while something else is asked.
 */
export function drawLine(
  state: LineState,
  prompt: string,
  { waiting = [], steering = [], aside = '', hint = '' }: Surroundings,
  space: Space,
): Drawing {
  const cut = (row: string): string => fitInto(row, space.columns - 1);
  const above = [
    ...steering.map((text) => `${LINE_MARK} for the next request: ${asRow(text)}`),
    ...waiting.map((text) => `${LINE_MARK} next: ${asRow(text)}`),
  ]
    .slice(-MAX_ROWS)
    .map(cut);
  const menu = menuRows(state, Math.min(MAX_ROWS, Math.max(space.rows - 3, 1)));
  const hints = hint === '' ? [] : [`${LINE_MARK} ${hint}`];
  const below = [
    ...menu,
    ...hints,
    ...(aside === '' ? [] : [`${QUEUED_PROMPT}${asRow(aside.replaceAll('\n', '⏎'))}`]),
  ].map(cut);
  const room = { columns: space.columns, rows: Math.max(space.rows - above.length - below.length, 1) };
  const { search } = state;
  const line =
    search === undefined
      ? drawBuffer(state.buffer, prompt, room, state.pastes)
      : drawBuffer(search.buffer, `search${search.failed ? ', not found' : ''} "${asRow(search.query)}": `, room);
  return {
    rows: [...above, ...line.rows, ...below],
    cursor: { row: line.cursor.row + above.length, column: line.cursor.column },
  };
}

function menuRows({ menu, list, buffer }: LineState, count: number): readonly string[] {
  if (list === undefined) {
    if (menu === undefined) return [];
    const { items, notes, isPartial } = menu.completion;
    const width = Math.max(...items.map(maxWidth));
    const rows = items.map((item, index) => `${item}${' '.repeat(width - maxWidth(item))}  ${notes?.[index] ?? ''}`);
    return listRows(notes === undefined ? items : rows.map((row) => row.trimEnd()), menu.chosen, count, isPartial);
  }
  const found = matchingChoices(list, buffer.text).map(({ label }) => label);
  return found.length === 0
    ? [`${LINE_MARK}   no match; Enter takes the typed text`]
    : listRows(found, list.chosen, count);
}

/** The rows around the chosen item of a list, which may be a part of a longer one. */
function listRows(
  items: readonly string[],
  chosen: number | undefined,
  count: number,
  isPartial = false,
): readonly string[] {
  const first = Math.min(Math.max((chosen ?? 0) - count + 2, 0), Math.max(items.length - count, 0));
  const shown = items.slice(first, first + count);
  const more = items.length - first - shown.length;
  const rows = shown.map((item, index) => `${LINE_MARK} ${index + first === chosen ? '›' : ' '} ${asRow(item)}`);
  const rest = more === 0 ? (isPartial ? 'and perhaps more' : '') : `and ${isPartial ? 'at least ' : ''}${more} more`;
  return rest === '' ? rows : [...rows, `${LINE_MARK}   ${rest}`];
}

/** The start of a text in one row, which is cut to its place later. */
function asRow(text: string): string {
  return escapeLine(text.slice(0, MAX_ROW).replaceAll('\n', ' '));
}
