import type { ShowStatus, Status, WriteText } from '../../ports/terminal.ts';

/** A screen whose last line is animated while the program waits. Text is written above it. */
export interface StatusLine {
  readonly write: WriteText;
  readonly showStatus: ShowStatus;
}

/** Ports of a status line. */
export interface StatusLinePorts {
  readonly write: WriteText;
  /** The width of the screen at this moment. */
  readonly columns: () => number;
  /** Milliseconds, for the elapsed time. */
  readonly now: () => number;
  /** Calls `tick` at an interval, without keeping the process alive; returns a function that stops it. */
  readonly repeat: (tick: () => void, everyMs: number) => () => void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;
const ERASE_LINE = '\r\u001b[K';

/** Creates a status line. It is drawn from the first tick on, so that a short wait draws nothing. */
export function createStatusLine({ write, columns, now, repeat }: StatusLinePorts): StatusLine {
  let status: Status | undefined;
  let since = 0;
  let frame = 0;
  let drawn = false;
  // The line under the cursor is empty, so that the status may take it.
  let atLineStart = true;
  let stop: (() => void) | undefined;

  const draw = () => {
    if (status === undefined || !atLineStart) return;
    frame = (frame + 1) % FRAMES.length;
    const seconds = Math.floor((now() - since) / 1000);
    const detail = status.detail === undefined ? '' : `  ${status.detail}`;
    const text = `${FRAMES[frame]} ${status.label} ${seconds} s (Ctrl-C stops)${detail}`;
    drawn = true;
    // A failed write is reported by the next text.
    write(`${ERASE_LINE}${fitInto(text, columns() - 1)}`).catch(() => false);
  };
  const erase = () => {
    const sequence = drawn ? ERASE_LINE : '';
    drawn = false;
    return sequence;
  };

  return {
    async write(text) {
      if (text === '') return write(text);
      atLineStart = text.endsWith('\n');
      return write(`${erase()}${text}`);
    },
    showStatus(next) {
      if (next?.label !== status?.label) since = now();
      status = next;
      if (next !== undefined) {
        stop ??= repeat(draw, FRAME_MS);
        return;
      }
      stop?.();
      stop = undefined;
      if (drawn) write(erase()).catch(() => false);
    },
  };
}

/** The start of a text that takes at most `columns`. Counts two for every character outside ASCII. */
function fitInto(text: string, columns: number): string {
  let width = 0;
  let shown = '';
  for (const character of text) {
    width += character <= '\u007e' ? 1 : 2;
    if (width > columns) break;
    shown += character;
  }
  return shown;
}
