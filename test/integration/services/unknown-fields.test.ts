import { expect, it } from 'vitest';
import { isJsonObject } from '../../../mock-llm-server/conversation/json.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';
import { CHAT, functionTool, MESSAGES, RESPONSES } from '../../unit/mock-llm-server/services/cases/case.ts';

const scenarios = { ...createScenarioSet([]), defaultResponse: 'Hello.' };
const id = 'abcdefgh1';

const chat = {
  messages: [
    { role: 'system', content: 'Act.' },
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', index: 0, function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: 'ok' },
  ],
  tools: [functionTool()],
};
const responses = {
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'go' }] },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'open_page', url: 'https://a.b' } },
    { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'ok' }] },
  ],
  tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }],
};
const messages = {
  max_tokens: 2048,
  system: [{ type: 'text', text: 'Act.' }],
  messages: [
    { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://a.b/c.png' } }] },
    {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'x' },
        { type: 'text', text: 'Yes.' },
      ],
    },
    { role: 'user', content: 'go' },
  ],
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  tool_choice: { type: 'auto' },
  output_config: { effort: 'low' },
};
const BODIES = new Map<string, object>([
  [CHAT, chat],
  [RESPONSES, responses],
  [MESSAGES, messages],
]);

/** Services that refuse any field that they do not have, with objects of a request, and their words for such a field. */
const ROWS: readonly (readonly [service: string, model: string, path: string, objects: string, says: string])[] = [
  ['openai', 'own-model', CHAT, 'messages.1 messages.2 messages.2.tool_calls.0', "Unknown parameter: '$[].foreign'."],
  [
    'openai',
    'gpt-5',
    RESPONSES,
    'input.0 input.0.content.0 input.1 input.2 input.2.action input.3 input.4 input.4.output.0 tools.0',
    "Unknown parameter: '$[].foreign'.",
  ],
  [
    'groq',
    'llama-3.3-70b-versatile',
    CHAT,
    'messages.0 messages.1 messages.2 messages.2.tool_calls.0 messages.3 tools.0.function messages.1.content.0',
    "'$' : property 'foreign' is unsupported",
  ],
  [
    'cerebras',
    'qwen-3-32b',
    CHAT,
    'messages.0 messages.1 messages.2 messages.3 tools.0.function messages.1.content.0',
    "foreign' is unsupported",
  ],
  [
    'fireworks',
    'accounts/fireworks/models/glm-5p2',
    CHAT,
    'messages.1 messages.2.tool_calls.0 messages.1.content.0 tools.0 tools.0.function',
    "Extra inputs are not permitted, field: '$[].foreign', value: 1",
  ],
  [
    'mistral',
    'mistral-large-latest',
    CHAT,
    'messages.0 messages.1 messages.1.content.0 messages.2 messages.2.tool_calls.0 messages.3 tools.0.function',
    'Extra inputs are not permitted',
  ],
  [
    'anthropic',
    'claude-opus-4-6',
    MESSAGES,
    'system.0 messages.0.content.0 messages.0.content.0.source messages.1.content.0 messages.1 tools.0 tool_choice output_config',
    'foreign: Extra inputs are not permitted',
  ],
];

/** A copy of a value with a field more in the object at a path. */
function withField(value: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? withField(item, rest) : item));
  if (!isJsonObject(value)) return value;
  return key === undefined ? { ...value, foreign: 1 } : { ...value, [key]: withField(value[key], rest) };
}

async function send(service: string, path: string, body: unknown) {
  const headers = { 'anthropic-version': '2023-06-01' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await createMockServer({ scenarios }).request(`/as/${service}${path}`, request);
  return { status: answer.status, text: (await answer.text()).replaceAll('\\"', '"') };
}

it.each(ROWS)('%s refuses an unknown field of any object of a request to %s over %s', async (...row) => {
  const [service, model, path, objects, says] = row;
  const body = { model, ...BODIES.get(path) };
  expect(await send(service, path, body)).toMatchObject({ status: 200 });
  for (const object of objects.split(' ')) {
    const { status, text } = await send(service, path, withField(body, object.split('.')));
    const words = says.replace('$[]', object.replaceAll(/\.(\d+)/g, '[$1]')).replace('$', object);
    expect([object, status, text]).toEqual([object, service === 'mistral' ? 422 : 400, expect.stringContaining(words)]);
  }
});
