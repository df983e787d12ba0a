import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { anthropicMessages } from '../../../../../mock-llm-server/wire/anthropic/messages.ts';
import type { LintMode } from '../../../../../mock-llm-server/wire/wire.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const set = scenarioSet({ scenarios: [{ name: 'pair', trigger: 'two reads', steps: steps(2) }] });
const version = { 'anthropic-version': '2023-06-01' };

function request(path: string, body?: unknown, headers: Readonly<Record<string, string>> = version) {
  const app = createMockServer({ scenarios: set });
  if (body === undefined) return app.request(path, { headers });
  return app.request(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

const prompt = (content: unknown) => ({ model: 'claude-x', max_tokens: 10, messages: [{ role: 'user', content }] });

describe('POST /v1/messages', () => {
  it.each(['/v1/messages', '/v1/messages?beta=true'])('answers at %s, with the headers of the API', async (path) => {
    const response = await request(path, prompt('two reads'));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
      'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
      'anthropic-ratelimit-requests-limit': '4000',
      'anthropic-ratelimit-requests-remaining': '4000',
      'anthropic-ratelimit-requests-reset': expect.stringMatching(/^2025-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      'anthropic-ratelimit-tokens-limit': '2400000',
      'anthropic-ratelimit-input-tokens-remaining': '2000000',
      'anthropic-ratelimit-output-tokens-limit': '400000',
      'anthropic-ratelimit-output-tokens-reset': expect.stringMatching(/Z$/),
    });
    expect(await response.json()).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      stop_reason: 'tool_use',
      content: [
        { type: 'tool_use', id: expect.stringMatching(/^toolu_pair_[0-9a-f]{8}_0_0_[0-9a-f]{6}$/) },
        { type: 'tool_use', id: expect.stringMatching(/^toolu_pair_[0-9a-f]{8}_0_1_[0-9a-f]{6}$/) },
      ],
    });
  });

  const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] };
  const answered = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: '' }] };
  it.each<readonly [string, unknown, object]>([
    ['no scenario', prompt('tow raeds'), { details: { error_code: 'no_scenario_matched' } }],
    ['no JSON', '{', { message: expect.stringMatching(/^The request body is not valid JSON/) }],
    ['no max_tokens', { ...prompt('two reads'), max_tokens: undefined }, { message: 'max_tokens: Field required' }],
    [
      'a thread',
      { ...prompt('two reads'), thread: { type: 'create' } },
      { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
    ],
    [
      'a call and the result of another call',
      { ...prompt('two reads'), messages: [{ role: 'user', content: 'two reads' }, called, answered] },
      {
        message:
          'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` ' +
          'block must have a corresponding `tool_result` block in the next message. ' +
          'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: b. Each `tool_result` block must have a ' +
          'corresponding `tool_use` block in the previous message.',
      },
    ],
  ])('refuses %s with the error body of the API', async (_name, body, error) => {
    const response = await request('/v1/messages', body);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String), ...error },
      request_id: response.headers.get('request-id'),
    });
  });

  it('requires the version of the API', async () => {
    const response = await request('/v1/messages', prompt('two reads'), {});
    expect(await response.json()).toMatchObject({ error: { message: 'anthropic-version: header is required' } });
  });

  it('starts a scenario with a text in a separate message, not with a text beside results', async () => {
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok' };
    const text = { type: 'text', text: 'two reads' };
    const start = [{ role: 'user', content: 'go' }, called];
    const beside = await request('/v1/messages', {
      ...prompt(''),
      messages: [...start, { role: 'user', content: [result, text] }],
    });
    expect(await beside.json()).toMatchObject({ error: { details: { error_code: 'no_scenario_matched' } } });
    const apart = await request('/v1/messages', {
      ...prompt(''),
      messages: [...start, { role: 'user', content: [result] }, { role: 'user', content: [text] }],
    });
    expect(await apart.json()).toMatchObject({ stop_reason: 'tool_use' });
  });
});

describe('an error', () => {
  it.each([
    [402, 'billing_error'],
    [405, 'invalid_request_error'],
    [504, 'timeout_error'],
  ])('with status %i has the type %s', (status, type) => {
    const error = { type: 'error', status, code: null, message: 'refused' } as const;
    expect(anthropicMessages.encodeError(error, 'req_1')).toEqual({
      type: 'error',
      error: { type, message: 'refused' },
      request_id: 'req_1',
    });
  });

  it.each([
    [['a'], [], undefined, /^messages\.3: `tool_use` ids .*: a\. Each .*next message\.$/],
    [[], ['b'], undefined, /^messages\.3\.content\.0: unexpected `tool_use_id` .*: b\. Each .*previous message\.$/],
    [['a'], [], 'Look.', /next message\. Look\.$/],
  ])("for calls %j and results %j has the API's message", (missing, orphans, hint, message) => {
    const fault = anthropicMessages.unpaired({ type: 'unpaired_results', index: 3, missing, orphans, hint });
    expect(fault).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  it("for an unknown path below /v1/messages has the API's error body", async () => {
    const response = await request('/v1/messages/batches', {});
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  });
});

describe('the other routes', () => {
  it('counts the same tokens as a reply, from fewer fields', async () => {
    const { max_tokens: _, ...short } = prompt('two reads');
    const counted = await (await request('/v1/messages/count_tokens?beta=true', short)).json();
    const answer = await (await request('/v1/messages', prompt('two reads'))).json();
    expect(answer).toMatchObject({ usage: counted });
    expect(counted).toEqual({ input_tokens: expect.any(Number) });
  });

  it.each<readonly [LintMode, number]>([
    ['fail', 400],
    ['warn', 200],
    ['off', 200],
  ])('requires a version to count tokens: lint %s answers %i', async (lint, status) => {
    const app = createMockServer({ scenarios: set, lint });
    const body = JSON.stringify(prompt('two reads'));
    const response = await app.request('/v1/messages/count_tokens', { method: 'POST', body });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(status === 400 ? 'anthropic-version: header is required' : 'input_tokens');
  });

  it('refuses to count a request that cannot be read', async () => {
    const response = await request('/v1/messages/count_tokens', { model: 'm' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: 'messages: Field required' } });
  });

  it('lists a model to clients of this protocol only', async () => {
    const model = {
      type: 'model',
      id: 'mock-model',
      display_name: 'mock-model',
      created_at: '2025-01-01T00:00:00Z',
    };
    expect(await (await request('/v1/models')).json()).toMatchObject({
      data: [model],
      has_more: false,
      first_id: 'mock-model',
      last_id: 'mock-model',
    });
    expect(await (await request('/v1/models', undefined, {})).json()).toMatchObject({ object: 'list' });
  });

  it.each([
    ['claude-x', 'claude-x'],
    ['mock%2Fpair', 'mock/pair'],
    ['mock/pair', 'mock/pair'],
    ['a%zz', 'a%zz'],
  ])('shows any model: %s', async (segment, id) => {
    const response = await request(`/v1/models/${segment}`);
    expect(await response.json()).toMatchObject({ type: 'model', id });
  });

  it('does not answer for a model of another protocol', async () => {
    const response = await request('/v1/models/m', undefined, {});
    expect(await response.json()).not.toMatchObject({ type: 'model' });
  });
});

describe('a client that drops the thinking of an answer', () => {
  const call = { name: 'look' };
  const story = (name: string, response: object) => ({ name, trigger: name, steps: [{ response }, ...steps()] });
  const stories = scenarioSet({
    scenarios: [
      story('deep', { reasoning: 'hm', tool_calls: [call] }),
      story('stated', { reasoning: 'hm', tool_calls: [{ ...call, id: 'toolu_1' }] }),
      story('shallow', { tool_calls: [call] }),
      story('fixed', { tool_calls: [{ ...call, id: 'toolu_2' }] }),
    ],
  });
  const app = createMockServer({ scenarios: stories });
  const AnswerSchema = z.object({ content: z.array(z.looseObject({ type: z.string() })) });

  it.each<readonly [string, boolean, number]>([
    ['deep', true, 400],
    ['deep', false, 200],
    ['stated', true, 400],
    ['shallow', true, 200],
    ['fixed', true, 200],
  ])('in the scenario %s, dropped: %s, gets %i', async (name, drops, status) => {
    const send = (...messages: readonly object[]) =>
      app.request('/v1/messages', {
        method: 'POST',
        headers: version,
        body: JSON.stringify({ model: 'm', max_tokens: 2000, thinking: { type: 'enabled' }, messages }),
      });
    const asked = { role: 'user', content: name };
    const { content } = AnswerSchema.parse(await (await send(asked)).json());
    const kept = content.filter(({ type }) => !drops || type === 'tool_use');
    const results = kept.flatMap(({ type, id }) =>
      type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id }] : [],
    );
    const answer = await send(asked, { role: 'assistant', content: kept }, { role: 'user', content: results });
    expect([answer.status, await answer.text()]).toEqual([
      status,
      expect.stringContaining(status === 400 ? 'but found `tool_use`' : 'done'),
    ]);
  });
});
