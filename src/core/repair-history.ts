import type { AssistantMessage, Message, ToolMessage } from '../ports/messages.ts';

/** What the model reads in place of a result that never came. */
export const MISSING_RESULT = 'Not executed: the run ended before this call was started.';

/**
 * Makes a history that any provider accepts: every tool call has exactly one result, right after the message that
 * made it and in the order of the calls; results that belong to no call are dropped, as are answers without any
 * content. Pure and idempotent; a history that is right comes back equal.
 */
export function repairHistory(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, position): readonly Message[] => {
    if (message.role === 'user') return [message];
    if (message.role === 'tool' || isEmptyAnswer(message)) return [];
    return [message, ...resultsOf(message, followers(messages, position))];
  });
}

/** An answer that no history holds, because providers refuse it: neither text nor calls. */
export function isEmptyAnswer(message: AssistantMessage): boolean {
  return message.content === '' && message.toolCalls.length === 0;
}

/** The tool results between this answer and the next one. */
function followers(messages: readonly Message[], position: number): ToolMessage[] {
  const rest = messages.slice(position + 1);
  const end = rest.findIndex((message) => message.role === 'assistant');
  return (end === -1 ? rest : rest.slice(0, end)).filter((message) => message.role === 'tool');
}

function resultsOf(message: AssistantMessage, results: readonly ToolMessage[]): ToolMessage[] {
  return message.toolCalls.map(
    (call) =>
      results.find((result) => result.toolCallId === call.id) ?? {
        role: 'tool',
        toolCallId: call.id,
        content: MISSING_RESULT,
        isError: true,
      },
  );
}
