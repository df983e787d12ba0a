import type { Palette } from '../../../src/app/terminal.ts';
import { highlightLines } from '../../../src/terminal/markdown/highlight.ts';
import type { MarkdownScreen } from '../../../src/terminal/markdown/state.ts';
import { endMarkdown, MARKDOWN_START, renderMarkdown } from '../../../src/terminal/markdown/stream.ts';
import { loadWidths } from '../../../src/text/width.ts';

await loadWidths();

/** Marks each style, such as `<bold>text</bold>`. */
export const TAGS: Palette = (style, text) => `<${style}>${text}</${style}>`;

/** Shows no styles. */
export const NO_STYLES: Palette = (_style, text) => text;

/** The rows of a text in Markdown that arrives in these pieces. */
export function markdownRows(pieces: readonly string[], screen: Partial<MarkdownScreen> = {}): readonly string[] {
  const whole: MarkdownScreen = { width: 60, palette: NO_STYLES, highlight: highlightLines, ...screen };
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
