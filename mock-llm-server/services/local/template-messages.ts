import type { JsonObject } from '../../conversation/conversation.ts';
import { isSet } from '../checks/fields.ts';
import { objectsOf, oncePerBody, textOf } from '../raw.ts';
import type { RawRequest } from '../service.ts';

/** The messages that a local server hands to its template: it turns those of every wire into messages of chats. */
export function templateMessages({ protocol, body }: RawRequest): readonly JsonObject[] {
  if (protocol === 'openai-chat') return objectsOf(body['messages']);
  return protocol === 'anthropic-messages' ? fromMessages(body) : fromItems(body);
}

const callOf = (id: unknown, name: unknown, text: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

/** A system message at the start, if there is a text for it. */
const startOf = (system: unknown): readonly JsonObject[] =>
  isSet(system) && system !== '' ? [{ role: 'system', content: system }] : [];

const fromMessages = oncePerBody((body): readonly JsonObject[] => [
  ...startOf(body['system']),
  ...objectsOf(body['messages']).flatMap(({ role, content }) => {
    const blocks = objectsOf(content);
    if (blocks.length === 0) return [{ role, content }];
    const results = blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({ role: 'tool', tool_call_id: block['tool_use_id'], content: block['content'] }));
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => callOf(id, name, JSON.stringify(input ?? {})));
    const parts = blocks.filter(({ type }) => type === 'text' || type === 'image');
    if (calls.length === 0 && parts.length === 0) return results;
    const text = parts.map((part) => (part['type'] === 'image' ? { type: 'image_url' } : part));
    const reasoning = blocks.find(({ type }) => type === 'thinking')?.['thinking'];
    const message = { role, content: text.length === 0 ? '' : text, tool_calls: calls, reasoning_content: reasoning };
    return [...results, message];
  }),
]);

const fromItems = oncePerBody((body): readonly JsonObject[] => {
  const { input } = body;
  const messages: JsonObject[] = [...startOf(body['instructions'])];
  for (const item of typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)) {
    const { type, role, content, call_id: id, name, output } = item;
    const last = messages.at(-1);
    if (typeof role === 'string') messages.push({ role, content });
    else if (type === 'function_call_output') messages.push({ role: 'tool', tool_call_id: id, content: output });
    else if (type === 'function_call') {
      const call = callOf(id, name, textOf(item['arguments']));
      // The calls of one answer are items of their own.
      if (last?.['role'] !== 'assistant') messages.push({ role: 'assistant', content: '', tool_calls: [call] });
      else messages.splice(-1, 1, { ...last, tool_calls: [...objectsOf(last['tool_calls']), call] });
    }
  }
  return messages;
});
