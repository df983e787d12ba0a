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
