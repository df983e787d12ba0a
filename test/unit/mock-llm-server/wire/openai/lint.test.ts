import { describe, expect, it } from 'vitest';
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

describe('Chat Completions', () => {
  it.each([
    [
      'a tool name with a dot',
      { messages: [user], tools: [{ type: 'function', function: { name: 'mcp.read' } }] },
      'invalid_value',
      'tools[0].function.name',
      "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      'an empty list of calls',
      { messages: [user, { role: 'assistant', content: 'x', tool_calls: [] }, user] },
      'empty_array',
      'messages[1].tool_calls',
      'empty array. Expected an array with minimum length 1, but got an empty array instead.',
    ],
    [
      'an id that is too long',
      {
        messages: [
          user,
          { role: 'assistant', tool_calls: [echoed(long)] },
          { role: 'tool', tool_call_id: long, content: '' },
        ],
      },
      'string_above_max_length',
      'messages[1].tool_calls[0].id',
      'string too long. Expected a string with maximum length 40, but got a string with length 65 instead.',
    ],
  ])('refuses %s', async (_name, body, code, param, message) => {
    expect(await errorOf('/v1/chat/completions', body)).toEqual({
      message: `Invalid '${param}': ${message}`,
      type: 'invalid_request_error',
      param,
      code,
    });
    expect(await errorOf('/v1/chat/completions', body, 'off')).toBeUndefined();
  });

  it('accepts requests that the API accepts', async () => {
    const tools = [
      { type: 'function', function: { name: 'mcp__read-1' } },
      { type: 'custom', custom: { name: 'patch' } },
    ];
    const history = [{ role: 'assistant', content: 'hi', tool_calls: null }, user];
    expect(await errorOf('/v1/chat/completions', { messages: [user, ...history], tools })).toBeUndefined();
  });
});

describe('Responses', () => {
  it.each([
    [
      'a tool name with a dot',
      { input: 'go', tools: [{ type: 'web_search' }, { type: 'function', name: 'mcp.read' }] },
      'invalid_value',
      'tools[1].name',
      "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    ],
    [
      'an id that is too long',
      {
        input: [
          user,
          { type: 'function_call', call_id: long, name: 'tool', arguments: '{}' },
          { type: 'function_call_output', call_id: long, output: '' },
        ],
      },
      'string_above_max_length',
      'input[1].call_id',
      'string too long. Expected a string with maximum length 64, but got a string with length 65 instead.',
    ],
  ])('refuses %s', async (_name, body, code, param, message) => {
    expect(await errorOf('/v1/responses', body)).toEqual({
      message: `Invalid '${param}': ${message}`,
      type: 'invalid_request_error',
      param,
      code,
    });
    expect(await errorOf('/v1/responses', body, 'off')).toBeUndefined();
  });

  it('accepts requests that the API accepts', async () => {
    const tools = [
      { type: 'function', name: 'mcp__read-1' },
      { type: 'custom', name: 'patch' },
    ];
    expect(await errorOf('/v1/responses', { input: 'go', tools })).toBeUndefined();
  });
});
