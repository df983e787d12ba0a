import { describe, expect, it } from 'vitest';
import { createOllamaChat } from '../../../../src/providers/ollama-chat/ollama-chat.ts';
import { failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { lineStream, messageLine, OVERFLOW, ollamaAnswer, ollamaLine } from '../../../support/ollama-wire.ts';

const KEY = 'secret-0123456789';

function failure(chat: Response): Promise<unknown> {
  const model = createOllamaChat({
    provider: 'ollama',
    label: 'Ollama',
    endpoint: 'http://localhost:11434',
    model: 'qwen3:14b',
    apiKey: KEY,
    maxTokens: 100,
    timeoutMs: 60_000,
    clock: createManualClock(),
    async fetch(url) {
      const { pathname } = new URL(String(url));
      return pathname === '/api/chat' ? chat : ollamaAnswer({}, pathname);
    },
  });
  return failureOf(model.stream({ system: '', messages: [], tools: [] }, new AbortController().signal));
}

const half = messageLine({ content: 'half' });

describe('the chat of Ollama', () => {
  it.each([
    [
      'a conversation that is too long',
      Response.json({ error: OVERFLOW }, { status: 400 }),
      'context_overflow',
      'The conversation is too long for qwen3:14b (400: request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it).',
    ],
    [
      'a conversation that is too long for the cache',
      Response.json(
        { error: 'the prompt is longer than the context length currently available to the model' },
        { status: 400 },
      ),
      'context_overflow',
      'too long for qwen3:14b',
    ],
    [
      'an error line, without the key',
      lineStream([half, ollamaLine({ error: `model runner has stopped ${KEY}` })]),
      'overloaded',
      'Ollama could not answer (in the middle of the answer: model runner has stopped [key]).',
    ],
    [
      'an overflow within the answer',
      lineStream([half, ollamaLine({ error: OVERFLOW })]),
      'context_overflow',
      'exceeds the available context size',
    ],
    ['a line that is no part of an answer', lineStream([ollamaLine([1])]), 'network', 'Ollama sent an invalid answer'],
    ['a line that is not JSON', lineStream(['{"message"\n']), 'network', 'Ollama sent an invalid answer'],
    ['an answer without an end', lineStream([half]), 'cut_off', 'Ollama ended its answer before it was complete'],
    ['half a line at the end', lineStream([half, half.slice(0, 20)]), 'cut_off', 'before it was complete'],
  ])('reports %s', async (_, chat, code, message) => {
    expect(await failure(chat)).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
