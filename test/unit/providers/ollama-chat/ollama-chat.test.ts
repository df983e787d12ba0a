import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import { createOllamaChat } from '../../../../src/providers/ollama-chat/ollama-chat.ts';
import { failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { lineStream, messageLine, OVERFLOW, ollamaAnswer, ollamaLine } from '../../../support/wires/ollama-wire.ts';

const KEY = 'secret-0123456789';

function modelOf(answer: () => Response) {
  return createOllamaChat({
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
      return pathname === '/api/chat' ? answer() : ollamaAnswer({}, pathname);
    },
  });
}

function failure(chat: Response): Promise<unknown> {
  const request = { system: '', messages: [], tools: [] };
  return failureOf(modelOf(() => chat).stream(request, new AbortController().signal));
}

/** The warnings about requests of about 8,000 characters that count, of which Ollama counts these tokens. */
async function warningsOf(...inputTokens: readonly number[]): Promise<readonly string[]> {
  const image = { mediaType: 'image/png', data: 'A'.repeat(40_000) } as const;
  const messages: readonly Message[] = [
    { role: 'user', content: 'x'.repeat(7_500) },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'z', name: 'read', arguments: '{}' }],
      reasoning: 'x'.repeat(40_000),
      providerState: { model: 'm', items: ['x'.repeat(40_000)] },
    },
    { role: 'tool', toolCallId: 'z', content: '', isError: false, images: [image] },
  ];
  const counts = [...inputTokens];
  const answer = () => ollamaAnswer({ text: 'Hi.', usage: { inputTokens: counts.shift() ?? 0, outputTokens: 1 } }, '');
  const model = modelOf(answer);
  const warnings: string[] = [];
  for (const _ of inputTokens) {
    const events = model.stream({ system: '', messages, tools: [] }, new AbortController().signal);
    for await (const event of events) if (event.type === 'warning') warnings.push(`${event.code}: ${event.message}`);
  }
  return warnings;
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
    [
      'a line that is no part of an answer',
      lineStream([ollamaLine({ message: 1 })]),
      'network',
      'Ollama sent an invalid answer',
    ],
    ['a line that is not JSON', lineStream(['{"message"\n']), 'network', 'Ollama sent an invalid answer'],
    ['an answer without an end', lineStream([half]), 'cut_off', 'Ollama ended its answer before it was complete'],
    ['half a line at the end', lineStream([half, half.slice(0, 20)]), 'cut_off', 'before it was complete'],
  ])('reports %s', async (_, chat, code, message) => {
    expect(await failure(chat)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  const cut =
    'request_cut: qwen3:14b seems to have read only a part of the request: its server counted far fewer tokens';
  it.each([
    ['far below its length warns', [900, 2_000], [expect.stringContaining(cut)]],
    ['far below its length warns once', [900, 900], [expect.stringContaining(cut)]],
    ['that fits its text does not warn', [1_100, 1_100], []],
  ] as const)('a count of a request %s', async (_name, counts, warnings) => {
    expect(await warningsOf(...counts)).toEqual(warnings);
  });
});
