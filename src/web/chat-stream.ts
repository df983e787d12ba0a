import { jsonObjectIn } from '../text/json/json.ts';
import type { PageEvent } from './session/page-event.ts';
import type { TabEvent } from './session/session-feed.ts';

/** A frame of the answer to a message. */
export interface ChatFrame {
  readonly event: 'text' | 'tool' | 'diff' | 'approval' | 'usage' | 'error' | 'done';
  readonly data: object;
}

const INCOMPLETE = 'This answer was read too slowly: a part of it is missing. GET /events has the session.';

/**
 * The events of one message, from its start to its end, out of those of the session. If its end was dropped before it
 * was read, a problem reports this in place of the rest.
 */
export async function* eventsOf(id: string, steps: AsyncIterable<TabEvent>): AsyncGenerator<PageEvent, void, void> {
  let isOwn = false;
  let isHistory = false;
  let mayBeLost = false;
  for await (const step of steps) {
    if (step.type !== 'event') {
      isHistory = step.type === 'reset';
      mayBeLost = true;
      continue;
    }
    if (isHistory) continue;
    const { event } = step;
    if (event.type === 'message_start') isOwn = event.id === id;
    const isEnd = event.type === 'message_end' && event.id === id;
    // Another message may end within the run, because it was for its next request or was removed.
    if (isEnd || (isOwn && event.type !== 'message_end')) yield event;
    if (isEnd) return;
    // The end of a message comes before the first state without it.
    if (event.type !== 'state' || !mayBeLost) continue;
    mayBeLost = false;
    if (event.running === id || event.queue.some((waiting) => waiting.id === id)) continue;
    yield { type: 'problem', message: INCOMPLETE };
    yield { type: 'message_end', id };
    return;
  }
}

/** Creates the encoder of the answer to one message. Pure but for its state. */
export function createChatEncoder(): (event: PageEvent) => readonly ChatFrame[] {
  /** Length of the text of the current answer that was sent. */
  let sent = 0;
  const calls = new Set<string>();
  const text = (content: string): readonly ChatFrame[] =>
    content === '' ? [] : [{ event: 'text', data: { content } }];
  return (event) => {
    switch (event.type) {
      case 'text_delta':
        sent += event.text.length;
        return text(event.text);
      case 'assistant_message': {
        // A reader that was slow has not got all pieces.
        const rest = event.message.content.slice(sent);
        sent = 0;
        return text(rest);
      }
      case 'retry':
        sent = 0;
        return [];
      case 'tool_call': {
        const { id, name, arguments: given } = event.call;
        // A call that the user has changed is planned again.
        if (calls.has(id)) return [];
        calls.add(id);
        const preview = event.effect?.preview;
        return [
          { event: 'tool', data: { name, input: jsonObjectIn(given) } },
          ...(preview === undefined ? [] : [{ event: 'diff', data: { ...preview } } as const]),
        ];
      }
      case 'question': {
        const { id, digest, request } = event;
        return [{ event: 'approval', data: { id, digest, request } }];
      }
      case 'usage':
        return [{ event: 'usage', data: { input_tokens: event.inputTokens, output_tokens: event.outputTokens } }];
      case 'run_end':
        if (event.outcome === 'done') return [];
        return [{ event: 'error', data: { code: event.error?.code ?? event.outcome, message: event.message } }];
      case 'problem':
        return [{ event: 'error', data: { code: 'failed', message: event.message } }];
      case 'note':
        return text(`${event.text}\n`);
      case 'user_output':
        return text(event.text);
      case 'message_end':
        return [{ event: 'done', data: {} }];
      default:
        return [];
    }
  };
}
