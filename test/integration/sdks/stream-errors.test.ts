import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../mock-llm-server/scenario/format/fault-format.ts';
import { serveScenarios } from '../../support/serve-scenarios.ts';
import { withoutBackoff } from '../../support/without-backoff.ts';

const content = 'One two three four five six.';
const error = { status: 429, message: 'Too many tokens.', code: 'rate_limit_exceeded' } as const;

/** The fault of each scenario, by the trigger of the scenario. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'fail in the middle': { ...error, at: { pieces: 2 } },
  'fail at once': { status: 400, message: 'Too long.', code: 'context_length_exceeded', at: { pieces: 0 } },
  'fail with a type': { status: 529, message: 'Busy.', type: 'overloaded_error', at: 'before_finish' },
  'too long': { status: 400, message: 'Too long.', code: 'context_length_exceeded', type: 'invalid_request_error' },
  'hang up before the headers': { reset: true, at: 'before_headers' },
  'hang up once': { reset: true, at: 'before_headers', times: 1 },
  'hang up at the start': { reset: true, at: { pieces: 0 } },
  'hang up in a word': { reset: true, at: { characters: 5 } },
  'hang up after the text': { reset: true, at: 'before_finish' },
  'hang up before the end': { reset: true, at: 'after_finish' },
};

const served = serveScenarios(
  Object.entries(FAULTS).map(([name, fault]) => ({
    name,
    trigger: { regex: `^${name}$` },
    steps: [{ response: { content }, fault }],
  })),
);

/** A client under test. `stream` yields texts; `create` asks for an answer that is not streamed. */
interface Client {
  stream(prompt: string): AsyncGenerator<string>;
  create(prompt: string, maxRetries?: number): Promise<unknown>;
}

function openaiChat(): Client {
  const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused', maxRetries: 0, logLevel: 'off' });
  const body = (prompt: string) => ({ model: 'm', messages: [{ role: 'user' as const, content: prompt }] });
  return {
    async *stream(prompt) {
      const chunks = await client.chat.completions.create({ ...body(prompt), stream: true });
      for await (const { choices } of chunks) yield choices[0]?.delta.content ?? '';
    },
    create: (prompt, maxRetries = 0) => client.chat.completions.create(body(prompt), { maxRetries }),
  };
}

function openaiResponses(): Client {
  const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused', maxRetries: 0, logLevel: 'off' });
  return {
    async *stream(input) {
      const events = await client.responses.create({ model: 'm', input, stream: true });
      for await (const event of events) if (event.type === 'response.output_text.delta') yield event.delta;
    },
    create: (input, maxRetries = 0) => client.responses.create({ model: 'm', input }, { maxRetries }),
  };
}

function anthropic(): Client {
  const client = new Anthropic({ baseURL: served.url, apiKey: 'unused', maxRetries: 0, logLevel: 'off' });
  const body = (prompt: string) => ({
    model: 'm',
    max_tokens: 99,
    messages: [{ role: 'user' as const, content: prompt }],
  });
  return {
    async *stream(prompt) {
      const events = await client.messages.create({ ...body(prompt), stream: true });
      for await (const event of events) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text;
      }
    },
    create: (prompt, maxRetries = 0) => client.messages.create(body(prompt), { maxRetries }),
  };
}

function googleGenAi(): Client {
  const client = new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: served.url } });
  return {
    async *stream(contents) {
      const chunks = await client.models.generateContentStream({ model: 'm', contents });
      for await (const { text } of chunks) yield text ?? '';
    },
    create: (contents) => client.models.generateContent({ model: 'm', contents }),
  };
}

function ollama(): Client {
  const client = new Ollama({ host: served.url });
  const body = (prompt: string) => ({ model: 'm', messages: [{ role: 'user', content: prompt }] });
  return {
    async *stream(prompt) {
      const parts = await client.chat({ ...body(prompt), stream: true });
      for await (const { message } of parts) yield message.content;
    },
    create: (prompt) => client.chat(body(prompt)),
  };
}

/** The texts of a stream until its end or its failure. */
async function read(pieces: AsyncIterable<string>): Promise<{ readonly text: string; readonly error: unknown }> {
  let text = '';
  try {
    for await (const piece of pieces) text += piece;
  } catch (failure) {
    return { text, error: failure };
  }
  return { text, error: undefined };
}

const isReset = (error: unknown) =>
  error instanceof Error && (error.message === 'terminated' || error.message === 'aborted');

describe.each<readonly [string, () => Client]>([
  ['openai, Chat Completions', openaiChat],
  ['openai, Responses', openaiResponses],
  ['@anthropic-ai/sdk', anthropic],
  ['@google/genai', googleGenAi],
  ['ollama', ollama],
])('%s', (name, create) => {
  it.each<readonly [string, string, string]>([
    ['fail in the middle', 'One two', 'Too many tokens.'],
    ['fail at once', '', 'Too long.'],
    ['fail with a type', content, 'Busy.'],
  ])('throws the error event of a stream after the texts before it: %s', async (prompt, text, message) => {
    const result = await read(create().stream(prompt));
    expect(result).toMatchObject({ text, error: { message: expect.stringContaining(message) } });
  });

  it.each<readonly [string, string]>([
    ['hang up at the start', ''],
    ['hang up in a word', 'One t'],
    ['hang up after the text', content],
  ])('gets what was sent before a reset: %s', async (prompt, text) => {
    const result = await read(create().stream(prompt));
    expect(result).toMatchObject({ text, error: expect.toSatisfy(isReset) });
  });

  it('gets the whole text before a reset at the end, which only a client that reads on after the last event notices', async () => {
    const { text, error: failure } = await read(create().stream('hang up before the end'));
    expect([text, isReset(failure)]).toEqual([content, name !== 'ollama']);
  });

  it('gets no response when the connection is reset before the headers', async () => {
    const failed = await read(create().stream('hang up before the headers'));
    expect(failed).toMatchObject({ text: '', error: expect.any(Error) });
    await expect(create().create('hang up before the headers')).rejects.toThrow(/fetch failed|Connection error/);
    expect(served.lines()).toHaveLength(2);
  });
});

describe('an error with a code and a type', () => {
  it.each([
    ['openai, Chat Completions', openaiChat],
    ['openai, Responses', openaiResponses],
  ])('reaches the fields of %s, with a status and in a stream', async (_name, create) => {
    const fields = { code: 'context_length_exceeded', type: 'invalid_request_error' };
    await expect(create().create('too long')).rejects.toMatchObject({ status: 400, ...fields });
    expect((await read(create().stream('fail at once'))).error).toMatchObject({ status: undefined, ...fields });
  });

  it('reaches the type of @anthropic-ai/sdk, with a status and in a stream', async () => {
    await expect(anthropic().create('too long')).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
    const { error: failure } = await read(anthropic().stream('fail with a type'));
    expect(failure).toMatchObject({ status: undefined, type: 'overloaded_error' });
  });

  it('reaches the status and the message of @google/genai and ollama', async () => {
    const { error: failure } = await read(googleGenAi().stream('fail in the middle'));
    expect(failure).toMatchObject({ name: 'ApiError', status: 429 });
    await expect(ollama().create('too long')).rejects.toMatchObject({ status_code: 400, message: 'Too long.' });
  });
});

it.each([
  ['openai, Chat Completions', openaiChat],
  ['openai, Responses', openaiResponses],
  ['@anthropic-ai/sdk', anthropic],
])('%s sends a request again whose connection was reset before the headers', async (name, create) => {
  expect(await withoutBackoff(() => create().create('hang up once', 1))).toMatchObject({ model: 'm' });
  expect([name, served.answers().at(-1)]).toEqual([name, '200 hang up once step 0']);
});
