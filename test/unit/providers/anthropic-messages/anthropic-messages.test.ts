import { describe, expect, it } from 'vitest';
import type { ModelErrorCode, ModelEvent, ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import { createAnthropicMessages } from '../../../../src/providers/anthropic-messages/anthropic-messages.ts';
import type { WireOptions } from '../../../../src/providers/wire-options.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { stubEnvironment } from '../../../support/fakes/stub-environment.ts';
import {
  anthropicAnswer,
  anthropicFrame,
  blockEvents,
  messageEnd,
  messageStart,
} from '../../../support/wires/anthropic-wire.ts';
import { eventStream } from '../../../support/wires/chat-completion-wire.ts';

const KEY = 'sk-ant-very-secret';
const request: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' }], tools: [] };
const never = new AbortController().signal;

/** A server that gives this answer to every request, and the requests that it got. */
function serve(make: () => Response, changed: Partial<WireOptions> = {}) {
  const requests: Request[] = [];
  const options: WireOptions = {
    provider: 'anthropic',
    label: 'Anthropic',
    endpoint: 'http://localhost:9',
    model: 'claude-sonnet-5',
    apiKey: KEY,
    keyHeader: 'x-api-key',
    keyVariable: 'ANTHROPIC_API_KEY',
    maxTokens: 100,
    timeoutMs: 60_000,
    clock: createManualClock(Date.UTC(2026, 10, 20, 9)),
    fetch: async (...sent) => {
      requests.push(new Request(...sent));
      return make();
    },
    ...changed,
  };
  return { requests, options, model: createAnthropicMessages(options) };
}

const headersOf = (received: Request | undefined) => Object.fromEntries(received?.headers ?? []);

describe('a request for a message', () => {
  it('is sent once, with these headers and nothing from the environment or a configuration of the SDK', async () => {
    stubEnvironment({
      ANTHROPIC_BASE_URL: 'http://elsewhere.test',
      ANTHROPIC_API_KEY: 'sk-other',
      ANTHROPIC_AUTH_TOKEN: 'other',
      ANTHROPIC_CUSTOM_HEADERS: 'x-secret: 1',
      ANTHROPIC_LOG: 'debug',
      ANTHROPIC_PROFILE: 'other',
    });
    const { model, requests } = serve(() => anthropicAnswer({ text: 'a' }));
    await collect(model.stream(request, never));
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST http://localhost:9/v1/messages']);
    expect(headersOf(requests[0])).toEqual({
      accept: 'text/event-stream',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      'user-agent': 'ybs',
      'x-api-key': KEY,
    });
    expect(await requests[0]?.json()).toMatchObject({ model: 'claude-sonnet-5', stream: true });
  });

  it('carries a token as Bearer, and no authorization without one', async () => {
    const { model, requests } = serve(() => anthropicAnswer({ text: 'a' }), { keyHeader: undefined });
    await collect(model.stream(request, never));
    expect(headersOf(requests[0])).toMatchObject({ authorization: `Bearer ${KEY}` });
    const open = serve(() => anthropicAnswer({ text: 'a' }), { apiKey: undefined });
    await collect(open.model.stream(request, never));
    expect(Object.keys(headersOf(open.requests[0]))).toEqual([
      'accept',
      'anthropic-version',
      'content-type',
      'user-agent',
    ]);
  });
});

const refusal = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' });

describe('an error before the answer', () => {
  const QUOTA = 'Anthropic reports that the quota of the account';
  const NO_MODEL = 'Anthropic has no model "claude-sonnet-5" (404: model: claude-1)';
  const NO_KEY = 'Anthropic refused the key in ANTHROPIC_API_KEY (401: invalid x-api-key)';
  const TOO_LONG = 'prompt is too long: 210000 tokens > 200000 maximum';
  const OVER_LIMIT = 'input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000';
  const NO_CREDIT = 'Your credit balance is too low to access the API.';
  const rows: readonly (readonly [status: number, type: string, message: string, ModelErrorCode, expected: string])[] =
    [
      [401, 'authentication_error', 'invalid x-api-key', 'auth', NO_KEY],
      [404, 'not_found_error', 'model: claude-1', 'unknown_model', NO_MODEL],
      [413, 'request_too_large', 'Too large.', 'context_overflow', 'too long for claude-sonnet-5'],
      [400, 'invalid_request_error', TOO_LONG, 'context_overflow', 'too long'],
      [400, 'invalid_request_error', OVER_LIMIT, 'context_overflow', 'too long'],
      [402, 'billing_error', 'Pay.', 'bad_request', `${QUOTA} is used up: Pay`],
      [400, 'invalid_request_error', NO_CREDIT, 'bad_request', QUOTA],
      [529, 'overloaded_error', 'Overloaded', 'overloaded', 'could not answer (529: Overloaded)'],
    ];
  it.each(rows)('is reported for %i %s: %s', async (status, type, message, code, expected) => {
    const { model, requests } = serve(() =>
      Response.json(refusal(type, message), { status, headers: { 'retry-after': '7' } }),
    );
    const error = await failureOf(model.stream(request, never));
    expect(error).toMatchObject({ code, message: expect.stringContaining(expected), retryAfterMs: 7_000 });
    expect(requests).toHaveLength(1);
  });

  it('is reported for a page, with a hint at the provider', async () => {
    const page = () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } });
    const error = await failureOf(serve(page).model.stream(request, never));
    expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('answered with text/html') });
  });
});

describe('an error within the answer', () => {
  const half = [
    messageStart(),
    ...blockEvents(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'half' }),
  ].map(anthropicFrame);
  const error = (type: string, message = 'It went wrong.') => anthropicFrame(refusal(type, message));
  const rows: readonly (readonly [name: string, rest: string, ModelErrorCode])[] = [
    ['too much load', error('overloaded_error'), 'overloaded'],
    ['an internal error', error('api_error'), 'overloaded'],
    ['a rate limit', error('rate_limit_error'), 'rate_limit'],
    ['a key that ended', error('authentication_error'), 'auth'],
    ['a bad request', error('invalid_request_error'), 'bad_request'],
    ['a prompt that is too long', error('invalid_request_error', 'prompt is too long'), 'context_overflow'],
    ['an error that is not JSON', 'event: error\ndata: Bad gateway\n\n', 'overloaded'],
    ['broken JSON', 'event: content_block_delta\ndata: {"type": \n\n', 'network'],
    ['an event that is none', anthropicFrame({ type: 'content_block_delta', index: 'a' }), 'network'],
    ['an end without a stop reason', '', 'cut_off'],
    ['a last event without a stop reason', anthropicFrame({ type: 'message_stop' }), 'cut_off'],
  ];
  it.each(rows)('is reported for %s', async (_name, rest, code) => {
    const seen: ModelEvent[] = [];
    const { model } = serve(() => eventStream([...half, rest]));
    const thrown: unknown = await collect(model.stream(request, never), seen).catch((reason: unknown) => reason);
    expect(thrown).toMatchObject({ name: 'ModelError', code });
    expect(seen).toEqual([{ type: 'text_delta', text: 'half' }]);
  });

  it('repeats no key that the server repeats', async () => {
    const { model } = serve(() => eventStream([...half, error('api_error', `Bad key ${KEY}`)]));
    expect(await failureOf(model.stream(request, never))).toMatchObject({
      message: expect.stringContaining('Bad key [key]'),
    });
  });

  it('is not reported for a complete answer without its last event', async () => {
    const frames = [...half, ...messageEnd('end_turn').slice(0, 1).map(anthropicFrame)];
    const events = await collect(serve(() => eventStream(frames)).model.stream(request, never));
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });
});
