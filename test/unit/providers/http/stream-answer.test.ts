import { expect, it } from 'vitest';
import { createOpenAiChat } from '../../../../src/providers/openai-chat/openai-chat.ts';
import { failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';

it.each([
  ['application/json', 'answered with application/json instead of an event stream'],
  [null, 'answered with an unknown type instead of an event stream'],
])('reports JSON of the type %j that is no part of an answer', async (type, message) => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('{"status": "running"}');
  }
  const model = createOpenAiChat({
    ...{ provider: 'acme', label: 'Acme', endpoint: 'http://localhost/v1', model: 'm', maxTokens: 100 },
    ...{ timeoutMs: 60_000, clock: createManualClock() },
    fetch: async () => ({ ok: true, status: 200, headers: { get: () => type }, body: body() }),
  });
  const request = { system: '', messages: [], tools: [] };
  const error = await failureOf(model.stream(request, new AbortController().signal));
  expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining(message) });
});
