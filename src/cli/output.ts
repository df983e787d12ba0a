import type { Palette, Terminal, WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';

/** The user's side of the process: its streams and its signals. */
export interface UserConsole {
  /** Writes to standard output. */
  readonly write: WriteText;
  /** A person sits at standard input and output. */
  readonly interactive: boolean;
  /** Styles of standard output, where `allowed` and the output has them. */
  readonly palette: (allowed: boolean) => Palette;
  /** Opens standard input. */
  readonly openTerminal: () => Promise<Terminal>;
  /** Calls `listener` when the process is told to stop; returns a function that unsubscribes it. */
  readonly onStop: (listener: () => void) => () => void;
}

/** Text without styles. */
export const PLAIN: Palette = (_style, text) => text;

/**
 * True when output is coloured: `ui.color` allows it, the output is a terminal that understands more than text (`TERM`
 * is not `dumb`), and `NO_COLOR` is not set (an empty value counts as not set).
 */
export function wantsColour(
  allowed: boolean,
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return allowed && isTerminal && environment['TERM'] !== 'dumb' && (environment['NO_COLOR'] ?? '') === '';
}

/** Text that is safe to print, and the rest of the chunk that has to wait for the next one. */
export interface EscapedChunk {
  readonly text: string;
  readonly pending: string;
}

/**
 * Escapes text that arrives in pieces exactly as if it had arrived in one: a chunk may end between the halves of a
 * character or between CR and LF, which end a line together. `pending` is the rest of the last call, '' at first.
 */
export function escapeChunk(pending: string, chunk: string): EscapedChunk {
  const whole = pending + chunk;
  const cut = /[\r\uD800-\uDBFF]$/.test(whole) ? whole.length - 1 : whole.length;
  return { text: escapeForTerminal(whole.slice(0, cut).replaceAll('\r\n', '\n')), pending: whole.slice(cut) };
}

/** Untrusted text as one line: a line feed in it is escaped, too. */
export function escapeLine(text: string): string {
  return escapeForTerminal(text, { keepNewlines: false });
}
