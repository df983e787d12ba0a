import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { isSet } from '../checks/fields.ts';
import { objectOf, objectsOf, oncePerBody, setFields, textOf } from '../raw.ts';
import { type Check, holdsFor, type RawRequest, type Service } from '../service.ts';

/** A request of any protocol as a service reads it that turns Messages and Responses into Chat Completions. */
function asChat(request: RawRequest): RawRequest {
  const { protocol, body } = request;
  if (protocol === 'openai-chat') return request;
  return {
    ...request,
    protocol: 'openai-chat',
    body: protocol === 'anthropic-messages' ? chatOf(body) : chatOfItems(body),
  };
}

/** The service with its rules for chats over the protocols, too, that it turns into Chat Completions. */
export function turnIntoChat(service: Service): Service {
  const { turned, rules } = service;
  if (turned === undefined) return service;
  const { protocols, except = [] } = turned;
  return {
    ...service,
    rules: rules.map((rule) => {
      const own = rule.id.slice(service.name.length + 1);
      const more = protocols.filter((protocol) => !holdsFor(rule, protocol));
      if (more.length === 0 || !holdsFor(rule, 'openai-chat') || except.includes(own)) return rule;
      const check: Check = (request) => rule.check(more.includes(request.protocol) ? asChat(request) : request);
      const { readsOnlyTools } = rule.check;
      const turnedCheck = Object.assign(check, readsOnlyTools && { readsOnlyTools });
      return { ...rule, protocols: [...(rule.protocols ?? ['openai-chat' as const]), ...more], check: turnedCheck };
    }),
  };
}

const chatOf = oncePerBody((body) =>
  setFields({
    ...shared(body),
    messages: fromMessages(body),
    max_tokens: body['max_tokens'],
    stop: body['stop_sequences'],
    thinking: body['thinking'],
    reasoning_effort: objectOf(body['output_config'])['effort'],
    tools: toolsOf(body, ({ input_schema: schema }) => isSet(schema), 'input_schema'),
    tool_choice: choiceOf(objectOf(body['tool_choice'])),
  }),
);

const chatOfItems = oncePerBody((body) => {
  const { type, ...format } = objectOf(objectOf(body['text'])['format']);
  return setFields({
    ...shared(body),
    messages: fromItems(body),
    max_tokens: body['max_output_tokens'],
    reasoning_effort: objectOf(body['reasoning'])['effort'],
    parallel_tool_calls: body['parallel_tool_calls'],
    response_format: type === 'json_schema' ? { type, json_schema: format } : type && { type },
    tools: toolsOf(body, ({ type: kind }) => kind === 'function', 'parameters'),
    tool_choice: isJsonObject(body['tool_choice']) ? choiceOf(body['tool_choice']) : body['tool_choice'],
  });
});

/** The fields that have one name in every protocol. */
function shared({ model, temperature, top_p, stream, chat_template_kwargs }: JsonObject): JsonObject {
  return { model, temperature, top_p, stream, chat_template_kwargs };
}

function toolsOf(
  { tools }: JsonObject,
  isFunction: (tool: JsonObject) => boolean,
  field: string,
): readonly JsonObject[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  return objectsOf(tools)
    .filter(isFunction)
    .map(({ name, description, strict, [field]: parameters }) => ({
      type: 'function',
      function: setFields({ name, description, strict, parameters }),
    }));
}

const CHOICES: Readonly<Record<string, string>> = { auto: 'auto', any: 'required', none: 'none' };

function choiceOf({ type, name }: JsonObject): unknown {
  return type === 'tool' || type === 'function' ? { type: 'function', function: { name } } : CHOICES[textOf(type)];
}

/** The messages of a request as those of a chat. */
export function chatMessages({ protocol, body }: RawRequest): readonly JsonObject[] {
  if (protocol === 'openai-chat' || protocol === 'ollama') return objectsOf(body['messages']);
  return protocol === 'anthropic-messages' ? fromMessages(body) : fromItems(body);
}

const PART_TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  image: 'image_url',
  input_image: 'image_url',
};

/** The parts of a content as those of a chat, which has no others; a text as it is. */
function partsOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return objectsOf(content).flatMap((part) => {
    const type = PART_TYPES[textOf(part['type'])];
    return type === undefined ? [] : [{ ...part, type }];
  });
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
      .map((block) => ({ role: 'tool', tool_call_id: block['tool_use_id'], content: partsOf(block['content']) }));
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => callOf(id, name, JSON.stringify(input ?? {})));
    const parts = objectsOf(partsOf(blocks));
    if (calls.length === 0 && parts.length === 0) return results;
    const reasoning = blocks.find(({ type }) => type === 'thinking')?.['thinking'];
    const message = { role, content: parts.length === 0 ? '' : parts, tool_calls: calls, reasoning_content: reasoning };
    return [...results, message];
  }),
]);

const fromItems = oncePerBody((body): readonly JsonObject[] => {
  const { input } = body;
  const messages: JsonObject[] = [...startOf(body['instructions'])];
  for (const item of typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)) {
    const { type, role, content, call_id: id, name, output } = item;
    const last = messages.at(-1);
    if (typeof role === 'string') messages.push({ role, content: partsOf(content) });
    else if (type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: id, content: partsOf(output) });
    else if (type === 'function_call') {
      const call = callOf(id, name, textOf(item['arguments']));
      // The calls of one answer are items of their own.
      if (last?.['role'] !== 'assistant') messages.push({ role: 'assistant', content: '', tool_calls: [call] });
      else messages.splice(-1, 1, { ...last, tool_calls: [...objectsOf(last['tool_calls']), call] });
    }
  }
  return messages;
});
