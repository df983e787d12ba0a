import { escapeForTerminal } from '../text/escape.ts';

/** The styles the terminal output uses. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Gives text a style; called with text that is already safe to print. */
export type Palette = (style: Style, text: string) => string;

/** No colour at all. */
export const PLAIN: Palette = (_style, text) => text;

/**
 * Whether output is coloured: the setting `ui.color` allows it, the output is a terminal that understands more than
 * text (`TERM` is not `dumb`), and `NO_COLOR` is not set (an empty value counts as not set).
 */
export function wantsColour(
  setting: boolean,
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return setting && isTerminal && environment['TERM'] !== 'dumb' && (environment['NO_COLOR'] ?? '') === '';
}

/** Text made safe to print, and the end of the chunk that has to wait for the next one. */
export interface EscapedChunk {
  readonly text: string;
  readonly held: string;
}

/**
 * Escapes text that arrives in pieces exactly as if it had come in one: a chunk may end between the halves of a
 * character or between CR and LF, which end a line together. `held` is what the last call held back; pass '' at first.
 */
export function escapeChunk(held: string, chunk: string): EscapedChunk {
  const whole = held + chunk;
  const cut = /[\r\uD800-\uDBFF]$/.test(whole) ? whole.length - 1 : whole.length;
  return { text: escapeForTerminal(whole.slice(0, cut).replaceAll('\r\n', '\n')), held: whole.slice(cut) };
}

/** Text from outside as one line: a line feed in it is shown, not obeyed. */
export function escapeLine(text: string): string {
  return escapeForTerminal(text, { keepNewlines: false });
}
