import type { AgentEvent } from '../../agent/ports/events.ts';
import { isPrompt } from '../../session/log/log-line.ts';
import { receiptRows } from '../../session/writes/receipt-rows.ts';
import { escapeForTerminal, escapeInQuestion, escapeLine } from '../../text/escape.ts';
import type { PageEvent } from './page-event.ts';

/**
 * The event of a run in a workspace as the page gets it, without parts that it does not show; `undefined` if it shows
 * nothing of it.
 */
export function shownEvent(event: AgentEvent, workspace: string): PageEvent | undefined {
  switch (event.type) {
    case 'approval_request':
    case 'checkpoint':
    case 'decision':
    case 'session_start':
    case 'turn_end':
    case 'user_action':
      return undefined;
    case 'user_message': {
      if (!isPrompt(event) && event.steered !== true) return undefined;
      const { images: _images, ...rest } = event;
      return rest;
    }
    case 'assistant_message': {
      const { providerState: _state, ...message } = event.message;
      return { ...event, message };
    }
    case 'tool_call_delta':
      // The page shows only what has been written so far.
      return event.written === undefined ? undefined : visibleEvent({ ...event, text: '' });
    case 'tool_result': {
      const { images: _images, files: _files, ...rest } = event;
      return visibleEvent(rest);
    }
    case 'tool_call':
      return visibleEvent(event);
    case 'compaction':
      return event.rewind === undefined ? { ...event, messages: [] } : { type: 'rewind', ...event.rewind };
    case 'receipt': {
      const rows = receiptRows(event, workspace);
      const hint = event.files.length > 0 ? ['/undo puts the files back.'] : [];
      return rows.length === 0 ? undefined : { type: 'receipt_rows', rows: [...rows.map(escapeLine), ...hint] };
    }
    default:
      return event;
  }
}

/**
 * The event with every character in its texts that could make one look like another: control characters and those that
 * turn the direction of a line. What a user agrees to must be what is seen.
 */
export function visibleEvent<Event extends PageEvent>(event: Event): Event {
  // Names and texts of the same kind stay; only characters in them change.
  const text = JSON.stringify(event, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    // A diff may be of prose, which has spaces of other widths.
    const show =
      (event.type === 'question' || event.type === 'form') && key !== 'unified' ? escapeInQuestion : escapeForTerminal;
    return show(value, { keepMarks: true });
  });
  return JSON.parse(text);
}
