import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { isSet } from '../checks/fields.ts';
import { listOf, objectOf, objectsOf, oncePerBody, setFields, textOf } from '../raw.ts';

const NO_PARAMETERS = { type: 'object', properties: {} };

/** A body of Chat Completions as gateways write it for Anthropic's protocol. */
export const chatToMessages = oncePerBody((body: JsonObject): JsonObject => {
  const messages = objectsOf(body['messages']);
  const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer';
  return setFields({
    model: body['model'],
    max_tokens: body['max_tokens'] ?? body['max_completion_tokens'] ?? 64_000,
    system: messages.some(isSystem) ? messages.filter(isSystem).flatMap(({ content }) => blocksOf(content)) : undefined,
    messages: joinRoles(messages.filter((message) => !isSystem(message)).map(writeMessage)),
    ...writeTools(body),
    tool_choice: writeChoice(body['tool_choice']),
    temperature: body['temperature'],
    top_p: body['top_p'],
    thinking: body['thinking'],
    cache_control: body['cache_control'],
  });
});

/** The tools of a body, without the rest of it. */
export function writeTools({ tools }: JsonObject): JsonObject {
  if (!isSet(tools)) return {};
  const written = objectsOf(tools).map((tool) => {
    if (!isJsonObject(tool['function'])) return tool;
    const { name, description, parameters } = tool['function'];
    const { cache_control, type } = tool;
    const own = type === 'function' ? { input_schema: parameters ?? NO_PARAMETERS } : { type, ...objectOf(parameters) };
    return setFields({ name, description, ...own, cache_control });
  });
  return { tools: written };
}

function writeChoice(choice: unknown): JsonObject | undefined {
  if (choice === 'auto' || choice === 'none') return { type: choice };
  if (choice === 'required') return { type: 'any' };
  const { name } = objectOf(objectOf(choice)['function']);
  return typeof name === 'string' ? { type: 'tool', name } : undefined;
}

function writeMessage(message: JsonObject): JsonObject {
  const { role, content, tool_calls: calls, tool_call_id: id, thinking_blocks: thinking } = message;
  if (role === 'tool') {
    const result = typeof content === 'string' ? content : blocksOf(content);
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] };
  }
  if (role !== 'assistant') return { role: 'user', content: blocksOf(content) };
  const texts = blocksOf(content).filter(({ text }) => text !== '');
  return { role, content: [...objectsOf(thinking), ...texts, ...objectsOf(calls).map(writeCall)] };
}

function writeCall({ id, function: called }: JsonObject): JsonObject {
  const { name, arguments: text } = objectOf(called);
  return { type: 'tool_use', id, name, input: objectOf(tryJson(textOf(text))) };
}

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return objectsOf(content).map((part) => {
    if (part['type'] !== 'image_url') return part;
    const { cache_control } = part;
    return setFields({
      type: 'image',
      source: writePicture(textOf(objectOf(part['image_url'])['url'])),
      cache_control,
    });
  });
}

function writePicture(url: string): JsonObject {
  const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? [];
  return data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
}

/** The messages with neighbours of one role as one. */
export function joinRoles(messages: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last === undefined || last['role'] !== message['role']) joined.push(message);
    else joined[joined.length - 1] = { ...last, content: [...listOf(last['content']), ...listOf(message['content'])] };
  }
  return joined;
}
