import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../mock-llm-server/delivery/clock.ts';
import type { Fault } from '../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import { ANTHROPIC_SDKS } from '../../support/sdks/anthropic.ts';
import { OPENAI_SDKS } from '../../support/sdks/openai.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const answer = { content: 'Grüße an 漢字 und 🙂 von hier.' };
const call = { tool_calls: [{ name: 'write_file', arguments: { path: 'a "b".txt', content: '漢字 🙂 \\ \n' } }] };
const once = { retry_after: 0.001, times: 1 };

/** The fault of each scenario, by the trigger of the scenario. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'busy once': { status: 429, ...once },
  'overloaded once': { status: 529, ...once },
  'gone once': { reset: true, times: 1 },
  'before the finish': { cut: 'before_finish' },
  'after the finish': { cut: 'after_finish' },
  'pull the plug': { reset: true },
  'no JSON': { malformed_chunk: true },
  'fall asleep': { stall: 'forever' },
  'ping for ever': { stall: 'pings', ping_every_ms: 1 },
  'say nothing': { empty_answer: true },
  'in pieces': { split_utf8: true, split_arguments: true },
};

/** Number of pending delays. */
let waiting = 0;

const scenarios = Object.entries(FAULTS).map(([name, fault]) => ({
  name,
  trigger: name,
  steps: [{ response: name === 'in pieces' ? call : answer, fault }],
}));
const served = serveScenarios(
  [
    ...scenarios,
    { name: 'plain', trigger: 'nothing wrong', steps: [{ response: answer }] },
    { name: 'slow', trigger: 'hurry up', steps: [{ response: answer, timing: { time_to_first_token_ms: 60_000 } }] },
  ],
  {
    clock: {
      now: systemClock.now,
      async sleep(ms, signal) {
        waiting++;
        try {
          await systemClock.sleep(ms, signal);
        } finally {
          waiting--;
        }
      },
    },
  },
);

/** Waits until the server has noticed that a client has disconnected. */
async function untilIdle(): Promise<void> {
  while (waiting > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Texts and arguments of a stream that is read to its end, piece by piece. */
type ReadPieces = (prompt: string, signal?: AbortSignal) => AsyncGenerator<string>;

const options = { apiKey: 'unused', maxRetries: 0, logLevel: 'off' } as const;
const messagesOf = (content: string) => [{ role: 'user' as const, content }];

const readOpenAi: ReadPieces = async function* (prompt, signal) {
  const client = new OpenAI({ baseURL: `${served.url}/v1`, ...options });
  const request = { model: 'm', messages: messagesOf(prompt), stream: true } as const;
  for await (const { choices } of await client.chat.completions.create(request, { signal: signal ?? null })) {
    const delta = choices[0]?.delta;
    yield delta?.content ?? delta?.tool_calls?.[0]?.function?.arguments ?? '';
  }
};

const readAnthropic: ReadPieces = async function* (prompt, signal) {
  const client = new Anthropic({ baseURL: served.url, ...options });
  const request = { model: 'm', max_tokens: 99, messages: messagesOf(prompt), stream: true } as const;
  for await (const event of await client.messages.create(request, { signal: signal ?? null })) {
    if (event.type !== 'content_block_delta') continue;
    if (event.delta.type === 'text_delta') yield event.delta.text;
    if (event.delta.type === 'input_json_delta') yield event.delta.partial_json;
  }
};

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe.each([
  ...OPENAI_SDKS.slice(0, 1).map((sdk) => [sdk.name, sdk, readOpenAi] as const),
  ...ANTHROPIC_SDKS.map((sdk) => [sdk.name, sdk, readAnthropic] as const),
])('%s', (name, sdk, read) => {
  const clientOf = (maxRetries: number) => sdk.open(served.url, { maxRetries });

  it.each(['busy once', 'overloaded once'])('succeeds with a retry after %s', async (prompt) => {
    expect(await clientOf(1).generate(`${name}: ${prompt}`)).toMatchObject({ text: answer.content });
    expect(served.lines()).toHaveLength(2);
    expect(served.lines()[1]).toMatch(/ 200 .* step 0$/);
  });

  it('succeeds with a second request after a reset', async () => {
    const prompt = `${name}: gone once`;
    await expect(clientOf(1).generate(prompt)).rejects.toThrow('terminated');
    expect(await clientOf(0).generate(prompt)).toMatchObject({ text: answer.content });
    expect(served.lines()).toHaveLength(2);
  });

  it('accepts a truncated stream as complete, but its helper detects the truncation', async () => {
    expect(await readAll(read('before the finish'))).toBe(answer.content);
    await expect(clientOf(0).stream('before the finish')).rejects.toThrow();
    expect(await readAll(read('after the finish'))).toBe(answer.content);
  });

  it('receives a part of the stream when the connection is reset', async () => {
    let text = '';
    const reading = (async () => {
      for await (const piece of read('pull the plug')) text += piece;
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(text).not.toBe('');
    expect(answer.content.startsWith(text)).toBe(true);
  });

  it('fails to parse truncated JSON', async () => {
    await expect(readAll(read('no JSON'))).rejects.toThrow(SyntaxError);
  });

  it('assembles characters and arguments from pieces', async () => {
    expect(JSON.parse(await readAll(read('in pieces')))).toEqual(call.tool_calls[0]?.arguments);
  });

  it('receives an empty reply', async () => {
    expect(await clientOf(0).generate('say nothing')).toMatchObject({ text: '' });
    expect(await readAll(read('say nothing'))).toBe('');
  });

  it.each(['fall asleep', 'ping for ever'])('stops waiting when it is aborted: %s', async (prompt) => {
    const abort = new AbortController();
    const pieces = read(prompt, abort.signal);
    expect((await pieces.next()).done).toBe(false);
    const rest = readAll(pieces).catch((error: unknown) => error);
    abort.abort();
    await rest;
    await untilIdle();
  });

  it('leaves no timer behind when it gives up before the first token', async () => {
    const abort = new AbortController();
    const reading = readAll(read('hurry up', abort.signal)).catch((error: unknown) => error);
    while (waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await reading;
    await untilIdle();
  });
});
