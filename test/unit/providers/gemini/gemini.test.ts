import { describe, expect, it } from 'vitest';
import type { ModelErrorCode } from '../../../../src/agent/ports/language-model.ts';
import { createGemini } from '../../../../src/providers/gemini/gemini.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { eventStream, frame } from '../../../support/wires/chat-completion-wire.ts';
import { finishFrame, geminiAnswer, partsFrame } from '../../../support/wires/gemini-wire.ts';

const KEY = 'secret-0123456789';
const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const STATE_OF = 'gemini/gemini/gemini-3.8-flash';

function setUp(answer: (path: string) => Response, changed: object = {}) {
  const sent: { url: string; key: string | null; body: unknown }[] = [];
  const options = {
    provider: 'gemini',
    label: 'Gemini',
    endpoint: 'http://localhost/v1beta',
    model: 'gemini-3.8-flash',
    apiKey: KEY,
    keyHeader: 'x-goog-api-key',
    keyVariable: 'GEMINI_API_KEY',
    maxTokens: 100,
    timeoutMs: 60_000,
    clock: createManualClock(),
    async fetch(url: unknown, init?: RequestInit) {
      const key = new Headers(init?.headers).get('x-goog-api-key');
      sent.push({ url: String(url), key, body: JSON.parse(String(init?.body ?? 'null')) });
      return answer(new URL(String(url)).pathname);
    },
    ...changed,
  } as const;
  const model = createGemini(options);
  return { model, options, sent, stream: () => model.stream(request, never) };
}

const events = (...frames: readonly string[]) => collect(setUp(() => eventStream(frames)).stream());

describe('the wire of Gemini', () => {
  it.each([
    ['gemini-3.8-flash', 'models/gemini-3.8-flash'],
    ['tunedModels/my model', 'tunedModels/my%20model'],
  ])('sends one request for %s, with the key in a header alone', async (model, path) => {
    const { sent, stream } = setUp(() => geminiAnswer({ text: 'a' }), { model });
    await collect(stream());
    const url = `http://localhost/v1beta/${path}:streamGenerateContent?alt=sse`;
    expect(sent).toEqual([{ url, key: KEY, body: expect.objectContaining({ contents: [] }) }]);
  });

  it('yields thoughts, text, calls, signatures, usage and the finish', async () => {
    const usageMetadata = {
      promptTokenCount: 9,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 2,
      cachedContentTokenCount: 4,
    };
    const result = await events(
      partsFrame({ text: 'hm', thought: true }),
      partsFrame(
        { text: 'a', thoughtSignature: 'b2xk' },
        { functionCall: { name: 'x', args: { b: 1 } }, thoughtSignature: 'Y2FsbA==' },
      ),
      frame({ usageMetadata: { promptTokenCount: 1 } }),
      partsFrame({ functionCall: { id: 'c2', name: 'y' } }, { text: '', thoughtSignature: 'bmV3' }),
      finishFrame('STOP', { usageMetadata }),
    );
    expect(result).toEqual([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'a' },
      { type: 'tool_call_delta', index: 0, name: 'x', arguments: '{"b":1}' },
      { type: 'tool_call_delta', index: 1, id: 'c2', name: 'y', arguments: '{}' },
      {
        type: 'provider_state',
        state: {
          model: STATE_OF,
          items: [
            { call: null, thoughtSignature: 'bmV3' },
            { call: 0, thoughtSignature: 'Y2FsbA==' },
          ],
        },
      },
      { type: 'usage', inputTokens: 9, outputTokens: 5, cachedTokens: 4 },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
  ])('translates the reason %s to %s', async (reason, expected) => {
    const usageMetadata = { promptTokenCount: 9 };
    const named = { type: 'warning', code: 'content_filter', message: `The service gave the reason ${reason}.` };
    expect(await events(finishFrame(reason, { usageMetadata }))).toEqual([
      ...(expected === 'content_filter' ? [named] : []),
      { type: 'usage', inputTokens: 9, outputTokens: 0 },
      { type: 'finish', reason: expected },
    ]);
  });

  it('reports a prompt that the provider blocks', async () => {
    expect(await events(frame({ promptFeedback: { blockReason: 'SAFETY' } }))).toEqual([
      { type: 'warning', code: 'content_filter', message: 'The service gave the reason SAFETY.' },
      { type: 'finish', reason: 'content_filter' },
    ]);
  });

  const half = partsFrame({ text: 'half' });
  it.each<[string, Response, ModelErrorCode, string]>([
    [
      'a malformed call, which is temporary',
      eventStream([
        frame({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed: x(${KEY}` }] }),
      ]),
      'incomplete_answer',
      'Gemini ended its answer with the reason "MALFORMED_FUNCTION_CALL": Malformed: x([key], so it is not complete. Try again.',
    ],
    ['an unexpected call', eventStream([finishFrame('UNEXPECTED_TOOL_CALL')]), 'incomplete_answer', 'UNEXPECTED'],
    ['another reason', eventStream([half, finishFrame('OTHER')]), 'incomplete_answer', '"OTHER"'],
    [
      'an error in the stream, without the key',
      eventStream([half, frame({ error: { code: 503, message: `Overloaded ${KEY}.`, status: 'UNAVAILABLE' } })]),
      'overloaded',
      'Overloaded [key]',
    ],
    [
      'a frame that is no part of an answer',
      eventStream([frame({ candidates: 1 })]),
      'network',
      'Gemini sent an invalid answer',
    ],
    ['an answer without an end', eventStream([half]), 'cut_off', 'Gemini ended its answer before it was complete'],
    [
      'an invalid key, which the API calls an invalid argument',
      Response.json(
        { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } },
        { status: 400 },
      ),
      'auth',
      'Gemini refused the key in GEMINI_API_KEY (400: API key not valid',
    ],
    [
      'an unknown model',
      Response.json({ error: { code: 404, message: 'models/x is not found for API version v1beta' } }, { status: 404 }),
      'unknown_model',
      'Gemini has no model "gemini-3.8-flash"',
    ],
  ])('reports %s', async (_, response, code, message) => {
    const error = await failureOf(setUp(() => response).stream());
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('waits as long as the error of a limit says', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
    const error = { code: 429, message: 'You exceeded your current quota.', status: 'RESOURCE_EXHAUSTED', details };
    const { stream } = setUp(() => Response.json({ error }, { status: 429 }));
    expect(await failureOf(stream())).toMatchObject({ code: 'rate_limit', retryAfterMs: 34_500 });
  });

  it('asks for the limits of the model once', async () => {
    const asked = setUp(() => Response.json({ inputTokenLimit: 5_000, outputTokenLimit: 600 }));
    expect(await asked.model.contextWindow?.(never)).toEqual({ tokens: 5_000, answerTokens: 600 });
    expect(await asked.model.contextWindow?.(never)).toEqual({ tokens: 5_000, answerTokens: 600 });
    expect(asked.sent.map(({ url }) => url)).toEqual(['http://localhost/v1beta/models/gemini-3.8-flash']);
    for (const inputTokenLimit of [undefined, null, 0, 'many']) {
      expect(await setUp(() => Response.json({ inputTokenLimit })).model.contextWindow?.(never)).toEqual({});
    }
    expect(await setUp(() => Response.json([])).model.contextWindow?.(never)).toBeUndefined();
  });
});
