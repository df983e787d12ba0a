import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Task } from '../../agent/ports/tool.ts';
import type { ShowEvent } from '../../app/driver/session-driver.ts';
import type { Palette, WriteText } from '../../app/terminal.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { takeStart } from '../../text/truncate.ts';
import { loadWidths } from '../../text/width.ts';
import type { MarkdownScreen } from '../markdown/state.ts';
import { escapeChunk, escapeLine, PLAIN, type UserConsole } from '../output.ts';
import { type Activity, activityOf } from './activity.ts';
import { isInText, type MarkdownView } from './answer-text.ts';
import { showHidden } from './folded.ts';
import { RENDER_START, type RenderSettings, renderEvent } from './render.ts';

/** The runs of a chat as text for people. */
export interface TextView {
  /**
   * Shows the events of a run, and what it waits for between them. `tasks` is the list of tasks that the user has seen,
   * which is not shown again until it changes.
   */
  readonly showRun: (tasks?: readonly Task[]) => ShowEvent;
  /** Shows the lines that are hidden; during an answer, after it. */
  readonly unfold: () => Promise<unknown>;
}

/** More than fits into the row of the status, in UTF-16 units. */
const MAX_DETAIL = 1_000;

/** Creates the view of the runs of a chat. */
export function createTextView(
  { write, showStatus }: Pick<UserConsole, 'write' | 'showStatus'>,
  settings: RenderSettings,
): TextView {
  let state = RENDER_START;
  let activity: Activity | undefined;
  /** The user has asked for hidden lines during an answer. */
  let unfolding = false;
  const loadMarkdown =
    settings.columns === undefined || settings.palette === PLAIN
      ? undefined
      : createMarkdownLoader(settings.palette, settings.columns);
  const unfold = async (): Promise<unknown> => {
    unfolding = isInText(state.answer);
    if (unfolding) return;
    const shown = showHidden(state, settings.palette);
    state = shown.state;
    return write(shown.text);
  };
  const show: ShowEvent = async (event) => {
    const markdown = await loadMarkdown?.(event);
    const rendered = renderEvent(state, event, { ...settings, markdown });
    state = rendered.state;
    activity = activityOf(event, activity);
    const written = write(rendered.text);
    const line = escapeLine(takeStart(state.output.line, MAX_DETAIL));
    showStatus(activity === undefined ? undefined : { ...activity, detail: line === '' ? undefined : line });
    const isOpen = await written;
    if (unfolding) await unfold();
    return isOpen;
  };
  return {
    showRun(tasks = []) {
      state = { ...state, tasks };
      activity = undefined;
      return show;
    },
    unfold,
  };
}

/**
 * Shows the events of one run as text for people. `writeReasoning` takes the reasoning, so that it is no part of the text
 * that a pipe gets.
 */
export function showAsText(
  ports: Pick<UserConsole, 'write' | 'showStatus'>,
  settings: RenderSettings,
  writeReasoning?: WriteText,
): ShowEvent {
  const show = createTextView(ports, settings).showRun();
  if (writeReasoning === undefined) return show;
  let pending = '';
  let isOpen = false;
  return async (event) => {
    if (event.type === 'reasoning_delta') {
      const chunk = escapeChunk(pending, event.text);
      ({ pending } = chunk);
      isOpen = true;
      return writeReasoning(chunk.text);
    }
    if (isOpen) await writeReasoning(`${escapeForTerminal(pending)}\n`);
    isOpen = false;
    pending = '';
    return show(event);
  };
}

/**
 * Shows only the answer of a run, once it is complete. Warnings, and the reason of a run without an answer, go to
 * standard error.
 */
export function showAnswer({ write, warn }: Pick<UserConsole, 'write' | 'warn'>): ShowEvent {
  let answer = '';
  return async (event) => {
    if (event.type === 'assistant_message') answer = event.message.content;
    if (event.type === 'warning') await warn(event.message);
    if (event.type !== 'run_end') return true;
    if (event.outcome === 'done')
      return write(escapeForTerminal(answer.replaceAll('\r\n', '\n'), { keepMarks: true }).replace(/\n*$/, '\n'));
    await warn(event.message);
    return true;
  };
}

/**
 * Creates a function that returns the view of answers for an event: it loads the renderer with the first answer, and the
 * highlighter with the first block of code. `columns` is the width of the screen at this moment.
 */
function createMarkdownLoader(
  palette: Palette,
  columns: () => number,
): (event: AgentEvent) => Promise<MarkdownView | undefined> {
  let view: MarkdownView | undefined;
  let highlight: MarkdownScreen['highlight'];
  let end = '';
  return async (event) => {
    if (event.type !== 'text_delta') return view;
    const screen = (): MarkdownScreen => ({ palette, width: columns(), highlight });
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
