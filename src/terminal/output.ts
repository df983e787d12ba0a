import type { Palette, Terminal, WriteText } from '../app/terminal.ts';
import { escapeForTerminal, LINE_MARK, unfinishedStart } from '../text/escape.ts';
import type { Screen } from './editor/screen.ts';
import type { ChatKeyboard } from './editor/terminal-ports.ts';

export { escapeLine } from '../text/escape.ts';

/** The connection to the user: the standard streams and the signals of the process. */
export interface UserConsole
  extends Pick<Screen, 'write' | 'showStatus' | 'showFacts' | 'setBell' | 'setTitle'>,
    Partial<Pick<Screen, 'copy'>> {
  /** Writes a warning to standard error. */
  readonly warn: (message: string) => Promise<unknown>;
  /**
   * Writes text that is not a result to standard error. Absent where standard output is a terminal, which shows all.
   */
  readonly writeAside?: WriteText | undefined;
  /** Standard input and output are terminals. */
  readonly interactive: boolean;
  /** The words with which the user starts ybs, if they are not `ybs`. */
  readonly program?: string | undefined;
  /** Palette of standard output; plain unless colours are `allowed` and supported. */
  readonly palette: (allowed: boolean) => Palette;
  /** The number of columns of the screen at this moment. */
  readonly columns: () => number;
  /** Standard input is a terminal. */
  readonly typesInput: boolean;
  /** Reads standard input to its end. Rejects with `UsageError` when it cannot be used, and when `signal` aborts. */
  readonly readInput: (signal: AbortSignal) => Promise<string>;
  /** Reads the lines of standard input as they arrive; `onWait`: none is left. Rejects like `readInput`. */
  readonly readLines: (signal: AbortSignal, onWait?: () => void) => AsyncIterable<string>;
  /** Opens the terminal, for the messages of a chat or for questions only; only where `interactive`. */
  readonly openTerminal: (chat?: ChatKeyboard) => Promise<Terminal>;
  /** Calls `listener` when a signal asks the process to stop; returns a function that unsubscribes it. */
  readonly onStop: (listener: () => void) => () => void;
}

/** The width of rows for people to read; a pipe gets whole lines. */
export function rowWidth({ interactive, columns }: Pick<UserConsole, 'interactive' | 'columns'>): number {
  return interactive ? columns() : Number.POSITIVE_INFINITY;
}

/** The part of an output in which no row can be redrawn. */
export const NO_SCREEN = { showStatus: () => {}, showFacts: () => {}, setBell: () => {}, setTitle: () => {} };

export const PLAIN: Palette = (_style, text) => text;

/**
 * True when output is coloured: `ui.color` allows it, the output is a terminal whose `TERM` is not `dumb`, and
 * `NO_COLOR` is not set (an empty value counts as not set). `FORCE_COLOR` decides instead of terminal and `NO_COLOR`: 0
 * and false are no, any other value is yes.
 */
export function wantsColour(
  allowed: boolean,
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = environment['FORCE_COLOR'] ?? '';
  if (forced !== '') return allowed && !/^(?:0|false)$/i.test(forced);
  return allowed && isTerminal && environment['TERM'] !== 'dumb' && (environment['NO_COLOR'] ?? '') === '';
}

/** Text that is safe to print, and the rest of the chunk, which must precede the next one. */
export interface EscapedChunk {
  readonly text: string;
  readonly pending: string;
}

/**
 * Escapes text that arrives in chunks exactly as if it had arrived at once: a chunk may end between the halves of a
 * surrogate pair, within an emoji or between CR and LF. `pending` is the rest of the last call, '' at first.
 */
export function escapeChunk(pending: string, chunk: string): EscapedChunk {
  const whole = pending + chunk;
  const cut = whole.endsWith('\r') ? whole.length - 1 : unfinishedStart(whole);
  return { text: escapeForTerminal(whole.slice(0, cut).replaceAll('\r\n', '\n')), pending: whole.slice(cut) };
}

/** Lines of ybs, each with the mark that no text of the model or of a command has. */
export function markLines(text: string, palette: Palette): string {
  const mark = palette('cyan', LINE_MARK);
  return text.replaceAll(/(.*)\n/g, (_row, content: string) => `${mark}${content === '' ? '' : ` ${content}`}\n`);
}
