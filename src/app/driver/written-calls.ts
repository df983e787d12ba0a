import type { AgentEvent } from '../../agent/ports/events.ts';
import type { ToolEffect } from '../../agent/ports/tool.ts';
import { WrittenCallReader } from '../../text/json/written-call.ts';

/**
 * The events of a run, in which each piece of a call says what the model has written of it so far. The events have no
 * secrets, so what they say has none.
 */
export async function* withWrittenCalls(
  events: AsyncGenerator<AgentEvent, void, void>,
  effectOf: (toolName: string) => ToolEffect | undefined,
): AsyncGenerator<AgentEvent, void, void> {
  const readers = new Map<string | undefined, WrittenCallReader>();
  for await (const event of events) {
    if (event.type !== 'tool_call_delta') {
      if (ENDS.has(event.type)) readers.clear();
      yield event;
      continue;
    }
    const reader = readers.get(event.callId) ?? new WrittenCallReader();
    readers.set(event.callId, reader);
    const { name: readName, ...read } = reader.add(event.text);
    const name = event.name ?? readName;
    const effect = name === undefined ? undefined : effectOf(name);
    const written = { ...(name !== undefined && { name }), ...(effect !== undefined && { effect }), ...read };
    yield { ...event, written };
  }
}

/** The events with which an answer begins or ends, or a text that was held back is no call. */
const ENDS: ReadonlySet<AgentEvent['type']> = new Set(['turn_start', 'text_delta', 'retry', 'assistant_message']);
