import { expect, it } from 'vitest';
import { listModels } from '../../../src/providers/list-models.ts';
import type { OfferedModel } from '../../../src/providers/wire-options.ts';
import type { Wire } from '../../../src/providers/wires.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';

const KEY = 'sk-0123456789';

const rows: readonly (readonly [Wire, path: string, answer: object, models: readonly OfferedModel[]])[] = [
  [
    'openai-chat',
    '/models',
    {
      object: 'list',
      data: [
        { id: 'plain', object: 'model' },
        { id: 'router', context_length: 8_000 },
        { id: 'studio', max_context_length: 16_000 },
        { id: 'vllm', max_model_len: 32_000 },
        { id: 'odd', context_length: 'many', max_model_len: 0 },
        { id: 'other', min_context_length: 128, effective_context_length: 24_000 },
      ],
    },
    [
      { name: 'plain' },
      { name: 'router', contextWindow: 8_000 },
      { name: 'studio', contextWindow: 16_000 },
      { name: 'vllm', contextWindow: 32_000 },
      { name: 'odd' },
      { name: 'other', contextWindow: 24_000 },
    ],
  ],
  ['openai-responses', '/models', { data: [{ id: 'gpt-5.4' }] }, [{ name: 'gpt-5.4' }]],
  [
    'anthropic-messages',
    '/v1/models?limit=1000',
    {
      data: [
        { type: 'model', id: 'claude-a', max_input_tokens: 200_000 },
        { type: 'model', id: 'claude-b', max_input_tokens: null },
      ],
      has_more: false,
    },
    [{ name: 'claude-a', contextWindow: 200_000 }, { name: 'claude-b' }],
  ],
  [
    'gemini',
    '/models?pageSize=1000',
    {
      models: [
        { name: 'models/a', inputTokenLimit: 5_000, supportedGenerationMethods: ['generateContent'] },
        { name: 'models/b' },
        { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
      ],
    },
    [{ name: 'a', contextWindow: 5_000 }, { name: 'b' }],
  ],
  ['gemini', '/models?pageSize=1000', {}, []],
  [
    'ollama-chat',
    '/api/tags',
    { models: [{ name: 'a:latest', size: 1 }, { name: 'b:7b' }] },
    [
      { name: 'a:latest', loaded: true, bytes: 1 },
      { name: 'b:7b', loaded: true },
    ],
  ],
];

it.each(rows)('lists the models of a server on the wire %s at %s', async (wire, path, answer, models) => {
  const sent: Request[] = [];
  const options = {
    provider: 'acme',
    label: 'Acme',
    endpoint: 'http://localhost/base',
    apiKey: KEY,
    keyHeader: 'x-api-key',
    model: 'm',
    maxTokens: 1,
    timeoutMs: 1,
    clock: createManualClock(),
    fetch: async (...request: ConstructorParameters<typeof Request>) => {
      sent.push(new Request(...request));
      return Response.json(answer);
    },
  } as const;
  expect(await listModels(wire, options, new AbortController().signal)).toEqual(models);
  expect(sent[0]?.url).toBe(`http://localhost/base${path}`);
  const version = wire === 'anthropic-messages' ? '2023-06-01' : null;
  expect(sent[0]?.headers.get('anthropic-version')).toBe(version);
  expect(sent[0]?.headers.get('x-api-key')).toBe(KEY);
});
