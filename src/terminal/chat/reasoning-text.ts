import { clusters, maxWidth, unitsOf } from '../../text/width.ts';

/** Reasoning, or an answer that is not Markdown, as far as it has arrived. */
export interface ReasoningState {
  /** The columns of the row that are shown. */
  readonly column: number;
  /** The spaces after them, and the word behind, which are not shown yet: both can still become part of the next row. */
  readonly spaces: string;
  readonly word: string;
}

/** The state before the first text. */
export const REASONING_START: ReasoningState = { column: 0, spaces: '', word: '' };

const TAB_WIDTH = 8;

/**
 * Wraps a piece of it at words, which are shown when they are complete. Longer words are divided, because a row
 * of the terminal's own could look like a message of the user; a row that would begins with a backslash. The text must
 * be escaped.
 */
export function wrapReasoning(
  state: ReasoningState,
  piece: string,
  width: number,
): { readonly state: ReasoningState; readonly text: string } {
  let { column, spaces, word } = state;
  let text = '';
  const show = (): void => {
    const shown = showWord({ column, spaces, word }, width);
    text += shown.text;
    if (word !== '') ({ column, spaces, word } = { column: shown.column, spaces: '', word: '' });
  };
  for (const [part] of piece.matchAll(/\n|[ \t]+|[^ \t\n]+/g)) {
    if (part === '\n') {
      show();
      text += '\n';
      ({ column, spaces, word } = REASONING_START);
    } else if (/^[ \t]/.test(part)) {
      show();
      spaces += part;
    } else {
      const parts = partsOf(word + part, width);
      for (const complete of parts.slice(0, -1)) {
        word = complete;
        show();
      }
      word = parts.at(-1) ?? '';
    }
  }
  return { state: { column, spaces, word }, text };
}

/** The text of the last word. */
export function endReasoning(state: ReasoningState, width: number): string {
  return showWord(state, width).text;
}

/** True if the next text begins a line. */
export function isAtLineStart({ column, spaces, word }: ReasoningState): boolean {
  return column === 0 && spaces === '' && word === '';
}

function showWord(
  { column, spaces, word }: ReasoningState,
  width: number,
): { readonly text: string; readonly column: number } {
  if (word === '') return { text: '', column };
  const start = columnAfter(spaces, column);
  if (start > 0 && start + maxWidth(word) > width) {
    const shown = withoutPrompt(word);
    return { text: `${column > 0 ? '\n' : ''}${shown}`, column: maxWidth(shown) };
  }
  const shown = start === 0 ? withoutPrompt(word) : word;
  return { text: spaces + shown, column: start + maxWidth(shown) };
}

/** The parts of a word between which a row may end. Each fits into a row. */
function partsOf(word: string, width: number): readonly string[] {
  return unitsOf(word).flatMap((unit) => {
    if (maxWidth(withoutPrompt(unit)) <= width) return [unit];
    const parts: string[] = [];
    for (const cluster of clusters(unit)) {
      const longer = (parts.at(-1) ?? '') + cluster;
      if (parts.length > 0 && maxWidth(withoutPrompt(longer)) <= width) parts[parts.length - 1] = longer;
      else parts.push(cluster);
    }
    return parts;
  });
}

function withoutPrompt(word: string): string {
  return word.startsWith('>') ? `\\${word}` : word;
}

function columnAfter(spaces: string, column: number): number {
  return spaces
    .split('')
    .reduce((at, space) => (space === '\t' ? (Math.floor(at / TAB_WIDTH) + 1) * TAB_WIDTH : at + 1), column);
}
