import { expect, it } from 'vitest';
import { guessProtocol, PROTOCOL_PATHS } from '../../../mock-llm-server/guess-protocol.ts';
import { WIRES } from '../../../mock-llm-server/wire/wires.ts';

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
