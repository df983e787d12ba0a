import fc from 'fast-check';
import { type Message, Ollama, type ToolCall } from 'ollama';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MockLlm, startMockLlm } from '../../mock-llm-server/testing.ts';
import { ollama } from '../../mock-llm-server/wire/ollama.ts';
import { encodeOllamaFrames } from '../../mock-llm-server/wire/ollama-reply.ts';
import { anyReply, chunkedResponse } from '../support/any-reply.ts';
import { propertySettings } from '../support/property.ts';

const awkward = { path: 'a "b"/ü.txt', content: '漢字 🙂 \\ \n</tag>' };
const FAILURES = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503] as const;
const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
};
const scenarios = [
  {
    name: 'two-reads',
    trigger: 'read both',
    steps: [
      {
        response: {
          content: 'I read both – 漢字 🙂.',
          tool_calls: [
            { name: 'read_file', arguments: { path: 'a.txt' } },
            { name: 'list_files', arguments: awkward },
          ],
        },
      },
      { response: { tool_calls: [{ name: 'write_file', arguments: awkward }] } },
      { response: { content: 'Both are read.' } },
    ],
  },
  {
    name: 'thoughtful',
    trigger: 'think first',
    steps: [{ response: { reasoning: 'They want – 漢字 🙂.', content: 'I have thought.' } }],
  },
  { name: 'person', trigger: 'who is it', steps: [{ response: { content: '{"name":"王","age":30}' } }] },
  {
    name: 'endless',
    trigger: 'wait for it',
    steps: [{ response: { content: 'a b c d' }, fault: { stall: 'forever' as const } }],
  },
  {
    name: 'cut',
    trigger: 'cut it',
    steps: [{ response: { content: 'a b' }, fault: { cut: 'before_finish' as const } }],
  },
  {
    name: 'no model',
    trigger: 'no such model',
    steps: [{ response: { content: 'Never said.' }, fault: { status: 404 as const } }],
  },
  ...FAILURES.map((status) => ({
    name: `failure ${status}`,
    trigger: `fail with ${status}`,
    steps: [{ response: { content: 'Never said.' }, fault: { status, message: `No: ${status}` } }],
  })),
];

let server: MockLlm;
let client: Ollama;
let before: number;

beforeAll(async () => {
  server = await startMockLlm({ scenarios });
  client = new Ollama({ host: server.url });
});
afterAll(() => server.close());
beforeEach(() => {
  before = server.requests.length;
});

const asked = () => server.requests.slice(before);

function ask(content: string) {
  const messages: Message[] = [{ role: 'user', content }];
  return { model: 'qwen3:8b', messages };
}

async function streamed(request: ReturnType<typeof ask>, from = client): Promise<Message> {
  let content = '';
  let thinking = '';
  const calls: ToolCall[] = [];
  for await (const { message } of await from.chat({ ...request, stream: true })) {
    content += message.content;
    thinking += message.thinking ?? '';
    calls.push(...(message.tool_calls ?? []));
  }
  return {
    role: 'assistant',
    content,
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

describe('the ollama client', () => {
  it('gets an answer with parallel calls', async () => {
    const response = await client.chat(ask('please read both'));
    expect(response).toMatchObject({ model: 'qwen3:8b', done: true, done_reason: 'stop' });
    expect(response.message.content).toBe('I read both – 漢字 🙂.');
    expect(response.message.tool_calls?.map((call) => call.function)).toEqual([
      { index: 0, name: 'read_file', arguments: { path: 'a.txt' } },
      { index: 1, name: 'list_files', arguments: awkward },
    ]);
    expect(response.prompt_eval_count).toBeGreaterThan(0);
    expect(response.eval_count).toBeGreaterThan(0);
    expect(response.total_duration).toBe(
      response.load_duration + response.prompt_eval_duration + response.eval_duration,
    );
  });

  it.each(['please read both', 'think first'])('streams the same answer to "%s"', async (content) => {
    const { message } = await client.chat(ask(content));
    expect(await streamed(ask(content))).toEqual(message);
  });

  it.each([
    ['named', false],
    ['named', true],
    ['without a name', false],
    ['without ids', true],
  ])('plays a story to its end (results %s, streaming: %s)', async (how, streaming) => {
    const request = ask('please read both');
    const said: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const message = streaming ? await streamed(request) : (await client.chat(request)).message;
      said.push(message.content);
      if (message.tool_calls === undefined) break;
      // The types of the client know no ids, and many clients drop them.
      const calls = message.tool_calls.map((call) => (how === 'without ids' ? { function: call.function } : call));
      const results = calls.map((call) => {
        return { role: 'tool', content: 'ok', ...(how !== 'without a name' && { tool_name: call.function.name }) };
      });
      request.messages.push({ ...message, tool_calls: calls }, ...(how === 'named' ? results.reverse() : results));
    }
    expect(said).toEqual(['I read both – 漢字 🙂.', '', 'Both are read.']);
    expect(asked()).toHaveLength(3);
  });

  it('thinks unless it is told not to', async () => {
    const thought = await client.chat({ ...ask('think first'), think: true });
    expect(thought.message).toEqual({
      role: 'assistant',
      content: 'I have thought.',
      thinking: 'They want – 漢字 🙂.',
    });
    const quiet = await client.chat({ ...ask('think first'), think: false });
    expect(quiet.message).toEqual({ role: 'assistant', content: 'I have thought.' });
  });

  it('gets the answer of a scenario as the JSON it asked for, and an instance where none answers', async () => {
    const told = await client.chat({ ...ask('who is it'), format: person });
    expect(told.message.content).toBe('{"name":"王","age":30}');
    const made = await client.chat({ ...ask('somebody else'), format: person });
    expect(JSON.parse(made.message.content)).toEqual({ name: expect.any(String), age: expect.any(Number) });
    const any = await client.chat({ ...ask('somebody else'), format: 'json' });
    expect(JSON.parse(any.message.content)).toBeTypeOf('object');
  });

  it('loads and unloads a model, and generates', async () => {
    const loaded = await client.chat({ model: 'qwen3:8b' });
    expect(loaded).toMatchObject({ done: true, done_reason: 'load', message: { content: '' } });
    const unloaded = await client.generate({ model: 'qwen3:8b', prompt: '', keep_alive: 0 });
    expect(unloaded).toMatchObject({ done: true, done_reason: 'unload', response: '' });
    const reasons: string[] = [];
    for await (const part of await client.chat({ model: 'm', stream: true })) reasons.push(part.done_reason);
    expect(reasons).toEqual(['load']);
    const request = { model: 'm', prompt: 'think first' };
    const whole = await client.generate(request);
    expect(whole).toMatchObject({ response: 'I have thought.', thinking: 'They want – 漢字 🙂.' });
    let response = '';
    for await (const part of await client.generate({ ...request, stream: true })) response += part.response;
    expect(response).toBe(whole.response);
  });

  it('sees that a model is not there', async () => {
    await expect(client.chat(ask('no such model'))).rejects.toMatchObject({
      status_code: 404,
      error: "model 'qwen3:8b' not found",
    });
  });

  it('knows models and version', async () => {
    expect((await client.list()).models.map(({ name }) => name)).toEqual(['mock-model:latest']);
    expect((await client.ps()).models).toMatchObject([{ model: 'mock-model:latest', context_length: 131_072 }]);
    expect(await client.show({ model: 'qwen3:8b' })).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking'],
    });
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each(FAILURES)('gets a %i after one request, streaming or not', async (status) => {
    const request = ask(`fail with ${status}`);
    for (const fail of [() => client.chat(request), () => client.chat({ ...request, stream: true })]) {
      await expect(fail()).rejects.toMatchObject({ status_code: status, error: `No: ${status}` });
    }
    expect(asked()).toHaveLength(2);
  });

  it('sees a miss, a stream that is cut and a request that is too long', async () => {
    await expect(client.chat(ask('raed btoh'))).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringContaining('read both'),
    });
    await expect(streamed(ask('cut it'))).rejects.toThrow('Did not receive done or success response in stream.');
    const long = { ...ask(`read both ${'x'.repeat(9000)}`), truncate: false, options: { num_ctx: 2048 } };
    await expect(client.chat(long)).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringMatching(/"type":"exceed_context_size_error","n_prompt_tokens":\d+,"n_ctx":2048/),
    });
  });

  it('leaves a stream that stands still', async () => {
    const stream = await client.chat({ ...ask('wait for it'), stream: true });
    const texts: string[] = [];
    const read = async () => {
      for await (const { message } of stream) {
        texts.push(message.content);
        stream.abort();
      }
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
    expect(texts[0]).toBe('a');
  });
});

describe('a stream cut anywhere into chunks', () => {
  it('is the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.integer({ min: 1, max: 700 }), async (reply, size) => {
        const body = encodeOllamaFrames(reply, { endpoint: 'chat', think: true, contextLength: 4096 })
          .map(({ bytes }) => bytes)
          .join('');
        const respond = async () => chunkedResponse(body, size, ollama.streamType);
        const message = await streamed(ask('x'), new Ollama({ host: server.url, fetch: respond }));
        expect([message.thinking ?? '', message.content]).toEqual([reply.reasoning, reply.content]);
        expect((message.tool_calls ?? []).map((call) => call.function)).toEqual(
          reply.toolCalls.map((call, index) => ({ index, name: call.name, arguments: JSON.parse(call.arguments) })),
        );
      }),
      propertySettings(40),
    );
  });
});
