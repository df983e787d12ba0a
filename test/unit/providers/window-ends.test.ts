import { expect, it } from 'vitest';
import type { LanguageModel, ModelEvent } from '../../../src/agent/ports/language-model.ts';
import { withWindowEnds } from '../../../src/providers/window-ends.ts';
import { collect } from '../../support/contracts/language-model.ts';

const usage = (inputTokens: number, outputTokens: number): ModelEvent => ({ type: 'usage', inputTokens, outputTokens });

it.each<[string, ModelEvent | undefined, number | undefined, string]>([
  ['that reached its limit', usage(8_092, 100), 8_192, 'length'],
  ['that fills the window', usage(8_000, 48), 8_192, 'window'],
  ['far from the end of the window', usage(4_000, 48), 8_192, 'length'],
  ['at a usual size of an unknown window', usage(8_144, 48), undefined, 'window'],
  ['at no size of a window', usage(8_000, 48), undefined, 'length'],
  ['of few tokens', usage(1, 0), undefined, 'length'],
  ['without counts', undefined, 8_192, 'length'],
])('tells why an answer %s was cut', async (_name, counted, tokens, reason) => {
  const model: LanguageModel = {
    identity: { provider: 'p', wire: 'w', model: 'm' },
    ...(tokens === undefined ? {} : { contextWindow: async () => ({ tokens }) }),
    async *stream() {
      if (counted !== undefined) yield counted;
      yield { type: 'finish', reason: 'length' };
    },
  };
  const request = { system: '', messages: [], tools: [] };
  const events = await collect(withWindowEnds(model, async () => 100).stream(request, new AbortController().signal));
  expect(events.at(-1)).toEqual({ type: 'finish', reason });
});

it('takes the window as unknown if its server does not answer', async () => {
  const model: LanguageModel = {
    identity: { provider: 'p', wire: 'w', model: 'm' },
    contextWindow: () => Promise.reject(new Error('gone')),
    async *stream() {
      yield usage(8_144, 48);
      yield { type: 'finish', reason: 'length' };
    },
  };
  const request = { system: '', messages: [], tools: [] };
  const events = await collect(withWindowEnds(model, async () => 100).stream(request, new AbortController().signal));
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'window' });
});

it.each([
  ['openai-responses', 100, 'length'],
  ['openai-responses', 99, 'tool_calls'],
  ['anthropic-messages', 100, 'length'],
  ['anthropic-messages', 99, 'tool_calls'],
  ['openai-chat', 100, 'tool_calls'],
] as const)('finishes an answer over %s of %i tokens with %s', async (wire, outputTokens, reason) => {
  const model: LanguageModel = {
    identity: { provider: 'p', wire, model: 'm' },
    async *stream() {
      yield usage(50, outputTokens);
      yield { type: 'finish', reason: 'tool_calls' };
    },
  };
  const request = { system: '', messages: [], tools: [] };
  const events = await collect(withWindowEnds(model, async () => 100).stream(request, new AbortController().signal));
  expect(events.at(-1)).toEqual({ type: 'finish', reason });
});
