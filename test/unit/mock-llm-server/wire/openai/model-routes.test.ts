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

// Recordings 001-models of the local servers; the comments in services/model-lists.ts name the other sources.
describe('the list of a service', () => {
  const id = 'mock-model';
  const object = 'list';
  const own = (fields: object, absent: object = {}) => expect.objectContaining({ id, ...fields, ...absent });
  it.each([
    ['/as/openai/v1/models', { object, data: [model(id)] }],
    ['/as/ollama/v1/models', { object, data: [{ ...model(id), owned_by: 'library' }] }],
    ['/as/litellm/v1/models', { object, data: [{ ...model(id), owned_by: 'openai' }] }],
    [
      '/as/vllm/v1/models',
      { object, data: [own({ owned_by: 'vllm', root: id, parent: null, max_model_len: 131_072 })] },
    ],
    ['/as/llamacpp/v1/models', { models: [expect.anything()], object, data: [own({ owned_by: 'llamacpp' })] }],
    ['/as/together/v1/models', [own({ object: 'model', context_length: 131_072 })]],
    ['/as/openrouter/api/v1/models', { data: [own({ canonical_slug: id }, { per_request_limits: null })] }],
    ['/api/v1/models', { data: [own({ pricing: { prompt: '0.0000025', completion: '0.00001' } })] }],
    ['/as/lmstudio/v1/models', { object, data: [{ id, object: 'model', owned_by: 'organization_owner' }] }],
    ['/as/deepseek/models', { object, data: [{ id, object: 'model', owned_by: 'deepseek' }] }],
    ['/as/mistral/v1/models', { object, data: [own({ max_context_length: 131_072, deprecation: null })] }],
    [
      '/as/copilot/models',
      { object, data: [own({ model_picker_enabled: true, policy: { state: 'enabled', terms: '' } })] },
    ],
  ])('%s', async (path, list) => {
    const response = await app.request(path, { headers: { 'editor-version': 'vscode/1.99' } });
    expect(await response.json()).toEqual(list);
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
