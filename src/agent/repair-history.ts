import type { AssistantMessage, Message, ToolMessage } from './ports/messages.ts';

/** Content of the result that replaces a missing one. */
export const MISSING_RESULT = 'Not executed: the run ended before this call was started.';

/**
 * Makes a history that any provider accepts: every tool call has exactly one result, right after the message that
 * made it and in the order of the calls; results without a call and empty answers are dropped. Pure, idempotent and
 * linear; a valid history is returned itself.
 */
export function repairHistory(messages: readonly Message[]): readonly Message[] {
  if (isValid(messages)) return messages;
  const repaired: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') repaired.push(message);
    if (message.role === 'assistant' && !isEmptyAnswer(message)) {
      repaired.push(message, ...resultsOf(message, resultsFrom(messages, index + 1)));
    }
  }
  return repaired;
}

/** True if nothing needs repair. Allocates almost nothing, because each request checks the whole history. */
function isValid(messages: readonly Message[]): boolean {
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message?.role === 'tool') return false;
    if (message?.role !== 'assistant') continue;
    const { toolCalls } = message;
    // Calls with the same id share a result.
    const isDistinct = toolCalls.length < 2 || new Set(toolCalls.map(({ id }) => id)).size === toolCalls.length;
    if (isEmptyAnswer(message) || !isDistinct) return false;
    for (const { id } of toolCalls) {
      index += 1;
      const result = messages[index];
      if (result?.role !== 'tool' || result.toolCallId !== id) return false;
    }
  }
  return true;
}

/** True for an answer without text and without calls, which providers reject in a history. */
export function isEmptyAnswer(message: AssistantMessage): boolean {
  return message.content === '' && message.toolCalls.length === 0;
}

/** The tool results from `start` to the next answer, by the id of their call; the first result with an id wins. */
function resultsFrom(messages: readonly Message[], start: number): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (let index = start; ; index += 1) {
    const message = messages[index];
    if (message === undefined || message.role === 'assistant') return results;
    if (message.role === 'tool' && !results.has(message.toolCallId)) results.set(message.toolCallId, message);
  }
}

function resultsOf(message: AssistantMessage, results: ReadonlyMap<string, ToolMessage>): ToolMessage[] {
  return message.toolCalls.map(
    ({ id }) => results.get(id) ?? { role: 'tool', toolCallId: id, content: MISSING_RESULT, isError: true },
  );
}
