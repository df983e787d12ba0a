import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Palette } from '../../app/terminal.ts';
import { loadWidths } from '../../text/width.ts';
import type { Screen } from '../markdown/state.ts';
import type { MarkdownView } from './answer-text.ts';

/**
 * Creates a function that returns the view of answers for an event: it loads the renderer with the first answer, and the
 * highlighter with the first block of code. `columns` is the width of the screen at this moment.
 */
export function createMarkdownLoader(
  palette: Palette,
  columns: () => number,
): (event: AgentEvent) => Promise<MarkdownView | undefined> {
  let view: MarkdownView | undefined;
  let highlight: Screen['highlight'];
  let end = '';
  return async (event) => {
    if (event.type !== 'text_delta') return view;
    const screen = (): Screen => ({ palette, width: columns(), highlight });
    if (view === undefined) {
      const [{ MARKDOWN_START, renderMarkdown, endMarkdown }] = await Promise.all([
        import('../markdown/stream.ts'),
        loadWidths(),
      ]);
      view = {
        start: MARKDOWN_START,
        render: (state, piece) => renderMarkdown(state, piece, screen()),
        end: (state) => endMarkdown(state, screen()),
      };
    }
    const text = end + event.text;
    end = text.slice(-2);
    if (highlight === undefined && /`{3}|~{3}/.test(text)) {
      highlight = (await import('../markdown/highlight.ts')).highlightLines;
    }
    return view;
  };
}
