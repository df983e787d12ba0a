import { describe, expect, it } from 'vitest';
import { createJournal } from '../../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';

const scenarios = scenarioSet({ scenarios: [{ name: 'a', trigger: 'go', steps: [{ response: { content: 'ok' } }] }] });
const journal = createJournal();
const app = createMockServer({ scenarios, journal });
const messages = [{ role: 'user', content: 'go' }];

async function send(path: string, body?: object, headers: Record<string, string> = {}) {
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await app.request(path, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Base URLs as the clients of each service have them. */
const BASES = [
  ['OpenAI', '/v1'],
  ['a base URL without a path', ''],
  ['Groq, and the current API of Azure', '/openai/v1'],
  ['Azure by api-version', '/openai'],
  ['Gemini', '/v1beta/openai'],
  ['OpenRouter', '/api/v1'],
] as const;

describe.each(BASES)("OpenAI's protocols at the base of %s: %s", (_service, base) => {
  it('answer', async () => {
    expect(await send(`${base}/chat/completions?api-version=2024-10-21`, { model: 'm', messages })).toMatchObject({
      status: 200,
      body: { object: 'chat.completion', model: 'm', choices: [{ message: { content: 'ok' } }] },
    });
    expect(await send(`${base}/responses`, { model: 'm', input: 'go' })).toMatchObject({
      status: 200,
      body: { object: 'response', output: [{ content: [{ text: 'ok' }] }] },
    });
    expect(await send(`${base}/responses/input_tokens`, { model: 'm', input: 'go' })).toMatchObject({ status: 200 });
    expect(await send(`${base}/embeddings`, { model: 'm', input: 'go' })).toMatchObject({ status: 200 });
  });

  it('list models', async () => {
    expect(await send(`${base}/models`)).toMatchObject({ status: 200, body: { data: [{ id: 'mock-model' }] } });
    expect(await send(`${base}/models/a/b`)).toMatchObject({ status: 200, body: { id: 'a/b', object: 'model' } });
  });

  it("refuse in OpenAI's format", async () => {
    const missing = { type: 'invalid_request_error', code: 'missing_required_parameter' };
    expect(await send(`${base}/chat/completions`, {})).toMatchObject({ status: 400, body: { error: missing } });
    expect(await send(`${base}/responses`, {})).toMatchObject({ status: 400, body: { error: missing } });
    expect(await send(`${base}/chat/completions`)).toMatchObject({ status: 405, body: { error: { param: null } } });
    expect(await send(`${base}/moderations`, {})).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown_url' } },
    });
  });
});

describe('a deployment of Azure', () => {
  const path = '/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21';

  it('names the model of a request that names none or another', async () => {
    for (const body of [{ messages }, { messages, model: 'other' }]) {
      expect(await send(path, body)).toMatchObject({ status: 200, body: { model: 'my gpt' } });
    }
  });
});

/** Requests that OpenAI refuses and these services accept (pydantic-ai, test_openrouter_google_nested_schema and others). */
it.each(['/openai/v1', '/v1beta/openai', '/api/v1'])("OpenAI's own limits do not apply at %s", async (base) => {
  const id = `call_${'x'.repeat(60)}`;
  const call = { id, type: 'function', function: { name: 'f', arguments: '{}' } };
  const history = [
    ...messages,
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: 'done' },
    { role: 'assistant', content: 'Done.', tool_calls: [] },
    ...messages,
  ];
  expect(await send(`${base}/chat/completions`, { model: 'm', messages: history })).toMatchObject({ status: 200 });
  expect(await send('/v1/chat/completions', { model: 'm', messages: history })).toMatchObject({ status: 400 });
});

it('the Messages API also has the base /anthropic/v1 (localhost gateway of pydantic-ai, Azure, DeepSeek)', async () => {
  const body = { model: 'm', max_tokens: 9, messages };
  const headers = { 'anthropic-version': '2023-06-01' };
  expect(await send('/anthropic/v1/messages', body, headers)).toMatchObject({ status: 200, body: { type: 'message' } });
  expect(await send('/anthropic/v1/messages/count_tokens', body, headers)).toMatchObject({
    status: 200,
    body: { input_tokens: expect.any(Number) },
  });
  expect(await send('/anthropic/v1/models')).toMatchObject({ status: 200, body: { data: [{ type: 'model' }] } });
});

it.each(['/api/v1', '/api/anthropic/v1', '/apps/anthropic/v1', '/inference/v1'])(
  'the Messages API also has the base %s (OpenRouter, Z.AI, DashScope, Fireworks)',
  async (base) => {
    const headers = { 'anthropic-version': '2023-06-01' };
    expect(await send(`${base}/messages`, { model: 'm', max_tokens: 9, messages }, headers)).toMatchObject({
      status: 200,
      body: { type: 'message' },
    });
  },
);

describe('an unknown path', () => {
  const VERSION = { 'anthropic-version': '2023-06-01' };
  const ANTHROPIC = { type: 'error', error: { type: 'not_found_error' }, request_id: expect.stringMatching(/^req_/) };
  const OPENAI = { error: { type: 'invalid_request_error', code: 'unknown_url' } };
  const GOOGLE = { error: { code: 404, status: 'NOT_FOUND' } };

  it.each<readonly [string, string, Record<string, string>, object]>([
    ['of an Anthropic client', '/v1/files', VERSION, ANTHROPIC],
    ['of an Anthropic client with a wrong base URL', '/v1/v1/messages', VERSION, ANTHROPIC],
    ['below the base of Ollama, of an Anthropic client', '/api/other/v1/messages', VERSION, ANTHROPIC],
    ['of a Google client', '/v2/models/m:generateContent', { 'x-goog-api-key': 'unused' }, GOOGLE],
    ["below Google's base", '/v1beta/files', {}, GOOGLE],
    ["below Google's base for OpenAI's protocols", '/v1beta/openai/moderations', {}, OPENAI],
    ['of Ollama', '/api/push', {}, { error: 'Unknown request URL: POST /api/push.' }],
    ['of another service', '/api/nope/v4/chat/completions', {}, OPENAI],
    ['of no protocol', '/v1/moderations', {}, OPENAI],
  ])('%s gets its 404: %s', async (_name, path, headers, body) => {
    expect(await send(path, {}, headers)).toMatchObject({ status: 404, body });
  });
});

describe('the address of a client with a wrong base URL', () => {
  it.each([
    ['/v1/v1/messages', { 'anthropic-version': '2023-06-01' }, 'http://localhost'],
    ['/anthropic/messages/count_tokens', {}, 'http://localhost'],
    ['/v1/v1/chat/completions', {}, 'http://localhost/v1'],
    ['/api/nope/v4/responses', {}, 'http://localhost/v1'],
    ['/as/xai/v2/chat/completions', {}, 'http://localhost/as/xai/v1'],
    ['/openai/deployments/embeddings', {}, 'http://localhost/v1'],
    ['/v1beta/v1beta/models/m:generateContent', {}, 'http://localhost'],
    ['/v1/api/chat', {}, 'http://localhost'],
  ])('%s is named by the error', async (path, headers, base) => {
    const { status, body } = await send(path, {}, headers);
    expect([status, JSON.stringify(body)]).toEqual([
      404,
      expect.stringContaining(`The base URL for clients of this protocol is ${base}.`),
    ]);
  });

  it.each([
    ['/messages', { model: 'm', max_tokens: 9, messages }, { type: 'message' }],
    ['/messages/count_tokens', { model: 'm', messages }, { input_tokens: expect.any(Number) }],
    ['/models/m:generateContent', { contents: [{ parts: [{ text: 'go' }] }] }, { candidates: [{}] }],
  ])('%s, without a version, answers', async (path, sent, body) => {
    expect(await send(path, sent, { 'anthropic-version': '2023-06-01' })).toMatchObject({ status: 200, body });
  });
});
