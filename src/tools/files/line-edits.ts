import { ToolError } from '../../agent/errors.ts';
import { countOf } from '../../text/quantities.ts';
import { LINES_PER_STEP, type Steps } from '../../text/steps.ts';

/** The replacement of a part of a text by another; offsets are in UTF-16 units. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * Inserts whole lines after line `after`, counted from 1; 0 inserts them at the start. The new lines end as the line
 * before them does; if that has no ending, as the first line of the file does. Throws `invalid_arguments` if the file
 * has no such line.
 */
export function* insertLines(display: string, text: string, after: number, lines: string): Steps<LineEdit> {
  const at = yield* endOfLine(display, text, after);
  const before = text.slice(0, at);
  const ending = endingAt(text, before.endsWith('\n') ? at - 1 : text.indexOf('\n'));
  const unfinished = before !== '' && !before.endsWith('\n');
  const isLast = at === text.length;
  const complete = lines.endsWith('\n') || (isLast && unfinished) ? lines : `${lines}\n`;
  const inserted = complete.replaceAll(/\r?\n/g, ending);
  return { start: at, end: at, replacement: unfinished ? `${ending}${inserted}` : inserted };
}

/** Deletes the lines `from` to `to`, counted from 1, both included. Throws `invalid_arguments` for any other range. */
export function* deleteLines(display: string, text: string, from: number, to: number): Steps<LineEdit> {
  if (to < from) throw new ToolError('invalid_arguments', `The range [${from}, ${to}] ends before it starts.`);
  const start = yield* endOfLine(display, text, from - 1);
  const end = yield* endOfLine(display, text, to);
  return { start, end, replacement: '' };
}

/** The offset after the end of a line; the end of the text for a last line without a line feed. */
function* endOfLine(display: string, text: string, line: number): Steps<number> {
  let offset = 0;
  for (let count = 0; count < line; count++) {
    if (count % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    if (offset === text.length) throw new ToolError('invalid_arguments', pastEnd(display, count, line));
    const end = text.indexOf('\n', offset);
    offset = end === -1 ? text.length : end + 1;
  }
  return offset;
}

function pastEnd(display: string, count: number, line: number): string {
  return `${display} has ${countOf(count, 'line')}, so there is no line ${line}. Nothing was written. Read it with read_file.`;
}

/** The line ending whose line feed is at an offset; a single line feed if there is none. */
function endingAt(text: string, lineFeed: number): string {
  return text.charAt(lineFeed) === '\n' && text.charAt(lineFeed - 1) === '\r' ? '\r\n' : '\n';
}
