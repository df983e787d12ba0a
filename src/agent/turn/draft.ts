import type { AgentEvent } from '../ports/events.ts';
import type { FinishReason, ModelEvent, ModelIdentity } from '../ports/language-model.ts';
import type { ProviderState } from '../ports/messages.ts';
import { addDelta, writtenPiece } from './assemble-calls.ts';

/** The parts of a message that have arrived. */
export interface Draft {
  /** Number of characters in all parts, in UTF-16 units. */
  readonly length: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: Parameters<typeof addDelta>[0];
  readonly state?: ProviderState;
  readonly finish?: FinishReason;
}

/** The draft of a message before its first piece. */
export const EMPTY_DRAFT: Draft = { length: 0, text: '', reasoning: '', calls: [] };

/** Adds a piece to a message, and yields the visible events. */
export function* addEvent(
  draft: Draft,
  event: ModelEvent,
  {
    turn,
    isTool,
    model,
  }: { readonly turn: number; readonly isTool: (name: string) => boolean; readonly model: ModelIdentity },
): Generator<AgentEvent, Draft, void> {
  switch (event.type) {
    case 'tool_call_delta': {
      const calls = addDelta(draft.calls, event);
      const piece = writtenPiece(draft.calls, calls, event.arguments, turn, isTool);
      if (piece !== undefined) yield { type: 'tool_call_delta', ...piece };
      return { ...draft, length: draft.length + event.arguments.length, calls };
    }
    case 'held_delta':
      yield { type: 'tool_call_delta', text: event.text };
      return draft;
    case 'provider_state':
      return { ...draft, state: event.state };
    case 'finish':
      return { ...draft, finish: event.reason };
    case 'usage':
      yield { ...event, model };
      return draft;
  }
  yield event;
  if (event.type === 'warning') return draft;
  if (event.type === 'retry') return EMPTY_DRAFT;
  const part = event.type === 'text_delta' ? 'text' : 'reasoning';
  return { ...draft, length: draft.length + event.text.length, [part]: draft[part] + event.text };
}
