import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../mock-llm-server/scenario/prepare.ts';
import { type RunningServer, startMockServer } from '../../mock-llm-server/server/listen.ts';
import { systemClock } from '../../src/adapters/system.ts';
import type { ModelRequest } from '../../src/ports/language-model.ts';
import type { Message } from '../../src/ports/messages.ts';
import { chooseModel } from '../../src/providers/choose-model.ts';
import { collect, failureOf } from '../support/contracts/language-model.ts';

const scenarios = createScenarioSet([
  {
    file: 'two-reads.json',
    content: {
      scenarios: [
        {
          name: 'two-reads',
          trigger: 'compare both',
          steps: [
            {
              response: {
                content: 'Reading.',
                tool_calls: [
                  { name: 'read_file', arguments: { path: 'a.js' } },
                  { name: 'read_file', arguments: { path: 'b.js' } },
                ],
              },
            },
            { response: { content: 'They are equal.' } },
          ],
        },
      ],
    },
  },
]);

let server: RunningServer;
beforeAll(async () => {
  server = await startMockServer({ scenarios });
});
afterAll(() => server.close());

function model() {
  const choice = chooseModel(
    {
      llm: { provider: 'mock', endpoint: server.url, max_tokens: 100, timeout_seconds: 10 },
      agent: { retry_attempts: 3, retry_backoff_base_ms: 60_000 },
    },
    {},
    { clock: systemClock, random: () => 0.5 },
  );
  if (choice.type === 'refused') throw new Error(choice.message);
  return choice.open();
}

const ask = (...messages: readonly Message[]): ModelRequest => ({ system: 'Be brief.', messages, tools: [] });
const never = new AbortController().signal;
const question = { role: 'user', content: 'Please compare both files.' } as const;

describe('chat completions before the mock server', () => {
  it('plays a scenario with parallel calls to its end', async () => {
    const first = await collect((await model()).stream(ask(question), never));
    const pieces = first.flatMap((event) => (event.type === 'tool_call_delta' ? [event] : []));
    const toolCalls = [0, 1].map((index) => {
      const own = pieces.filter((piece) => piece.index === index);
      const [{ id = '', name = '' } = {}] = own;
      return { id, name, arguments: own.map((piece) => piece.arguments).join('') };
    });
    expect(toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['read_file', { path: 'a.js' }],
      ['read_file', { path: 'b.js' }],
    ]);
    expect(first.at(-2)).toMatchObject({ type: 'usage', inputTokens: expect.any(Number) });
    expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });

    const results = toolCalls.map(
      ({ id }) => ({ role: 'tool', toolCallId: id, content: 'x', isError: false }) as const,
    );
    const answer = { role: 'assistant', content: 'Reading.', toolCalls } as const;
    const second = await collect((await model()).stream(ask(question, answer, ...results), never));
    const text = second.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
    expect(text).toBe('They are equal.');
    expect(second.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('fails once, with the message of the server, when no scenario matches', async () => {
    const error = await failureOf((await model()).stream(ask({ role: 'user', content: 'compare bth' }), never));
    expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('compare both') });
  });
});
