import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';

/** Requests that agents and SDKs send, and responses that they need. Their intents are in forced-calls.test.ts. */
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

  it('include results of custom tools', async () => {
    const { output } = Items.parse(await (await send('POST', '/v1/responses', responses())).json());
    const outputs = output.flatMap(({ call_id }) =>
      call_id === undefined ? [] : [{ type: 'custom_tool_call_output', call_id, output: 'ok' }],
    );
    const input = [...userMessage(PROMPT), ...output, ...outputs];
    expect(await (await send('POST', '/v1/responses', { model: 'm', input })).text()).toContain('DONE-42');
  });
});
