import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { ollama } from '../../../../../mock-llm-server/wire/ollama/ollama.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';
import { fullReply } from '../wire-requests.ts';

const Failure = z.object({ error: z.string() });
const scenarios = scenarioSet({ scenarios: [{ name: 'pair', trigger: 'two reads', steps: steps(2, 1) }] });
const app = createMockServer({ scenarios });
const post = (body: unknown, path = '/api/chat') =>
  app.request(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
const chat = (content: string) => ({ model: 'qwen3:8b', messages: [{ role: 'user', content }] });

describe("Ollama's chat", () => {
  it('streams by default', async () => {
    const response = await post(chat('two reads'));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line).done)).toEqual([false, false, true]);
  });

  it('answers in one piece when the request turns streaming off', async () => {
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

  it.each([
    { stream: null, think: null, truncate: null, options: null },
    { think: 'high', options: { num_ctx: null } },
  ])('applies the defaults of Ollama to %j', async (settings) => {
    expect(await (await post({ ...chat('two reads'), ...settings })).text()).toBe(
      await (await post(chat('two reads'))).text(),
    );
  });

  it('finds the step by counting calls without ids', async () => {
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

  it('refuses a request that is too long for the window only if it must not be shortened', async () => {
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

  it.each<readonly [string, string, object, object]>([
    [
      '/api/chat',
      'no messages',
      { messages: [] },
      { message: { role: 'assistant', content: '' }, done_reason: 'load' },
    ],
    ['/api/chat', 'the model alone', {}, { message: { role: 'assistant', content: '' }, done_reason: 'load' }],
    ['/api/chat', 'a duration', { keep_alive: '10m' }, { done_reason: 'load' }],
    ['/api/chat', 'an unlimited duration', { keep_alive: -1, stream: true }, { done_reason: 'load' }],
    ['/api/chat', 'the duration 0', { keep_alive: 0 }, { done_reason: 'unload' }],
    ['/api/chat', 'the duration 0s', { messages: [], keep_alive: '0s', stream: false }, { done_reason: 'unload' }],
    ['/api/chat', 'a schema', { format: { type: 'object' } }, { done_reason: 'load' }],
    ['/api/generate', 'no prompt', {}, { response: '', done_reason: 'load' }],
    [
      '/api/generate',
      'an empty prompt and the duration 0',
      { prompt: '', keep_alive: '0' },
      { response: '', done_reason: 'unload' },
    ],
  ])('loads a model: %s with %s', async (path, _name, body, expected) => {
    const response = await post({ model: 'llama3', ...body }, path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const answer = z.record(z.string(), z.unknown()).parse(await response.json());
    expect(answer).toMatchObject({
      model: 'llama3',
      created_at: expect.stringMatching(/^2025-/),
      done: true,
      ...expected,
    });
    expect(Object.keys(answer)).toHaveLength(5);
  });

  it('answers a request with messages instead of loading the model', async () => {
    expect(await (await post({ ...chat('two reads'), stream: false, keep_alive: 0 })).json()).toMatchObject({
      done_reason: 'stop',
      message: { tool_calls: [{}, {}] },
    });
    const systemOnly = { model: 'm', messages: [{ role: 'system', content: 'Be kind.' }] };
    expect((await post(systemOnly)).status).toBe(400);
  });

  it('encodes the loading of a model as one frame for faults', async () => {
    const request = { method: 'POST', path: '/api/chat', query: {}, headers: {}, body: '{"model":"m"}' };
    const read = await ollama.read(request);
    if (read.type === 'error') throw new Error(read.message);
    const pieces = read.frames(fullReply()).map(({ bytes }) => JSON.parse(bytes));
    expect(pieces).toEqual([read.encode(fullReply())]);
  });

  it('generates text from a prompt', async () => {
    const server = createMockServer({
      scenarios: scenarioSet({
        scenarios: [
          {
            name: 'haiku',
            trigger: { text: 'a haiku', system: 'poet' },
            steps: [{ response: { reasoning: 'Five, seven, five.', content: 'old pond' } }],
          },
          { name: 'caller', trigger: 'call', steps: steps(1) },
        ],
      }),
    });
    const generate = async (body: object) => {
      const init = { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) };
      return (await server.request('/api/generate', init)).text();
    };
    const request = { prompt: 'a haiku', system: 'You are a poet.' };
    expect(JSON.parse(await generate({ ...request, stream: false }))).toMatchObject({
      model: 'm',
      response: 'old pond',
      thinking: 'Five, seven, five.',
      done: true,
      done_reason: 'stop',
      context: [],
      eval_count: expect.any(Number),
    });
    const lines = (await generate({ ...request, think: false }))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ response, thinking, done, message }) => [response, thinking, done, message])).toEqual([
      ['old', undefined, false, undefined],
      [' pond', undefined, false, undefined],
      ['', undefined, true, undefined],
    ]);
    expect(JSON.parse(await generate({ prompt: 'call', stream: false }))).toMatchObject({
      response: '{"name": "tool", "arguments": {}}',
    });
    expect(await generate({ prompt: 'lla' })).toContain('"error":"No scenario matches');
  });

  it.each([
    ['GET', '/api/version', { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }],
    [
      'GET',
      '/api/tags',
      { models: [{ name: 'mock-model:latest', capabilities: ['completion', 'tools', 'thinking'] }] },
    ],
    ['GET', '/api/ps', { models: [{ model: 'mock-model:latest', context_length: 131_072 }] }],
  ])('answers %s %s', async (method, path, body) => {
    expect(await (await app.request(path, { method })).json()).toMatchObject(body);
  });

  it.each(['/api/tags', '/api/ps'])('lists the models of triggers at %s', async (path) => {
    const trigger = { text: 'go', model: 'qwen3:8k' };
    const named = scenarioSet({ scenarios: [{ name: 'named', trigger, steps: [{ response: { content: 'Hi.' } }] }] });
    const { models } = Object(await (await createMockServer({ scenarios: named }).request(path)).json());
    expect(models).toMatchObject([{ name: 'mock-model:latest' }, { name: 'qwen3:8k', details: { format: 'gguf' } }]);
    if (path === '/api/ps') expect(models[1]).toMatchObject({ context_length: 8_192 });
  });

  it.each([{ model: 'llama3' }, { name: 'llama3' }])('shows any model: %j', async (body) => {
    expect(await (await post(body, '/api/show')).json()).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking'],
      model_info: { 'general.architecture': 'mock', 'mock.context_length': 131_072 },
      modelfile: 'FROM llama3\n',
    });
  });

  it.each([
    ['mock-model:8k', 8_192],
    ['mock-model-128K', 131_072],
    ['mock-model:0k', 131_072],
    ['qwen3:14b', 131_072],
  ])('reads the context window in the name %s', async (model, tokens) => {
    const shown = { model_info: { 'mock.context_length': tokens } };
    expect(await (await post({ model }, '/api/show')).json()).toMatchObject(shown);
  });

  it('limits a request to the context window of its model', async () => {
    const long = { ...chat(`two reads ${'x'.repeat(9_000)}`), model: 'small:1k', stream: false };
    for (const options of [{}, { num_ctx: 100_000 }]) {
      expect(await (await post({ ...long, options })).json()).toMatchObject({ prompt_eval_count: 1_024 });
    }
    expect((await post({ ...long, truncate: false })).status).toBe(400);
  });

  it.each(['', '{', '[]', '{}', '{"model":""}'])('refuses to show a model for the body %j', async (body) => {
    const response = await post(body, '/api/show');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'model is required' });
  });

  it.each(['GET', 'HEAD'])('reports that the server runs: %s /', async (method) => {
    const response = await app.request('/', { method });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(method === 'GET' ? 'Ollama is running' : '');
  });

  it.each([
    ['a miss', chat('tow raeds'), '/api/chat', 400, /"two reads"/],
    ['no model', {}, '/api/chat', 400, /^model is required$/],
    ['an unknown path', {}, '/api/nope', 404, /POST \/api\/nope/],
  ])('refuses %s with the error body of the API', async (_name, body, path, status, message) => {
    const response = await post(body, path);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(message) });
  });

  it('names unpaired calls and results', () => {
    const fault = { type: 'unpaired_results' as const, index: 3, missing: ['a'], orphans: ['c'], hint: undefined };
    expect(ollama.unpaired(fault).message).toBe(
      'messages[3]: these tool calls have no result: a; these tool results answer no call: c',
    );
  });
});
