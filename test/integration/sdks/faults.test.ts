import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../mock-llm-server/delivery/clock.ts';
import type { Fault } from '../../../mock-llm-server/scenario/format/fault-format.ts';
import { serveScenarios } from '../../support/serve-scenarios.ts';

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

/** Waits until the server has noticed that a client is gone. */
async function untilIdle(): Promise<void> {
  while (waiting > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** A client under test: whole answers, streams read to the end, and the helper that checks a stream. */
interface Client {
  readonly name: string;
  create(prompt: string, maxRetries?: number): Promise<string | null>;
  /** Texts and arguments, piece by piece. */
  stream(prompt: string, signal?: AbortSignal): AsyncGenerator<string>;
  helper(prompt: string): Promise<unknown>;
}

const openai = (): Client => {
  const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused', maxRetries: 0, logLevel: 'off' });
  const body = (content: string) => ({ model: 'm', messages: [{ role: 'user' as const, content }] });
  return {
    name: 'openai',
    async create(prompt, maxRetries = 0) {
      const completion = await client.chat.completions.create(body(prompt), { maxRetries });
      return completion.choices[0]?.message.content ?? null;
    },
    async *stream(prompt, signal) {
      const chunks = await client.chat.completions.create(
        { ...body(prompt), stream: true },
        { signal: signal ?? null },
      );
      for await (const { choices } of chunks) {
        const delta = choices[0]?.delta;
        yield delta?.content ?? delta?.tool_calls?.[0]?.function?.arguments ?? '';
      }
    },
    helper: (prompt) => client.chat.completions.stream(body(prompt)).finalChatCompletion(),
  };
};

const anthropic = (): Client => {
  const client = new Anthropic({ baseURL: served.url, apiKey: 'unused', maxRetries: 0, logLevel: 'off' });
  const body = (content: string) => ({ model: 'm', max_tokens: 99, messages: [{ role: 'user' as const, content }] });
  return {
    name: 'anthropic',
    async create(prompt, maxRetries = 0) {
      const { content } = await client.messages.create(body(prompt), { maxRetries });
      return content[0]?.type === 'text' ? content[0].text : null;
    },
    async *stream(prompt, signal) {
      const events = await client.messages.create({ ...body(prompt), stream: true }, { signal: signal ?? null });
      for await (const event of events) {
        if (event.type !== 'content_block_delta') continue;
        if (event.delta.type === 'text_delta') yield event.delta.text;
        if (event.delta.type === 'input_json_delta') yield event.delta.partial_json;
      }
    },
    helper: (prompt) => client.messages.stream(body(prompt)).finalMessage(),
  };
};

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe.each([
  ['openai', openai],
  ['@anthropic-ai/sdk', anthropic],
])('%s', (_name, create) => {
  let client: Client;
  beforeAll(() => {
    client = create();
  });

  it.each(['busy once', 'overloaded once'])('succeeds with a retry after %s', async (prompt) => {
    expect(await client.create(`${client.name}: ${prompt}`, 1)).toBe(answer.content);
    expect(served.lines()).toHaveLength(2);
    expect(served.lines()[1]).toMatch(/ 200 .* step 0$/);
  });

  it('succeeds with a second request after a reset', async () => {
    const prompt = `${client.name}: gone once`;
    await expect(client.create(prompt, 1)).rejects.toThrow('terminated');
    expect(await client.create(prompt)).toBe(answer.content);
    expect(served.lines()).toHaveLength(2);
  });

  it('accepts a cut stream as complete, but its helper detects the cut', async () => {
    expect(await readAll(client.stream('before the finish'))).toBe(answer.content);
    await expect(client.helper('before the finish')).rejects.toThrow();
    expect(await readAll(client.stream('after the finish'))).toBe(answer.content);
  });

  it('gets half a stream when the connection is reset', async () => {
    let text = '';
    const reading = (async () => {
      for await (const piece of client.stream('pull the plug')) text += piece;
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(text).not.toBe('');
    expect(answer.content.startsWith(text)).toBe(true);
  });

  it('fails to parse truncated JSON', async () => {
    await expect(readAll(client.stream('no JSON'))).rejects.toThrow(SyntaxError);
  });

  it('assembles characters and arguments from pieces', async () => {
    expect(JSON.parse(await readAll(client.stream('in pieces')))).toEqual(call.tool_calls[0]?.arguments);
  });

  it('gets an empty reply', async () => {
    expect(await client.create('say nothing')).toBeNull();
    expect(await readAll(client.stream('say nothing'))).toBe('');
  });

  it.each(['fall asleep', 'ping for ever'])('stops waiting when it is aborted: %s', async (prompt) => {
    const abort = new AbortController();
    const pieces = client.stream(prompt, abort.signal);
    expect((await pieces.next()).done).toBe(false);
    const rest = readAll(pieces).catch((error: unknown) => error);
    abort.abort();
    await rest;
    await untilIdle();
  });

  it('leaves no timer behind when it gives up before the first token', async () => {
    const abort = new AbortController();
    const reading = readAll(client.stream('hurry up', abort.signal)).catch((error: unknown) => error);
    while (waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await reading;
    await untilIdle();
  });
});
