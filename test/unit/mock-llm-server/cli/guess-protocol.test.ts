import { expect, it } from 'vitest';
import { guessProtocol, PROTOCOL_PATHS } from '../../../../mock-llm-server/cli/guess-protocol.ts';
import { WIRES } from '../../../../mock-llm-server/wire/wires.ts';

const messages = [{ role: 'user', content: 'x' }];

it.each<readonly [string, unknown, string]>([
  ['messages', { messages }, 'openai-chat'],
  ['contents', { contents: [{ parts: [{ text: 'x' }] }] }, 'gemini'],
  ['input', { model: 'm', input: 'x' }, 'openai-responses'],
  ['a system text beside messages', { system: 'x', messages }, 'anthropic-messages'],
  [
    'blocks with tool results',
    { messages: [...messages, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }] },
    'anthropic-messages',
  ],
  ['options', { messages, options: { num_ctx: 1 } }, 'ollama'],
  [
    'tools with an input schema and no system text',
    { max_tokens: 9, messages, tools: [{ name: 'x', input_schema: {} }] },
    'anthropic-messages',
  ],
  ['a tool with a version', { messages, tools: [{ type: 'web_search_20250305' }] }, 'anthropic-messages'],
  ['a choice of tools as an object', { messages, tool_choice: { type: 'any' } }, 'anthropic-messages'],
  ['a choice of a function', { messages, tool_choice: { type: 'function', function: { name: 'x' } } }, 'openai-chat'],
  ['stop sequences', { messages, stop_sequences: ['x'] }, 'anthropic-messages'],
  ['a model of Anthropic', { model: 'claude-opus-5', max_tokens: 9, messages }, 'anthropic-messages'],
  ['a model of Anthropic without a length', { model: 'claude-opus-5', messages }, 'openai-chat'],
  [
    'a model of Anthropic and a system message',
    { model: 'claude-opus-5', max_tokens: 9, messages: [{ role: 'system', content: 'x' }, ...messages] },
    'openai-chat',
  ],
  ['instructions', { instructions: 'x', previous_response_id: 'resp_1' }, 'openai-responses'],
  ['a request to count', { generateContentRequest: { contents: [] } }, 'gemini'],
  [
    'calls with arguments as an object',
    { messages: [...messages, { role: 'assistant', tool_calls: [{ function: { name: 'x', arguments: {} } }] }] },
    'ollama',
  ],
  [
    'a result that names its tool',
    { messages: [...messages, { role: 'tool', tool_name: 'x', content: 'y' }] },
    'ollama',
  ],
  ['a result that names nothing', { messages: [...messages, { role: 'tool', content: 'y' }] }, 'ollama'],
  ['images beside the text', { messages: [{ role: 'user', content: 'x', images: ['aGk='] }] }, 'ollama'],
  ['a format', { messages, format: 'json' }, 'ollama'],
  [
    'calls with arguments as a text',
    {
      model: 'claude-opus-5',
      max_tokens: 9,
      messages: [
        ...messages,
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'y' },
      ],
    },
    'openai-chat',
  ],
  ['a format of Chat Completions', { messages, response_format: { type: 'json_object' } }, 'openai-chat'],
  ['tools of Chat Completions', { messages, tools: [{ type: 'function', function: { name: 'x' } }] }, 'openai-chat'],
  [
    'parts of all kinds',
    { messages: [1, { content: [1] }, { tool_calls: [{}, 2] }], tools: [1], model: 2 },
    'openai-chat',
  ],
  ['parts', { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }, 'openai-chat'],
  ['nonsense', { messages: 1 }, 'openai-chat'],
  ['a list', [], 'openai-chat'],
])('%s', (_name, body, expected) => {
  expect(guessProtocol(JSON.stringify(body))).toBe(expected);
});

it('takes what is not JSON for Chat Completions', () => {
  expect(guessProtocol('{')).toBe('openai-chat');
});

it('knows where each protocol is served', () => {
  for (const wire of WIRES) expect(wire.owns(PROTOCOL_PATHS[wire.protocol])).toBe(true);
});
