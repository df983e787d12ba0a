import { expect, it } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../builders.ts';

const steps = [{ intent: 'write_file', path: 'a.txt', content: 'hi\n' }, { response: { content: 'done' } }];
const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'write it', steps }] }) });

const schema = (...keys: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
  required: keys,
});
const system = 'Working directory: /w/p';
const headers = { 'anthropic-version': '2023-06-01' };
const prompt = { role: 'user', content: 'write it' };
const codeMode = { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] };

// One scenario, with the tools of a different agent over each protocol.
it.each<[string, string, object, object]>([
  [
    'Chat Completions, opencode',
    '/v1/chat/completions',
    {
      messages: [{ role: 'system', content: system }, prompt],
      tools: [{ type: 'function', function: { name: 'write', parameters: schema('content', 'filePath') } }],
    },
    {
      choices: [
        {
          message: {
            tool_calls: [{ function: { name: 'write', arguments: '{"filePath":"/w/p/a.txt","content":"hi\\n"}' } }],
          },
        },
      ],
    },
  ],
  [
    'Anthropic Messages, Claude Code',
    '/v1/messages',
    {
      max_tokens: 100,
      system,
      messages: [prompt],
      tools: [{ name: 'Write', input_schema: schema('file_path', 'content') }],
    },
    { content: [{ type: 'tool_use', name: 'Write', input: { file_path: '/w/p/a.txt', content: 'hi\n' } }] },
  ],
  [
    'Responses, Codex',
    '/v1/responses',
    { instructions: system, input: [prompt], tools: [{ type: 'custom', name: 'apply_patch' }] },
    {
      output: [
        {
          type: 'custom_tool_call',
          name: 'apply_patch',
          input: '*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch',
        },
      ],
    },
  ],
  [
    'Responses, Codex in code mode',
    '/v1/responses',
    { instructions: system, input: [{ type: 'additional_tools', role: 'developer', tools: [codeMode] }, prompt] },
    {
      output: [
        {
          type: 'custom_tool_call',
          namespace: 'functions',
          name: 'exec',
          input: expect.stringMatching(/^text\(await tools\.exec_command\(\{cmd: "printf '%s' 'hi/),
        },
      ],
    },
  ],
  [
    'Gemini, Gemini CLI',
    '/v1beta/models/m:generateContent',
    {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: 'write it' }] }],
      tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: schema('file_path', 'content') }] }],
    },
    {
      candidates: [
        {
          content: {
            parts: [{ functionCall: { name: 'write_file', args: { file_path: '/w/p/a.txt', content: 'hi\n' } } }],
          },
        },
      ],
    },
  ],
  [
    'Ollama, pi',
    '/api/chat',
    {
      messages: [prompt],
      stream: false,
      tools: [{ type: 'function', function: { name: 'write', parameters: schema('path', 'content') } }],
    },
    { message: { tool_calls: [{ function: { name: 'write', arguments: { path: 'a.txt', content: 'hi\n' } } }] } },
  ],
])('an intent becomes a tool call over %s', async (_name, path, body, expected) => {
  const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify({ model: 'm', ...body }) });
  expect(await response.json()).toMatchObject(expected);
});

it('a client without a suitable tool gets an error in the form of its protocol', async () => {
  const tools = [{ name: 'weather', input_schema: schema('city') }];
  const body = JSON.stringify({ model: 'm', max_tokens: 100, messages: [prompt], tools });
  const response = await app.request('/v1/messages', { method: 'POST', headers, body });
  expect(response.status).toBe(400);
  expect(response.headers.get('x-should-retry')).toBe('false');
  expect(await response.json()).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining('the client offers weather') },
  });
});
