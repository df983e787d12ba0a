import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../../support/stories/builders.ts';

const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 'a', trigger: 'a', steps: steps() }] }) });
const model = (id: string) => ({ id, object: 'model', created: 1_735_689_600, owned_by: 'mock-llm-server' });

describe.each(['/v1/models', '/models'])('%s', (path) => {
  it('lists one model', async () => {
    const response = await app.request(path);
    expect(await response.json()).toEqual({ object: 'list', data: [model('mock-model')] });
  });

  it.each([
    ['gpt-5', 'gpt-5'],
    ['mock/a', 'mock/a'],
    ['mock%2Fa%20b', 'mock/a b'],
    ['50%25', '50%'],
    ['50%', '50%'],
  ])('shows every model: %s', async (escaped, id) => {
    const response = await app.request(`${path}/${escaped}`);
    expect([response.status, await response.json()]).toEqual([200, model(id)]);
  });
});

it("a response has OpenAI's headers, equal for equal requests", async () => {
  const ask = async (input: string) => {
    const response = await app.request('/v1/responses', { method: 'POST', body: JSON.stringify({ input }) });
    return Object.fromEntries(response.headers);
  };
  const headers = await ask('a');
  expect(headers).toEqual({
    'content-type': 'application/json',
    'openai-organization': 'mock-organization',
    'openai-processing-ms': expect.stringMatching(/^\d+$/),
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': expect.stringMatching(/^\d+ms$/),
    'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
  });
  expect(await ask('a')).toEqual(headers);
  expect((await ask('no such scenario'))['openai-version']).toBe('2020-10-01');
});
