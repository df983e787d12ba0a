import { describe, expect, it } from 'vitest';
import type { ModelErrorCode, ModelEvent, ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import { createOpenAiResponses } from '../../../../src/providers/openai-responses/openai-responses.ts';
import type { WireOptions } from '../../../../src/providers/wire-options.ts';
import { collect } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { DONE, eventStream, frame } from '../../../support/wires/chat-completion-wire.ts';
import { messageEvents, responseEnd, responsesAnswer, responsesFrame } from '../../../support/wires/responses-wire.ts';

const request: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' }], tools: [] };
const never = new AbortController().signal;

function serve(make: () => Response) {
  const requests: Request[] = [];
  const options: WireOptions = {
    provider: 'openai',
    label: 'OpenAI',
    endpoint: 'http://localhost:9/v1',
    model: 'gpt-5.4',
    apiKey: 'sk-very-secret',
    keyVariable: 'OPENAI_API_KEY',
    maxTokens: 100,
    timeoutMs: 60_000,
    clock: createManualClock(),
    fetch: async (...sent) => {
      requests.push(new Request(...sent));
      return make();
    },
  };
  return { requests, options, model: createOpenAiResponses(options) };
}

it('sends one request, with these headers', async () => {
  const { model, requests } = serve(() => responsesAnswer({ text: 'a' }));
  await collect(model.stream(request, never));
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST http://localhost:9/v1/responses']);
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    accept: 'text/event-stream',
    authorization: 'Bearer sk-very-secret',
    'content-type': 'application/json',
    'user-agent': 'ybs',
  });
});

describe('an error within the answer', () => {
  const half = messageEvents(0, ['half']).map(responsesFrame);
  const failed = (error: unknown) => responsesFrame({ type: 'response.failed', response: { status: 'failed', error } });
  const rows: readonly (readonly [name: string, rest: string, ModelErrorCode, message: string])[] = [
    ['a failed response', failed({ code: 'server_error', message: 'Oops.' }), 'overloaded', 'Oops'],
    ['a failed response without an error', failed(null), 'overloaded', 'could not answer'],
    ['a rate limit', failed({ code: 'rate_limit_exceeded', message: 'Slow.' }), 'rate_limit', 'Slow'],
    [
      'a conversation that is too long',
      failed({ code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }),
      'context_overflow',
      'too long for gpt-5.4',
    ],
    ['an error event', responsesFrame({ type: 'error', code: 'invalid_api_key', message: 'No.' }), 'auth', 'No'],
    [
      'a nested error event',
      responsesFrame({ type: 'error', error: { code: '429', message: 'Slow.' } }),
      'rate_limit',
      'Slow',
    ],
    ['a key in the error', failed({ message: 'Bad sk-very-secret' }), 'overloaded', 'Bad [key]'],
    [
      'an event that is none',
      frame({ type: 'response.output_text.delta', output_index: 'a' }),
      'network',
      'invalid answer',
    ],
    ['an end without a last event', DONE, 'cut_off', 'before it was complete'],
  ];
  it.each(rows)('is reported for %s', async (_name, rest, code, message) => {
    const seen: ModelEvent[] = [];
    const { model } = serve(() => eventStream([...half, rest]));
    const thrown: unknown = await collect(model.stream(request, never), seen).catch((reason: unknown) => reason);
    expect(thrown).toMatchObject({ name: 'ModelError', code, message: expect.stringContaining(message) });
    expect(seen).toEqual([{ type: 'text_delta', text: 'half' }]);
  });
});

it('reads a complete answer of a server that closes no stream', async () => {
  const frames = [...messageEvents(0, ['a']), responseEnd('stop')].map(responsesFrame);
  const events = await collect(serve(() => eventStream(frames, 'stall')).model.stream(request, never));
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
});
