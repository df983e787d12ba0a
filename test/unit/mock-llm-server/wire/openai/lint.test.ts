import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const set = scenarioSet({ scenarios: [{ name: 'a', trigger: 'go', steps: steps(1) }] });
const long = `call_${'x'.repeat(60)}`;

async function errorOf(path: string, body: object, lint: 'fail' | 'off' = 'fail'): Promise<unknown> {
  const app = createMockServer({ scenarios: set, lint });
  const response = await app.request(path, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
  const answer = z.object({ error: z.unknown().optional() }).parse(await response.json());
  return response.status === 200 ? undefined : answer.error;
}

const user = { role: 'user', content: 'go' };
const echoed = (id: string) => ({ id, type: 'function', function: { name: 'tool', arguments: '{}' } });

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const DOT = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
const tooLong = (most: number) =>
  `string too long. Expected a string with maximum length ${most}, but got a string with length 65 instead.`;

it.each([
  [
    'a tool name with a dot',
    CHAT,
    { messages: [user], tools: [{ type: 'function', function: { name: 'mcp.read' } }] },
    ['invalid_value', 'tools[0].function.name', DOT],
  ],
  [
    'an empty list of calls',
    CHAT,
    { messages: [user, { role: 'assistant', content: 'x', tool_calls: [] }, user] },
    [
      'empty_array',
      'messages[1].tool_calls',
      'empty array. Expected an array with minimum length 1, but got an empty array instead.',
    ],
  ],
  [
    'an id that is too long',
    CHAT,
    {
      messages: [
        user,
        { role: 'assistant', tool_calls: [echoed(long)] },
        { role: 'tool', tool_call_id: long, content: '' },
      ],
    },
    ['string_above_max_length', 'messages[1].tool_calls[0].id', tooLong(40)],
  ],
  [
    'a tool name with a dot',
    RESPONSES,
    { input: 'go', tools: [{ type: 'web_search' }, { type: 'function', name: 'mcp.read' }] },
    ['invalid_value', 'tools[1].name', DOT],
  ],
  [
    'an id that is too long',
    RESPONSES,
    {
      input: [
        user,
        { type: 'function_call', call_id: long, name: 'tool', arguments: '{}' },
        { type: 'function_call_output', call_id: long, output: '' },
      ],
    },
    ['string_above_max_length', 'input[1].call_id', tooLong(64)],
  ],
] as const)('refuses %s at %s', async (_name, path, body, [code, param, message]) => {
  expect(await errorOf(path, body)).toEqual({
    message: `Invalid '${param}': ${message}`,
    type: 'invalid_request_error',
    param,
    code,
  });
  expect(await errorOf(path, body, 'off')).toBeUndefined();
});

const custom = { type: 'custom', custom: { name: 'patch' } };
it.each([
  [CHAT, { messages: [user, { role: 'assistant', content: 'hi', tool_calls: null }, user], tools: [custom] }],
  [CHAT, { messages: [user], tools: [{ type: 'function', function: { name: 'mcp__read-1' } }] }],
  [RESPONSES, { input: 'go', tools: [{ type: 'function', name: 'mcp__read-1' }] }],
  [RESPONSES, { input: 'go', tools: [{ type: 'custom', name: 'patch' }] }],
])('accepts a request at %s that the API accepts: %j', async (path, body) => {
  expect(await errorOf(path, body)).toBeUndefined();
});
