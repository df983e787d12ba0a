import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';

const scenarios = scenarioSet({
  default_response: { content: 'ok' },
  scenarios: [
    {
      name: 'call',
      trigger: 'call it',
      steps: [{ response: { reasoning: 'Hm.', tool_calls: [{ id: 'call_1', name: 'f', arguments: { a: 1 } }] } }],
    },
  ],
});

async function post(path: string, body: object): Promise<string> {
  const headers = { 'anthropic-version': '2023-06-01' };
  const response = await createMockServer({ scenarios }).request(path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', ...(!path.startsWith('/v1beta/') && { max_tokens: 100 }), ...body }),
  });
  return response.text();
}

const json = async (path: string, body: object): Promise<unknown> => JSON.parse(await post(path, body));

/** The JSON of the events of a stream, in order. */
async function events(path: string, body: object): Promise<unknown[]> {
  const text = await post(path, { ...body, stream: true });
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

const user = { role: 'user', content: 'Hello' };
const asked = { role: 'user', content: 'call it' };
const parameters = { type: 'object', properties: {} };

/** The cassettes are those of pydantic-ai at 4fda389. */
describe('a response of the Responses API', () => {
  const settingsOf = (body: object) => json('/v1/responses', { input: 'Hello', ...body });

  it('has the penalties, and null for what was not asked for, as in 217 recorded answers', async () => {
    expect(await settingsOf({})).toMatchObject({
      frequency_penalty: 0,
      presence_penalty: 0,
      prompt_cache_retention: null,
      moderation: null,
    });
    expect(await settingsOf({ presence_penalty: 0.5, prompt_cache_retention: '24h' })).toMatchObject({
      presence_penalty: 0.5,
      prompt_cache_retention: '24h',
    });
  });

  it.each([
    ['nothing', {}, { description: null, parameters: null, strict: true }],
    ['strict: false', { strict: false, parameters }, { description: null, parameters, strict: false }],
    ['a description', { description: 'd', strict: null }, { description: 'd', parameters: null, strict: null }],
  ])(
    'repeats a function tool with all of its fields: %s (FunctionTool in the OpenAPI file)',
    async (_name, more, all) => {
      const tool = { type: 'function', name: 'f' };
      const inner = { type: 'namespace', name: 'n', description: 'd', tools: [{ ...tool, ...more }] };
      expect(await settingsOf({ tools: [{ ...tool, ...more }, inner, { type: 'web_search' }] })).toMatchObject({
        tools: [{ ...tool, ...all }, { ...inner, tools: [{ ...tool, ...all }] }, { type: 'web_search' }],
      });
    },
  );

  it('repeats a text format with its description and strictness (test_native_output)', async () => {
    const format = { type: 'json_schema', name: 'Animal', schema: parameters };
    const verbosity = 'medium';
    expect(await settingsOf({ text: { format } })).toMatchObject({
      text: { format: { ...format, description: null, strict: false }, verbosity },
    });
    const closed = { ...parameters, additionalProperties: false };
    const full = { ...format, schema: closed, description: 'd', strict: true };
    expect(await settingsOf({ text: { format: full } })).toMatchObject({ text: { format: full, verbosity } });
    expect(await settingsOf({ input: 'go, as JSON', text: { format: { type: 'json_object' } } })).toMatchObject({
      text: { format: { type: 'json_object' }, verbosity },
    });
  });

  it('names its conversation, if it has one (test_openai_conversation_id)', async () => {
    for (const conversation of ['conv_1', { id: 'conv_1' }]) {
      expect(await settingsOf({ conversation })).toMatchObject({ conversation: { id: 'conv_1' } });
    }
    expect(await settingsOf({})).not.toHaveProperty('conversation');
  });

  it('names the function at the end of its arguments (ResponseFunctionCallArgumentsDoneEvent of openai)', async () => {
    const stream = await events('/v1/responses', { input: 'call it' });
    expect(stream).toContainEqual(
      expect.objectContaining({ type: 'response.function_call_arguments.done', name: 'f', arguments: '{"a":1}' }),
    );
  });
});

describe('a completion of the Chat Completions API', () => {
  it('has the fields of all 138 recorded messages and usages', async () => {
    const body = z
      .object({ choices: z.tuple([z.object({ message: z.record(z.string(), z.unknown()) })]), usage: z.unknown() })
      .parse(await json('/v1/chat/completions', { messages: [user] }));
    expect(body.choices[0].message).toEqual({ role: 'assistant', content: 'ok', refusal: null, annotations: [] });
    expect(body.usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    });
  });
});

describe('an answer of the Gemini API', () => {
  const finishOf = async (model: string, method: string) => {
    const contents = [{ role: 'user', parts: [{ text: 'call it' }] }];
    return /"finishMessage":"([^"]*)"/.exec(await post(`/v1beta/models/${model}:${method}`, { contents }))?.[1];
  };

  it.each([
    ['gemini-2.5-flash', 'generateContent', 'Model generated function call(s).'],
    ['gemini-3-pro-preview', 'generateContent', 'Model generated function call(s).'],
    ['gemini-2.0-flash', 'generateContent', undefined],
    ['gemini-3-pro-preview', 'streamGenerateContent', undefined],
  ])('says that it calls, as 64 of 69 recorded ones since 2.5 do: %s, %s', async (model, method, message) => {
    expect(await finishOf(model, method)).toBe(message);
  });
});

describe('a message of the Messages API', () => {
  const call = { type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } };
  const details = { output_tokens_details: { thinking_tokens: 1 } };

  it('has a direct caller and where it was computed, as in recorded answers since February 2026', async () => {
    expect(await json('/v1/messages', { messages: [asked], thinking: { type: 'enabled' } })).toMatchObject({
      content: [{ type: 'thinking' }, call],
      usage: { inference_geo: 'not_available', service_tier: 'standard', ...details },
    });
  });

  it('has them in the events of a stream', async () => {
    const stream = await events('/v1/messages', { messages: [asked], thinking: { type: 'enabled' } });
    expect(stream).toContainEqual(
      expect.objectContaining({ type: 'content_block_start', content_block: { ...call, input: {} } }),
    );
    const [start] = stream;
    expect(start).toMatchObject({ message: { usage: { inference_geo: 'not_available' } } });
    expect(start).not.toHaveProperty('message.usage.output_tokens_details');
    expect(stream).toContainEqual(
      expect.objectContaining({ type: 'message_delta', usage: expect.objectContaining(details) }),
    );
  });

  it('comes from a model with limits and capabilities (ModelInfo in the OpenAPI file)', async () => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const response = await createMockServer({ scenarios }).request('/v1/models/claude-x', { headers });
    const supported = { supported: expect.any(Boolean) };
    expect(await response.json()).toMatchObject({
      type: 'model',
      id: 'claude-x',
      created_at: expect.any(String),
      display_name: 'claude-x',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      capabilities: {
        batch: supported,
        citations: supported,
        code_execution: supported,
        context_management: {
          ...supported,
          clear_thinking_20251015: null,
          clear_tool_uses_20250919: null,
          compact_20260112: null,
        },
        effort: { ...supported, low: supported, medium: supported, high: supported, xhigh: supported, max: supported },
        image_input: supported,
        pdf_input: supported,
        structured_outputs: supported,
        thinking: { ...supported, types: { adaptive: supported, enabled: supported } },
      },
    });
  });
});

describe('a request that a service accepted and this server cannot know', () => {
  it.each<readonly [string, string, object, number, object]>([
    [
      'continues a response',
      '/v1/responses',
      { previous_response_id: 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b' },
      400,
      { code: 'previous_response_not_found', param: 'previous_response_id' },
    ],
    [
      'continues an interaction',
      '/v1beta/interactions',
      { previous_interaction_id: 'v1_x' },
      404,
      { message: "Interaction 'v1_x' was not found." },
    ],
    // Arize-ai/openinference, test_interactions_instrumentation/test_agent_stream.yaml.
    [
      'names an agent',
      '/v1beta/interactions',
      { agent: 'deep-research-pro-preview-12-2025', model: undefined, background: true },
      400,
      { message: expect.stringContaining('Name a model.') },
    ],
  ])('is refused, and with lint off answered by its text: it %s', async (_name, path, more, status, error) => {
    const body = JSON.stringify({ model: 'm', input: 'call it', ...more });
    const ask = (lint: 'fail' | 'off') => createMockServer({ scenarios, lint }).request(path, { method: 'POST', body });
    const refused = await ask('fail');
    expect([refused.status, await refused.json()]).toMatchObject([status, { error }]);
    const answered = await ask('off');
    expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('call_1')]);
  });
});
