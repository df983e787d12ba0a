import type { Message } from '../../agent/ports/messages.ts';
import type { ServiceRules } from './service-rules.ts';

/** The longest id of a call that OpenAI's chat completions accept. */
const MAX_LENGTH = 40;

/** The ids of each form. Claude accepts those of `plain`, also behind a service with chat completions; `nine` is Mistral's. */
const ACCEPTED = { short: /^.{0,40}$/s, plain: /^[\w-]{1,40}$/, nine: /^[A-Za-z0-9]{9}$/ } as const;

/**
 * The messages with call ids in the form of a service; those in that form stay. A new id depends only on the messages
 * before it, so a longer history keeps its ids.
 */
export function withCallIds(messages: readonly Message[], form: ServiceRules['callIds']): readonly Message[] {
  if (form === 'kept') return messages;
  const isAccepted = (id: string): boolean => ACCEPTED[form].test(id);
  const taken = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : [])).map(({ id }) => id),
  );
  if ([...taken].every(isAccepted)) return messages;
  const start = (id: string): string => (form === 'plain' ? id.replace(/[^\w-]/g, '_') : id);
  const renamed = new Map<string, string>();
  let count = 0;
  const newId = (id: string): string => {
    if (isAccepted(id)) return id;
    let made = renamed.get(id);
    while (made === undefined || (made !== renamed.get(id) && taken.has(made))) {
      count += 1;
      made = form === 'nine' ? `c${String(count).padStart(8, '0')}` : `${start(id).slice(0, MAX_LENGTH - 8)}_${count}`;
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
