import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../builders.ts';

/** Requests that agents and SDKs send, and responses that they need. Their intents are in intents-over-wires.test.ts. */
const app = createMockServer({
  scenarios: scenarioSet({
    scenarios: [
      {
        name: 'hello',
        trigger: 'create hello.txt',
        steps: [
          {
            response: {
              content: 'I write it.',
              tool_calls: [
                { name: 'write', arguments: { path: 'hello.txt', content: 'hi-42\n' } },
                { name: 'bash', arguments: { command: 'cat hello.txt' } },
              ],
            },
          },
          { response: { content: 'DONE-42' } },
        ],
      },
      {
        name: 'busy',
        trigger: 'come later',
        steps: [{ response: { content: 'Here I am.' }, fault: { status: 429, retry_after: 1, times: 1 } }],
      },
    ],
  }),
});

const PROMPT = 'create hello.txt';
const userMessage = (content: string) => [{ role: 'user', content }];
const chat = (content = PROMPT) => ({ model: 'm', messages: userMessage(content) });
const responses = (content = PROMPT) => ({ model: 'm', input: userMessage(content) });
const messages = (content = PROMPT) => ({ ...chat(content), max_tokens: 100 });
const contents = (content = PROMPT) => ({ contents: [{ role: 'user', parts: [{ text: content }] }] });
const ANTHROPIC = { 'anthropic-version': '2023-06-01' };
const NONE = {};
const GOOGLE = { 'x-goog-api-key': 'unused' };

function send(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } };
  return app.request(path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
}

type Row = readonly [
  method: string,
  path: string,
  body: object | undefined,
  expected: string,
  headers: Readonly<Record<string, string>>,
];

describe('routes that clients call', () => {
  it.each<Row>([
    ['POST', '/v1/messages', messages(), '"type":"tool_use"', ANTHROPIC],
    ['POST', '/v1/messages?beta=true', messages(), '"type":"tool_use"', ANTHROPIC],
    ['POST', '/v1/messages/count_tokens', messages(), '"input_tokens":', ANTHROPIC],
    ['POST', '/v1/chat/completions', chat(), '"tool_calls":', NONE],
    ['POST', '/chat/completions', chat(), '"tool_calls":', NONE],
    ['POST', '/v1/responses', responses(), '"type":"function_call"', NONE],
    ['POST', '/responses', responses(), '"type":"function_call"', NONE],
    ['POST', '/v1/responses/input_tokens', responses(), '"input_tokens":', NONE],
    ['POST', '/v1beta/models/gemini-2.5-flash:generateContent', contents(), '"functionCall":', NONE],
    ['POST', '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', contents(), 'data: {"candidates":', NONE],
    ['POST', '/v1beta/models/gemini-2.5-flash:streamGenerateContent', contents(), '[{"candidates":', NONE],
    ['POST', '/v1beta/models/gemini-2.5-flash:countTokens', contents(), '"totalTokens":', NONE],
    ['POST', '/v1/models/gemini-2.5-flash:generateContent', contents(), '"functionCall":', NONE],
    ['POST', '/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse', contents(), 'data: {"candidates":', NONE],
    ['POST', '/v1/models/gemini-2.5-flash:countTokens', contents(), '"totalTokens":', NONE],
    ['POST', '/api/chat', chat(), '"tool_calls":', NONE],
    ['POST', '/api/generate', { model: 'm', prompt: PROMPT }, '"response":"I"', NONE],
    ['POST', '/api/show', { model: 'm' }, '"capabilities":', NONE],
    ['GET', '/api/tags', undefined, '"models":[{"name":"mock-model:latest"', NONE],
    ['GET', '/api/ps', undefined, '"size_vram":', NONE],
    ['GET', '/api/version', undefined, '"version":', NONE],
    ['HEAD', '/', undefined, '', NONE],
    ['HEAD', '/api/hello', undefined, '', NONE],
    ['GET', '/v1/models', undefined, '{"object":"list","data":[{"id":"mock-model"', NONE],
    ['GET', '/v1/models/gpt-5', undefined, '{"id":"gpt-5","object":"model"', NONE],
    ['GET', '/v1/models', undefined, '{"data":[{"type":"model","id":"mock-model"', ANTHROPIC],
    ['GET', '/v1/models/claude-opus-5', undefined, '{"type":"model","id":"claude-opus-5"', ANTHROPIC],
    ['GET', '/v1/models', undefined, '{"models":[{"name":"models/mock-model"', GOOGLE],
    ['GET', '/v1/models/gemini-3', undefined, '{"name":"models/gemini-3"', GOOGLE],
    ['GET', '/v1beta/models', undefined, '{"models":[{"name":"models/mock-model"', NONE],
  ])('%s %s', async (method, path, body, expected, headers) => {
    const response = await send(method, path, body, headers);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(expected)]);
  });
});

const Items = z.object({ output: z.array(z.looseObject({ call_id: z.string().optional() })) });
const CODE_MODE = {
  type: 'additional_tools',
  role: 'developer',
  tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }],
};
const tool = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } });

describe('requests of real clients are accepted', () => {
  it.each<readonly [string, string, object, object]>([
    [
      "Claude Code's: a newer version, a bearer, betas, system messages, adaptive thinking",
      '/v1/messages?beta=true',
      {
        ...messages(),
        messages: [...userMessage(PROMPT), { role: 'system', content: 'Be brief.' }],
        system: [{ type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } }],
        thinking: { type: 'adaptive', display: 'summarized' },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        output_config: { effort: 'medium' },
        metadata: { user_id: 'u' },
        tools: [
          { name: 'Write', input_schema: { type: 'object' }, defer_loading: true },
          { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
        ],
      },
      {
        'anthropic-version': '2026-10-21',
        authorization: 'Bearer unused',
        'anthropic-beta': 'unknown-2027-01-01',
      },
    ],
    [
      "Codex's: tools of all kinds",
      '/v1/responses',
      {
        ...responses(),
        instructions: 'You are Codex.',
        tools: [
          tool('exec_command'),
          { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
          { type: 'namespace', name: 'mcp', tools: [tool('read'), { type: 'web_search' }] },
          { type: 'web_search', external_web_access: false },
          { type: 'tool_search', execution: 'client' },
          { type: 'image_generation' },
        ],
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'p',
        store: false,
      },
      {},
    ],
    [
      "Codex's: tools in the input (code mode)",
      '/v1/responses',
      { model: 'gpt-6-codex', input: [CODE_MODE, ...userMessage(PROMPT)] },
      {},
    ],
    [
      "Gemini CLI's: system instruction, tool and thinking configuration",
      '/v1beta/models/gemini-2.5-pro:generateContent',
      {
        ...contents(),
        systemInstruction: { role: 'user', parts: [{ text: 'You are an agent.' }] },
        tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: { type: 'object' } }] }],
        toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
        generationConfig: { temperature: 0, thinkingConfig: { includeThoughts: true, thinkingBudget: -1 } },
      },
      { 'x-goog-api-client': 'google-genai-sdk/1.30.0', ...GOOGLE },
    ],
    [
      "a request for the API's additions to a stream",
      '/v1/chat/completions',
      { ...chat(), stream_options: { include_usage: true, include_obfuscation: true }, prompt_cache_key: 'p', n: 1 },
      {},
    ],
  ])('%s', async (_name, path, body, headers) => {
    const response = await send('POST', path, body, { ...headers });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('hi-42')]);
  });

  it.each([
    ['the first', { thread: { type: 'create' } }],
    ['the next', { thread: { type: 'continue', previous_message_id: 'msg_01' } }],
  ])('are refused with a message thread, which clients then resend without it: %s', async (_name, thread) => {
    const response = await send('POST', '/v1/messages', { ...messages(), ...thread }, ANTHROPIC);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
        },
      },
    ]);
  });

  it('include results of custom tools', async () => {
    const { output } = Items.parse(await (await send('POST', '/v1/responses', responses())).json());
    const outputs = output.flatMap(({ call_id }) =>
      call_id === undefined ? [] : [{ type: 'custom_tool_call_output', call_id, output: 'ok' }],
    );
    const input = [...userMessage(PROMPT), ...output, ...outputs];
    expect(await (await send('POST', '/v1/responses', { model: 'm', input })).text()).toContain('DONE-42');
  });
});

describe('a 429 that is followed by a success', () => {
  it.each<readonly [string, object, string, string]>([
    ['/v1/chat/completions', chat('come later'), 'x-request-id', '"error":{"message":'],
    ['/v1/responses', responses('come later'), 'x-request-id', '"error":{"message":'],
    ['/v1/messages', messages('come later'), 'request-id', '{"type":"error","error":{"type":"rate_limit_error"'],
    ['/v1beta/models/m:generateContent', contents('come later'), 'x-goog-request-id', '"status":"RESOURCE_EXHAUSTED"'],
    ['/api/chat', chat('come later'), 'x-request-id', '{"error":"'],
  ])('%s', async (path, body, id, expected) => {
    const refused = await send('POST', path, body, ANTHROPIC);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get(id)]).toEqual([
      429,
      '1',
      expect.stringMatching(/./),
    ]);
    expect(refused.headers.get('x-should-retry')).toBeNull();
    expect(await refused.text()).toContain(expected);
    const answered = await send('POST', path, body, ANTHROPIC);
    expect([answered.status, answered.headers.get(id)]).toEqual([200, refused.headers.get(id)]);
  });
});

describe('parts of a stream that clients depend on', () => {
  const stream = true;
  it.each<readonly [string, string, object, readonly RegExp[]]>([
    [
      'Claude Code: the end of each block; SDKs: names of events',
      '/v1/messages',
      { ...messages(), stream },
      [
        /^event: message_start\ndata: /,
        /event: content_block_stop\ndata: \{"type":"content_block_stop","index":0\}/,
        /event: content_block_stop\ndata: \{"type":"content_block_stop","index":2\}/,
        /"stop_reason":"tool_use"/,
        /event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/,
      ],
    ],
    [
      'Codex: finished items and a completed response',
      '/v1/responses',
      { ...responses(), stream },
      [
        /^event: response\.created\n/,
        /"type":"response\.output_item\.done".*"type":"function_call".*"name":"bash"/,
        /event: response\.completed\ndata: .*"usage":\{"input_tokens":\d/,
      ],
    ],
    [
      'Gemini CLI: events, of which the last has the finish reason',
      '/v1beta/models/m:streamGenerateContent?alt=sse',
      contents(),
      [/^data: \{/, /"functionCall":\{[^}]*"name":"bash"/, /"finishReason":"STOP"[^\n]*\r?\n\r?\n$/],
    ],
    [
      'pi, qwen, Continue: an index for each call and a finish reason',
      '/v1/chat/completions',
      { ...chat(), stream },
      [
        /^data: .*"delta":\{"role":"assistant","content":""/,
        /"tool_calls":\[\{"index":0,"id":"call_[^"]+","type":"function","function":\{"name":"write","arguments":""/,
        /"tool_calls":\[\{"index":1,"id":"call_[^"]+","type":"function","function":\{"name":"bash","arguments":""/,
        /"finish_reason":"tool_calls"/,
        /data: \[DONE\]\n\n$/,
      ],
    ],
  ])('%s', async (_name, path, body, expected) => {
    const response = await send('POST', path, body, ANTHROPIC);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('content-encoding')).toBeNull();
    const text = await response.text();
    for (const pattern of expected) expect(text).toMatch(pattern);
    expect(text).not.toContain('"tool_calls":[]');
  });

  it('Ollama client: lines, of which only the last is done', async () => {
    const response = await send('POST', '/api/chat', chat());
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).done)).toEqual([...lines.slice(1).map(() => false), true]);
    expect(lines.join('\n')).toContain('"arguments":{"path":"hello.txt","content":"hi-42\\n"}');
  });
});

it('a reply without calls has no empty list of calls', async () => {
  expect(await (await send('POST', '/v1/chat/completions', chat('ping'))).text()).not.toContain('tool_calls');
});

describe('an unknown path', () => {
  it.each([
    [
      '/v1/moderations',
      '{"error":{"message":"Unknown request URL: POST /v1/moderations.","type":"invalid_request_error"',
    ],
    ['/v1/messages/batches', '{"type":"error","error":{"type":"not_found_error"'],
    ['/v1beta/models/m:predict', '"status":"NOT_FOUND"'],
    ['/api/push', '{"error":"Unknown request URL: POST /api/push."}'],
  ])('%s', async (path, expected) => {
    const response = await send('POST', path, {});
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(expected)]);
  });
});
