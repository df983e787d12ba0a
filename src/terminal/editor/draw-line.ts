import { escapeLine, LINE_MARK } from '../../text/escape.ts';
import { type Drawing, drawBuffer, fitInto, type Space } from './draw.ts';
import type { LineState, Menu } from './line-editor.ts';

/** Maximum number of completions and of waiting messages that are shown at a time. */
const MAX_ROWS = 8;

/** The prompt of a message that is typed while the chat is busy or asks something else. */
export const QUEUED_PROMPT = 'next> ';

/**
 * Draws a line with its prompt: above it the messages that wait, below it the completions to choose from, and the start
 * of the message that is put `aside` while something else is asked.
 */
export function drawLine(
  state: LineState,
  prompt: string,
  waiting: readonly string[],
  space: Space,
  aside = '',
): Drawing {
  const cut = (row: string): string => fitInto(row, space.columns - 1);
  const above = waiting.slice(-MAX_ROWS).map((text) => cut(`${LINE_MARK} next: ${asRow(text)}`));
  const menu = state.menu === undefined ? [] : menuRows(state.menu);
  const below = [...menu, ...(aside === '' ? [] : [`${QUEUED_PROMPT}${asRow(aside.replaceAll('\n', '⏎'))}`])].map(cut);
  const room = { columns: space.columns, rows: Math.max(space.rows - above.length - below.length, 1) };
  const { search } = state;
  const line =
    search === undefined
      ? drawBuffer(state.buffer, prompt, room)
      : drawBuffer(search.buffer, `search${search.failed ? ', not found' : ''} "${asRow(search.query)}": `, room);
  return {
    rows: [...above, ...line.rows, ...below],
    cursor: { row: line.cursor.row + above.length, column: line.cursor.column },
  };
}

function menuRows({ completion: { items }, chosen }: Menu): readonly string[] {
  const first = Math.min(Math.max((chosen ?? 0) - MAX_ROWS + 2, 0), Math.max(items.length - MAX_ROWS, 0));
  const shown = items.slice(first, first + MAX_ROWS);
  const more = items.length - first - shown.length;
  const rows = shown.map((item, index) => `${LINE_MARK} ${index + first === chosen ? '›' : ' '} ${asRow(item)}`);
  return more === 0 ? rows : [...rows, `${LINE_MARK}   and ${more} more`];
}

function asRow(text: string): string {
  return escapeLine(text.replaceAll('\n', ' '));
}
