import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../../mock-llm-server/conversation/json.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { propertySettings } from '../../../support/random/property.ts';

const app = createMockServer({ scenarios: { ...createScenarioSet([]), defaultResponse: 'Hello.' } });
const headers = { 'anthropic-version': '2023-06-01' };
const mark = { type: 'ephemeral', ttl: '5m' };
const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const parameters = { type: 'object', required: ['a'], properties: {} };

/** A request of each protocol with every field that its table has. */
const BODIES: Readonly<Record<string, object>> = {
  '/v1/messages': {
    model: 'claude-sonnet-4-5',
    max_tokens: 2048,
    stream: false,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    system: [{ type: 'text', text: 'x', cache_control: mark }],
    tools: [{ name: 'read', description: 'x', input_schema: { type: 'object' }, cache_control: mark }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'go', cache_control: mark },
          { type: 'image', source },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'document', title: 'x', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'x' },
          { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', is_error: false, content: [{ type: 'text', text: 'x' }] },
        ],
      },
    ],
  },
  '/api/chat': {
    model: 'qwen3',
    stream: false,
    think: true,
    truncate: true,
    format: 'json',
    options: { temperature: 1, num_ctx: 4096, num_predict: 9, stop: ['x'], top_k: 4, top_p: 0.5, seed: 1 },
    tools: [{ type: 'function', function: { name: 'read', description: 'x', parameters } }],
    messages: [
      { role: 'user', content: 'go', images: ['iVBORw0KGgo='] },
      {
        role: 'assistant',
        content: '',
        thinking: 'x',
        tool_calls: [{ function: { name: 'read', index: 0, arguments: {} } }],
      },
      { role: 'tool', content: 'x', tool_name: 'read' },
    ],
  },
  '/api/generate': {
    model: 'qwen3',
    prompt: 'go',
    suffix: 'x',
    system: 'x',
    template: 'x',
    stream: false,
    raw: false,
    think: true,
    images: ['iVBORw0KGgo='],
    context: [1],
    options: { temperature: 1, stop: ['x'] },
  },
  '/v1beta/interactions': {
    model: 'gemini-3-flash-preview',
    input: [{ type: 'user_input', content: [{ type: 'text', text: 'go' }] }],
    system_instruction: 'x',
    stream: false,
    store: true,
    tools: [{ type: 'function', name: 'read', description: 'x', parameters: {} }],
    generation_config: { temperature: 1, top_p: 1, seed: 1, max_output_tokens: 9, stop_sequences: ['x'] },
  },
  '/model/anthropic.claude-3-5-sonnet-20240620-v1:0/converse': {
    messages: [{ role: 'user', content: [{ text: 'go' }] }],
    system: [{ text: 'x' }],
    inferenceConfig: { maxTokens: 9, temperature: 1, topP: 1, stopSequences: ['x'] },
    toolConfig: {
      tools: [{ toolSpec: { name: 'read', description: 'x', inputSchema: { json: { type: 'object' } } } }],
      toolChoice: { tool: { name: 'read' } },
    },
  },
  '/v1beta/models/gemini-2.5-flash:generateContent': {
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
    systemInstruction: { parts: [{ text: 'x' }] },
    generationConfig: { temperature: 1, topP: 1, topK: 1, maxOutputTokens: 9, candidateCount: 1, seed: 1 },
    tools: [{ functionDeclarations: [{ name: 'read', description: 'x', parameters: { type: 'OBJECT' } }] }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  },
  '/v1/chat/completions': {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'x' },
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'read', description: 'x', parameters: { type: 'object', properties: {} }, strict: false },
      },
    ],
    ...{ temperature: 1, top_p: 1, n: 1, seed: 1, presence_penalty: 0, max_tokens: 9, stream: false, logprobs: false },
  },
  '/v1/responses': {
    model: 'gpt-4o',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }],
    tools: [
      {
        type: 'function',
        name: 'read',
        description: 'x',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    ...{ temperature: 1, top_p: 1, max_output_tokens: 99, stream: false, store: false, instructions: 'x' },
    ...{ parallel_tool_calls: true, truncation: 'auto', metadata: { a: 'x' } },
  },
};

/** Fields that may be a text, and those whose other values a server reads as a type that it does not know. */
const FREE = new Set([
  '/v1/messages system',
  '/v1/messages messages.0.content',
  '/v1/messages messages.2.content.0.content',
  '/v1/messages messages.0.content.3.source.media_type',
  '/v1/messages messages.2.content.0.content.0.type',
  '/v1beta/interactions input',
  '/v1beta/interactions input.0.content',
  '/v1/chat/completions messages.1.content',
  '/v1/responses input',
  '/v1/responses input.0.content',
  '/v1beta/models/gemini-2.5-flash:generateContent tools.0.functionDeclarations.0.parameters.type',
]);

type Path = readonly string[];

/** The paths of all values in a value. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  const inside = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  return [...(path.length > 0 ? [path] : []), ...inside.flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** A copy of a value with another one at a path. */
function withValue(value: unknown, [key, ...rest]: Path, other: (old: unknown) => unknown): unknown {
  if (key === undefined) return other(value);
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? withValue(item, rest, other) : item));
  }
  if (!isJsonObject(value)) return value;
  return { ...value, [key]: withValue(value[key], rest, other) };
}

const post = async (path: string, body: string) => app.request(path, { method: 'POST', headers, body });

const otherOf = (old: unknown) => (typeof old === 'string' ? 7 : 'zzz');
const rows = Object.entries(BODIES).flatMap(([path, body]) =>
  pathsOf(body)
    .map((place) => [path, place.join('.'), place, body] as const)
    .filter(([, name]) => !FREE.has(`${path} ${name}`)),
);

describe('a request with one value of another type', () => {
  it.each(rows)('to %s is refused if it is %s', async (path, _name, place, body) => {
    const { status } = await post(path, JSON.stringify(withValue(body, place, otherOf)));
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it.each(Object.entries(BODIES))('to %s is answered without the mistake', async (path, body) => {
    expect((await post(path, JSON.stringify(body))).status).toBe(200);
  });
});

it.each(Object.entries(BODIES))('no body makes %s fail', async (path, body) => {
  const changed = fc
    .tuple(fc.constantFrom(...pathsOf(body)), fc.jsonValue())
    .map(([place, value]) => JSON.stringify(withValue(body, place, () => value)));
  const isRead = async (text: string) => !(await (await post(path, text)).text()).includes('The server failed');
  const bodies = fc.oneof(fc.string(), fc.json(), { arbitrary: changed, weight: 8 });
  await fc.assert(fc.asyncProperty(bodies, isRead), propertySettings(200));
});
