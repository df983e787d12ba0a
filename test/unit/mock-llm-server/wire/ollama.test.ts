import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../mock-llm-server/server.ts';
import { ollama } from '../../../../mock-llm-server/wire/ollama.ts';
import { scenarioSet, steps } from '../builders.ts';

const Failure = z.object({ error: z.string() });
const scenarios = scenarioSet({ scenarios: [{ name: 'pair', trigger: 'two reads', steps: steps(2, 1) }] });
const app = createMockServer({ scenarios });
const post = (body: unknown, path = '/api/chat') =>
  app.request(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
const chat = (content: string) => ({ model: 'qwen3:8b', messages: [{ role: 'user', content }] });

describe("Ollama's chat", () => {
  it('streams where nothing else is said', async () => {
    const response = await post(chat('two reads'));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line).done)).toEqual([false, false, true]);
  });

  it('answers at once where that is wanted', async () => {
    const response = await post({ ...chat('two reads'), stream: false });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      model: 'qwen3:8b',
      created_at: expect.stringMatching(/^2025-\d\d-\d\dT/),
      message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'tool', arguments: {} } }, {}] },
      done: true,
      done_reason: 'stop',
    });
  });

  it('finds the step by counting where calls have no ids', async () => {
    const call = { function: { name: 'tool', arguments: {} } };
    const result = { role: 'tool', content: 'ok', tool_name: 'tool' };
    const request = { ...chat('two reads'), stream: false };
    const played = [{ role: 'assistant', tool_calls: [call, call] }, result, result];
    const second = await post({ ...request, messages: [...request.messages, ...played] });
    expect(await second.json()).toMatchObject({ message: { content: '', tool_calls: [call] } });
    played.push({ role: 'assistant', tool_calls: [call] }, result);
    const third = await post({ ...request, messages: [...request.messages, ...played] });
    expect(await third.json()).toMatchObject({ message: { content: 'done' } });
  });

  it('refuses what is too long for the window only where it must not be shortened', async () => {
    const long = { ...chat(`two reads ${'漢'.repeat(2000)}`), stream: false, options: { num_ctx: 1000 } };
    const cut = await (await post(long)).json();
    expect(cut).toMatchObject({ done: true, prompt_eval_count: 1000 });
    const response = await post({ ...long, truncate: false });
    expect(response.status).toBe(400);
    const { error } = Failure.parse(await response.json());
    const tokens = JSON.parse(error).error.n_prompt_tokens;
    expect(tokens).toBeGreaterThan(1500);
    expect(JSON.parse(error)).toEqual({
      error: {
        code: 400,
        message: `request (${tokens} tokens) exceeds the available context size (1000 tokens), try increasing it`,
        type: 'exceed_context_size_error',
        n_prompt_tokens: tokens,
        n_ctx: 1000,
      },
    });
    const fits = await (await post({ ...long, truncate: false, options: { num_ctx: tokens } })).json();
    expect(fits).toMatchObject({ prompt_eval_count: tokens });
    expect((await post({ ...chat('two reads'), truncate: false })).status).toBe(200);
  });

  it.each([
    ['GET', '/api/version', { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }],
    [
      'GET',
      '/api/tags',
      { models: [{ name: 'mock-model:latest', capabilities: ['completion', 'tools', 'thinking'] }] },
    ],
    ['GET', '/api/ps', { models: [{ model: 'mock-model:latest', context_length: 131_072 }] }],
  ])('%s %s', async (method, path, body) => {
    expect(await (await app.request(path, { method })).json()).toMatchObject(body);
  });

  it.each([{ model: 'llama3' }, { name: 'llama3' }])('shows any model: %j', async (body) => {
    expect(await (await post(body, '/api/show')).json()).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking'],
      model_info: { 'general.architecture': 'mock', 'mock.context_length': 131_072 },
      modelfile: 'FROM llama3\n',
    });
  });

  it.each(['', '{', '[]', '{}', '{"model":""}'])('shows no model for %j', async (body) => {
    const response = await post(body, '/api/show');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'model is required' });
  });

  it.each(['GET', 'HEAD'])('is running: %s /', async (method) => {
    const response = await app.request('/', { method });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(method === 'GET' ? 'Ollama is running' : '');
  });

  it.each([
    ['a miss', chat('tow raeds'), '/api/chat', 400, /"two reads"/],
    ['no model', {}, '/api/chat', 400, /^model is required$/],
    ['an unknown path', {}, '/api/nope', 404, /POST \/api\/nope/],
    [
      'a result without a call',
      { model: 'm', messages: [{ role: 'tool', content: '', tool_name: 'x' }] },
      '/api/chat',
      400,
      /^messages\[0\]: these tool results answer no call: x$/,
    ],
  ])('refuses %s in its own shape', async (_name, body, path, status, message) => {
    const response = await post(body, path);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(message) });
  });

  it('says what does not belong together', () => {
    const fault = { type: 'unpaired_results' as const, index: 3, missing: ['a'], orphans: ['c'], hint: 'Look.' };
    expect(ollama.unpaired(fault).message).toBe(
      'messages[3]: these tool calls have no result right after them: a; these tool results answer no call: c; Look.',
    );
  });
});
