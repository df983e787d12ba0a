import type { Message } from '../../agent/ports/messages.ts';
import type { ServiceRules } from './service-rules.ts';

/** The longest id of a call that OpenAI's chat completions accept. */
const MAX_LENGTH = 40;

/** The form of Mistral's ids. */
const NINE = /^[A-Za-z0-9]{9}$/;

/**
 * The messages with call ids in the form of a service; those in that form stay. A new id depends only on the messages
 * before it, so a longer history keeps its ids.
 */
export function withCallIds(messages: readonly Message[], form: ServiceRules['callIds']): readonly Message[] {
  if (form === 'kept') return messages;
  const isAccepted = (id: string): boolean => (form === 'nine' ? NINE.test(id) : id.length <= MAX_LENGTH);
  const taken = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : [])).map(({ id }) => id),
  );
  if ([...taken].every(isAccepted)) return messages;
  const renamed = new Map<string, string>();
  let count = 0;
  const newId = (id: string): string => {
    if (isAccepted(id)) return id;
    let made = renamed.get(id);
    while (made === undefined || (made !== renamed.get(id) && taken.has(made))) {
      count += 1;
      made = form === 'nine' ? `c${String(count).padStart(8, '0')}` : `${id.slice(0, MAX_LENGTH - 8)}_${count}`;
    }
    renamed.set(id, made);
    return made;
  };
  return messages.map((message) => {
    if (message.role === 'user') return message;
    if (message.role === 'tool') return { ...message, toolCallId: newId(message.toolCallId) };
    if (message.toolCalls.length === 0) return message;
    return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: newId(call.id) })) };
  });
}
