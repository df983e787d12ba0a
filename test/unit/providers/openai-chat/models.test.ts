import { expect, it } from 'vitest';
import { openAiChat } from '../../../../src/providers/openai-chat/openai-chat.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

it('lists the models of a server, with their windows where it states them', async () => {
  const data = [
    { id: 'plain', object: 'model' },
    { id: 'router', context_length: 8_000 },
    { id: 'studio', max_context_length: 16_000 },
    { id: 'vllm', max_model_len: 32_000 },
    { id: 'odd', context_length: 'many', max_model_len: 0 },
  ];
  const models = await openAiChat.listModels(
    {
      provider: 'acme',
      label: 'Acme',
      endpoint: 'http://localhost/v1',
      model: 'm',
      maxTokens: 1,
      timeoutMs: 1,
      clock: createManualClock(),
      fetch: async () => Response.json({ object: 'list', data }),
    },
    new AbortController().signal,
  );
  expect(models).toEqual([
    { name: 'plain' },
    { name: 'router', contextWindow: 8_000 },
    { name: 'studio', contextWindow: 16_000 },
    { name: 'vllm', contextWindow: 32_000 },
    { name: 'odd' },
  ]);
});
