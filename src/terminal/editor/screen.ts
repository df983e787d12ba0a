import type { ShowStatus, Status, WriteText } from '../../app/terminal.ts';
import { LINE_MARK } from '../../text/escape.ts';
import { columnsOf, loadWidths, maxWidth, textWidth } from '../../text/width.ts';
import { clipboardSequence, type Multiplexer } from './clipboard.ts';
import { type Drawing, fitInto, type Space } from './draw.ts';
import { isMarked, wrapMarkedLines } from './wrap-marked.ts';

/**
 * A screen whose last rows are redrawn in place: a line that is being typed, below it the status of what the program
 * waits for, and below that facts about the session. Text is written above them, also text without a line end; lines of
 * ybs are wrapped so that each row has the mark.
 */
export interface Screen {
  readonly write: WriteText;
  readonly showStatus: ShowStatus;
  /** Draws the result of `view` from now on, and after each change of the size. */
  setView(view: ((space: Space) => Drawing | undefined) | undefined): void;
  /** Shows facts in the last row, in this style; those at the end only where they fit. */
  showFacts(facts: readonly string[], style: (text: string) => string): void;
  /** Rings the bell when a status ends that has lasted long; `undefined` never rings it. */
  setBell(bell: Bell | undefined): void;
  /** Sets the title of the window; `undefined` restores the previous one. */
  setTitle(title: string | undefined): void;
  /** Copies a text to the clipboard of the terminal. */
  copy(text: string): void;
  /** The size of the screen at this moment. */
  readonly size: () => Space;
  /** Draws the rows again. */
  refresh(): void;
  /** Draws nothing until `show`, because another program has the terminal; what is written meanwhile waits. */
  hide(): void;
  show(): void;
  /** Clears the whole screen, and draws the rows at its top. */
  clear(): void;
}

/** A sign that a long wait has ended. */
export interface Bell {
  readonly afterMs: number;
  /** Text of a notification that the terminal shows, in place of the bell. Safe to print. */
  readonly notification?: string | undefined;
}

export interface ScreenPorts {
  readonly write: WriteText;
  /** The text in characters that the terminal shows, which may be longer. Absent: it shows all. */
  readonly legible?: (text: string) => string;
  /** The program between ybs and the terminal. */
  readonly multiplexer?: Multiplexer | undefined;
  /** The size of the screen at this moment. */
  readonly size: () => Space;
  /** Milliseconds, for the elapsed time. */
  readonly now: () => number;
  /** Calls `tick` at an interval, without keeping the process alive; returns a function that stops it. */
  readonly repeat: (tick: () => void, everyMs: number) => () => void;
}

/** The rows that are on the screen. */
interface Drawn {
  readonly rows: readonly string[];
  /** Width of the screen at that time. */
  readonly columns: number;
  readonly cursor: Drawing['cursor'];
  /** The row above them has text without a line end. */
  readonly isBelowText: boolean;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Time after which a changed status is drawn. */
const DRAW_MS = 40;
/** The number of those times after which the sign of a status moves. */
const DRAWS_PER_FRAME = 3;
/** Time without anything new after which a status says that the program waits. */
const QUIET_MS = 3_000;
/** Height of a screen from which on the rows of a status are shown. */
const ROWS_FOR_DETAILS = 12;
const ERASE_BELOW = '\u001b[J';
/** Rows that are too wide are cut: a terminal can be narrower already than the last size that is known. */
const CUT_ROWS = '\u001b[?7l';
const WRAP_ROWS = '\u001b[?7h';
const ERASE_REST_OF_ROW = '\u001b[K';
const DOWN = '\u001b[B';
/** The cursor may be at the bottom of a screen that has become lower, so that it cannot go as far down as back up. */
const SAVE_CURSOR = '\u001b7';
const RESTORE_CURSOR = '\u001b8';
const CLEAR_SCREEN = '\u001b[H\u001b[2J';
const BELL = '\u0007';
/** Control sequences that keep the title of the window, and set the kept one again. */
const PUSH_TITLE = '\u001b[22;2t';
const POP_TITLE = '\u001b[23;2t';
const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '');
const toColumn = (column: number): string => (column > 0 ? `\r\u001b[${column}C` : '\r');

const asItIs = (text: string): string => text;

/** Creates a screen. A status is drawn from the first tick on, so that a short wait draws nothing. */
export function createScreen({ write, size, now, repeat, multiplexer, legible = asItIs }: ScreenPorts): Screen {
  let view: ((space: Space) => Drawing | undefined) | undefined;
  let status: Status | undefined;
  let since = 0;
  /** The time of the last status. */
  let shownAt = 0;
  /** The time since which there has been a status. */
  let busySince: number | undefined;
  let bell: Bell | undefined;
  let facts: ((columns: number) => string) | undefined;
  let hasTitle = false;
  let ticks = 0;
  let ticked = false;
  /** The status has changed since it was drawn. */
  let isStale = false;
  let stop: (() => void) | undefined;
  let hidden = false;
  /** Text that was written while the screen was hidden. */
  let held = '';
  let drawn: Drawn | undefined;
  /** Columns of the text after the last line feed that was written, however many rows it takes. */
  let lineWidth = 0;
  let hasDrawn = false;

  /** Loads exact widths with the first drawing, which does not wait for them. If that fails, the estimates stay. */
  const measureExactly = (): void => {
    if (hasDrawn) return;
    hasDrawn = true;
    loadWidths().then(
      (wasEstimated) => wasEstimated && refresh(),
      () => undefined,
    );
  };

  const statusRows = ({ columns, rows }: Space): readonly string[] => {
    if (status === undefined || !ticked) return [];
    const { label, size, detail, quiet } = status;
    const isQuiet = quiet !== undefined && now() - shownAt >= QUIET_MS;
    const seconds = Math.floor((now() - (isQuiet ? shownAt : since)) / 1000);
    const shown = isQuiet ? quiet : `${label}${size === undefined ? '' : ` (${size})`}`;
    const text = `${FRAMES[Math.floor(ticks / DRAWS_PER_FRAME) % FRAMES.length]} ${shown} ${seconds} s (Esc stops)${detail === undefined ? '' : `  ${detail}`}`;
    const below = rows < ROWS_FOR_DETAILS ? [] : (status.rows ?? []).map((row) => `  ${row}`);
    return [text, ...below].map((row) => fitInto(`${LINE_MARK} ${row}`, columns - 1));
  };

  const drawing = (space: Space): Drawing | undefined => {
    const status = statusRows(space);
    // Below the line, because rows above the cursor can remain on the screen after a resize.
    const below = [...status, ...(facts === undefined ? [] : [facts(space.columns - 1)])];
    const typed = view?.({ ...space, rows: space.rows - below.length - 1 });
    if (typed === undefined && status.length === 0) return undefined;
    const { rows, cursor } = typed ?? { rows: [], cursor: { row: 0, column: 0 } };
    const before = fitInto(rows[cursor.row] ?? '', cursor.column);
    const shift = textWidth(legible(before)) - textWidth(before);
    return {
      rows: [...rows, ...below].map(legible),
      cursor: { row: cursor.row, column: Math.min(cursor.column + shift, space.columns - 1) },
    };
  };

  /**
   * Moves to the place of the first row. After a change of the width, some terminals have wrapped the rows and others
   * have cut them. Only one row for each row above the cursor is certain, and rows that may be text are kept.
   */
  const toTop = (columns: number): string => {
    if (drawn === undefined) return '';
    const { cursor } = drawn;
    // If the text or the rows above the cursor may be wrapped, the end of the text is unknown. It continues in a new row.
    const isCertain = cursor.row === 0 && lineWidth <= Math.min(drawn.columns, columns);
    if (drawn.columns !== columns && !isCertain) lineWidth = 0;
    return `${up(cursor.row)}\r`;
  };

  /** Erases the rows and returns to the end of the text. */
  const erase = (columns: number): string => {
    const start = toTop(columns);
    if (drawn === undefined) return start;
    const back = drawn.isBelowText && lineWidth > 0 ? `${up(1)}${toColumn(lineWidth % columns)}` : '';
    // At the top of the screen, some terminals would keep rows that one sequence erases together.
    const rows = drawn.rows.map(() => ERASE_REST_OF_ROW).join(DOWN);
    drawn = undefined;
    return `${start}${SAVE_CURSOR}${rows}${RESTORE_CURSOR}${ERASE_BELOW}${back}`;
  };

  /** Draws the rows where the cursor is: at the end of the text, or in the place of the rows before. */
  const paint = (space: Space): string => {
    // A cursor after the last column is in no column that one could return to.
    const isAtEdge = lineWidth > 0 && lineWidth % space.columns === 0;
    const shown = hidden || isAtEdge ? undefined : drawing(space);
    if (shown === undefined) return erase(space.columns);
    const { rows, cursor } = shown;
    // If wrapped rows were only written over, the terminal would join them in the next width.
    const again = `${toTop(space.columns)}${drawn?.columns === space.columns ? '' : ERASE_BELOW}`;
    const isBelowText = lineWidth > 0;
    const start = drawn === undefined ? (isBelowText ? '\n' : '') : again;
    drawn = { rows, columns: space.columns, cursor, isBelowText };
    measureExactly();
    const back = `${up(rows.length - 1 - cursor.row)}${toColumn(cursor.column)}`;
    const painted = rows.map((row) => `${row}${ERASE_REST_OF_ROW}`).join('\n');
    return `${start}${CUT_ROWS}${painted}${ERASE_BELOW}${WRAP_ROWS}${back}`;
  };

  const control = (sequence: string): void => {
    // A failed write is reported by the next text.
    if (sequence !== '') write(sequence).catch(() => false);
  };

  const refresh = (): void => control(paint(size()));

  const ring = ({ notification }: Bell): void =>
    control(notification === undefined ? BELL : `\u001b]9;${notification}${BELL}`);

  const tick = (): void => {
    ticks++;
    const moves = ticks % DRAWS_PER_FRAME === 0;
    if (!moves && !(ticked && isStale)) return;
    ticked = true;
    isStale = false;
    refresh();
  };

  const writeText: WriteText = async (unwrapped) => {
    if (unwrapped === '') return write(unwrapped);
    if (hidden) {
      held += `${/[^\n]$/.test(held) && isMarked(unwrapped) ? '\n' : ''}${unwrapped}`;
      return true;
    }
    const space = size();
    const text = `${lineWidth > 0 && isMarked(unwrapped) ? '\n' : ''}${wrapMarkedLines(legible(unwrapped), space.columns)}`;
    const before = erase(space.columns);
    const end = text.lastIndexOf('\n');
    lineWidth = end < 0 ? lineWidth + columnsOf(text) : columnsOf(text.slice(end + 1));
    return write(`${before}${text}${paint(space)}`);
  };

  return {
    write: writeText,
    showStatus(next) {
      shownAt = now();
      if (next?.label !== status?.label) since = shownAt;
      status = next;
      isStale = true;
      if (next !== undefined) {
        busySince ??= now();
        stop ??= repeat(tick, DRAW_MS);
        return;
      }
      if (bell !== undefined && busySince !== undefined && now() - busySince >= bell.afterMs) ring(bell);
      busySince = undefined;
      stop?.();
      stop = undefined;
      ticks -= ticks % DRAWS_PER_FRAME;
      ticked = false;
      refresh();
    },
    setView(next) {
      view = next;
      refresh();
    },
    showFacts(given, style) {
      facts = (columns) => style(fitInto(`${LINE_MARK} ${factsWithin(given, columns - 2)}`, columns));
      refresh();
    },
    setBell(next) {
      bell = next;
    },
    setTitle(title) {
      if (title === undefined && !hasTitle) return;
      const before = hasTitle ? '' : PUSH_TITLE;
      control(`${before}\u001b]2;${title ?? ''}${BELL}${title === undefined ? POP_TITLE : ''}`);
      hasTitle = title !== undefined;
    },
    copy: (text) => control(clipboardSequence(text, multiplexer)),
    size,
    refresh,
    hide() {
      // The output of the other program does not continue the text.
      const sequence = `${erase(size().columns)}${lineWidth > 0 ? '\n' : ''}`;
      lineWidth = 0;
      hidden = true;
      control(sequence);
    },
    show() {
      const text = held;
      hidden = false;
      held = '';
      if (text === '') refresh();
      else writeText(text).catch(() => false);
    },
    clear() {
      const space = size();
      const erased = erase(space.columns);
      lineWidth = 0;
      control(`${erased}${CLEAR_SCREEN}${paint(space)}`);
    },
  };
}

/** As many facts as fit, and at least the first one. */
function factsWithin(facts: readonly string[], columns: number): string {
  const text = facts.join(' · ');
  return facts.length <= 1 || maxWidth(text) <= columns ? text : factsWithin(facts.slice(0, -1), columns);
}
