import { expect, it } from 'vitest';
import { createAnthropicMessages } from '../../../../src/providers/anthropic-messages/anthropic-messages.ts';
import { createGemini } from '../../../../src/providers/gemini/gemini.ts';
import { createOpenAiChat } from '../../../../src/providers/openai-chat/openai-chat.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
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

const chunks = (...values: readonly object[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');

it.each([
  ['Gemini', createGemini, chunks({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] })],
  [
    'Chat Completions',
    createOpenAiChat,
    chunks({ choices: [{ delta: { content: 'Hi' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }),
  ],
  [
    'Messages',
    createAnthropicMessages,
    chunks(
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ),
  ],
])('ends an answer of %s whose server names the reason, and never ends it', async (_name, create, text) => {
  const clock = createManualClock();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
    await new Promise(() => {});
  }
  const model = create({
    ...{ provider: 'acme', label: 'Acme', endpoint: 'http://localhost/v1', model: 'm', maxTokens: 100 },
    ...{ timeoutMs: 60_000, clock },
    fetch: async () => ({ ok: true, status: 200, headers: { get: () => 'text/event-stream' }, body: body() }),
  });
  const request = { system: '', messages: [], tools: [] };
  const events = collect(model.stream(request, new AbortController().signal));
  await clock.advance(2_000);
  expect(await events).toEqual([
    { type: 'text_delta', text: 'Hi' },
    { type: 'finish', reason: 'stop' },
  ]);
});

it('reports a reason that is no end, of a server that never ends its answer', async () => {
  const clock = createManualClock();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(chunks({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'abort' }] }));
    await new Promise(() => {});
  }
  const model = createOpenAiChat({
    ...{ provider: 'acme', label: 'Acme', endpoint: 'http://localhost/v1', model: 'm', maxTokens: 100 },
    ...{ timeoutMs: 60_000, clock },
    fetch: async () => ({ ok: true, status: 200, headers: { get: () => 'text/event-stream' }, body: body() }),
  });
  const error = failureOf(model.stream({ system: '', messages: [], tools: [] }, new AbortController().signal));
  await clock.advance(2_000);
  expect(await error).toMatchObject({ code: 'incomplete_answer' });
});
