import { highlightLines } from '../../src/markdown/highlight.ts';
import type { Screen } from '../../src/markdown/state.ts';
import { endMarkdown, MARKDOWN_START, renderMarkdown } from '../../src/markdown/stream.ts';
import type { Palette } from '../../src/ports/terminal.ts';
import { loadWidths } from '../../src/text/width.ts';

await loadWidths();

/** Marks each style, such as `<bold>text</bold>`. */
export const TAGS: Palette = (style, text) => `<${style}>${text}</${style}>`;

/** Shows no styles. */
export const NO_STYLES: Palette = (_style, text) => text;

/** The rows of a text in Markdown that arrives in these pieces. */
export function markdownRows(pieces: readonly string[], screen: Partial<Screen> = {}): readonly string[] {
  const whole: Screen = { width: 60, palette: NO_STYLES, highlight: highlightLines, ...screen };
  let state = MARKDOWN_START;
  let text = '';
  for (const piece of pieces) {
    const rendered = renderMarkdown(state, piece, whole);
    state = rendered.state;
    text += rendered.text;
  }
  text += endMarkdown(state, whole);
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
