import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../mock-llm-server/conversation.ts';
import { parseScenarioFile } from '../../mock-llm-server/parse-scenario-file.ts';
import { createScenarioSet } from '../../mock-llm-server/scenario-set.ts';
import { type RunningServer, startMockServer } from '../../mock-llm-server/start-server.ts';
import { anthropicMessages } from '../../mock-llm-server/wire/anthropic-messages.ts';
import { encodeAnthropicFrames, encodeAnthropicReply } from '../../mock-llm-server/wire/anthropic-reply.ts';
import { propertySettings } from '../support/property.ts';

const awkward = { path: 'a "b"/ü.txt', content: '漢字 🙂 \\ \n</tag>' };
const FAILURES = [
  [400, Anthropic.BadRequestError, 'invalid_request_error'],
  [401, Anthropic.AuthenticationError, 'authentication_error'],
  [403, Anthropic.PermissionDeniedError, 'permission_error'],
  [404, Anthropic.NotFoundError, 'not_found_error'],
  [408, Anthropic.RequestTimeoutError, 'timeout_error'],
  [413, Anthropic.ContentTooLargeError, 'request_too_large'],
  [429, Anthropic.RateLimitError, 'rate_limit_error'],
  [500, Anthropic.InternalServerError, 'api_error'],
  [502, Anthropic.InternalServerError, 'api_error'],
  [503, Anthropic.ServiceUnavailableError, 'api_error'],
  [529, Anthropic.OverloadedError, 'overloaded_error'],
] as const;
const file = {
  scenarios: [
    {
      name: 'two-reads',
      trigger: 'read both',
      steps: [
        {
          response: {
            content: 'I read both – 漢字 🙂.',
            tool_calls: [
              { name: 'read_file', arguments: { path: 'a.txt' } },
              { name: 'read_file', arguments: awkward },
            ],
          },
        },
        { response: { tool_calls: [{ name: 'read_file', arguments: awkward }] } },
        { response: { content: 'Both are read.' } },
      ],
    },
    ...FAILURES.map(([status]) => ({
      name: `failure ${status}`,
      trigger: `fail with ${status}`,
      steps: [{ response: { content: 'Never said.' }, fault: { status } }],
    })),
    {
      name: 'busy',
      trigger: 'be busy once',
      steps: [{ response: { content: 'Now.' }, fault: { status: 429, retry_after: 0.001, times: 1 } }],
    },
    {
      name: 'thoughtful',
      trigger: 'think first',
      steps: [
        { response: { reasoning: 'The user wants – 漢字 🙂.', tool_calls: [{ name: 'read_file' }] } },
        { response: { content: 'I have thought.' } },
      ],
    },
    {
      name: 'endless',
      trigger: 'drone on',
      steps: [{ response: { content: 'word '.repeat(2000) }, timing: { tokens_per_second: 20 } }],
    },
    { name: 'long', trigger: 'long', steps: [{ response: { content: 'A long answer.' } }] },
  ],
};
const played = ['200 two-reads step 0', '200 two-reads step 1', '200 two-reads step 2'];
const refusedThread = '400 Message threads are not supported here. Send the full conversation without `thread`.';

let server: RunningServer;
let client: Anthropic;
let lines: string[] = [];

beforeAll(async () => {
  const content = parseScenarioFile(JSON.stringify(file), 'test.json');
  server = await startMockServer({
    scenarios: createScenarioSet([{ file: 'test.json', content }]),
    log: (line) => lines.push(line),
  });
  // The client keeps its own retries, so that the tests see whether the server keeps it from using them.
  client = new Anthropic({ baseURL: server.url, apiKey: 'unused' });
});

afterAll(() => server.close());

beforeEach(() => {
  lines = [];
});

/** What the log says about the answers, without the paths. */
const answers = () => lines.map((line) => line.split(' ').slice(1).join(' '));

function prompt(content: string) {
  const messages: MessageParam[] = [{ role: 'user', content }];
  return { model: 'claude-x', max_tokens: 100, messages };
}

/** A client whose requests all get this answer. */
function clientOf(answer: () => Response): Anthropic {
  return new Anthropic({ apiKey: 'unused', fetch: async () => answer() });
}

describe('the Anthropic client', () => {
  it('gets an answer with parallel calls', async () => {
    const message = await client.messages.create(prompt('please read both'));
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toEqual([
      { type: 'text', text: 'I read both – 漢字 🙂.' },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'read_file', input: { path: 'a.txt' } },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'read_file', input: awkward },
    ]);
    expect(message._request_id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  it('streams the same answer, event by event', async () => {
    const whole = await client.messages.create(prompt('please read both'));
    let text = '';
    const inputs = new Map<number, string>();
    const events = new Set<string>();
    for await (const event of await client.messages.create({ ...prompt('please read both'), stream: true })) {
      events.add(event.type);
      if (event.type !== 'content_block_delta') continue;
      if (event.delta.type === 'text_delta') text += event.delta.text;
      if (event.delta.type === 'input_json_delta') {
        inputs.set(event.index, (inputs.get(event.index) ?? '') + event.delta.partial_json);
      }
    }
    expect([...events]).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(whole.content[0]).toEqual({ type: 'text', text });
    expect([...inputs].map(([index, json]) => [index, JSON.parse(json)])).toEqual([
      [1, { path: 'a.txt' }],
      [2, awkward],
    ]);
  });

  it('puts the stream together to the very message, in its helper', async () => {
    const { _request_id: _, ...whole } = await client.messages.create(prompt('please read both'));
    const message = await client.messages.stream(prompt('please read both')).finalMessage();
    expect(message).toMatchObject(whole);
    expect(message.usage).toEqual(whole.usage);
  });

  it.each([false, true])('plays a story to its end (streaming: %s)', async (streaming) => {
    const request = prompt('please read both');
    for (;;) {
      const message = streaming
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      request.messages.push({ role: 'assistant', content: message.content });
      const results = message.content.flatMap((block) =>
        block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'ok' }] : [],
      );
      if (results.length === 0) break;
      request.messages.push({ role: 'user', content: results });
    }
    expect(request.messages.at(-1)?.content).toEqual([expect.objectContaining({ text: 'Both are read.' })]);
    expect(answers()).toEqual(played);
  });

  it.each([
    ['apiKey', { apiKey: 'unused' }],
    ['authToken', { authToken: 'unused' }],
    ['x-api-key', { apiKey: null, defaultHeaders: { 'x-api-key': 'unused' } }],
  ])('may show who it is by %s', async (_name, options) => {
    const other = new Anthropic({ baseURL: server.url, ...options });
    expect((await other.messages.create(prompt('long'))).stop_reason).toBe('end_turn');
  });

  it('counts the tokens that the answer states', async () => {
    const { max_tokens: _, ...request } = prompt('please read both');
    const { input_tokens } = await client.messages.countTokens(request);
    expect((await client.messages.create(prompt('please read both'))).usage.input_tokens).toBe(input_tokens);
  });

  it('lists the models, and knows any by its name', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(['mock-model']);
    expect(await client.models.retrieve('mock/two-reads')).toMatchObject({ type: 'model', id: 'mock/two-reads' });
  });

  it('gets an instance of the schema it asks for', async () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, count: { type: 'integer' } },
      required: ['title', 'count'],
      additionalProperties: false,
    } as const;
    const format = jsonSchemaOutputFormat(schema);
    const message = await client.messages.parse({ ...prompt('Name this.'), output_config: { format } });
    expect(message.parsed_output).toEqual({ title: expect.any(String), count: expect.any(Number) });
  });

  it('can go away in the middle of a stream', async () => {
    const stream = client.messages.stream(prompt('drone on'));
    stream.on('text', () => stream.abort());
    await expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    const { stop_reason } = await client.messages.create(prompt('long'));
    expect(stop_reason).toBe('end_turn');
  });
});

describe('the tool runner', () => {
  const tool = {
    name: 'read_file',
    input_schema: { type: 'object' as const },
    parse: (input: unknown) => input,
    run: (input: unknown) => JSON.stringify(input),
  };

  it.each([
    ['threaded, resent without a thread', { stream: false }, [refusedThread, ...played]],
    ['threaded and streamed', { stream: true }, [refusedThread, ...played]],
    ['unthreaded', { stream: false, thread: false }, played],
    ['unthreaded and streamed', { stream: true, thread: false }, played],
  ] as const)('plays a story to its end: %s', async (_name, options, expected) => {
    const runner = client.beta.messages.toolRunner({ ...prompt('please read both'), ...options, tools: [tool] });
    const last = await runner.runUntilDone();
    expect(last.content).toEqual([{ type: 'text', text: 'Both are read.' }]);
    expect(answers()).toEqual(expected);
    expect(runner.params.messages[2]).toMatchObject({
      role: 'user',
      content: [{ content: '{"path":"a.txt"}' }, { content: JSON.stringify(awkward) }],
    });
  });

  it('has a thread that goes on without one, or says why it cannot', async () => {
    const params = { model: 'claude-x', max_tokens: 100 };
    const message = { role: 'user' as const, content: 'long' };
    const lenient = client.beta.messages.thread({ ...params, unsupportedRequestBehavior: 'continue_unthreaded' });
    expect(await lenient.send(message)).toMatchObject({ stop_reason: 'end_turn' });
    await expect(client.beta.messages.thread(params).send(message)).rejects.toMatchObject({
      status: 400,
      errorCode: 'thread_unsupported_request',
      details: { unsupported: ['thread'] },
    });
  });
});

describe('an error', () => {
  it.each([false, true])('is there after one request where nothing matches (streaming: %s)', async (stream) => {
    const failure = await client.messages.create({ ...prompt('raed btoh'), stream }).catch((error) => error);
    expect(failure).toBeInstanceOf(Anthropic.BadRequestError);
    expect(failure).toMatchObject({
      type: 'invalid_request_error',
      errorCode: 'no_scenario_matched',
      apiMessage: expect.stringContaining('"read both"'),
      requestID: expect.stringMatching(/^req_/),
    });
    expect(lines).toHaveLength(1);
  });

  it('has the words of the API for a call without its result', async () => {
    const request = prompt('please read both');
    const { content } = await client.messages.create(request);
    const [, first, second] = content;
    if (first?.type !== 'tool_use' || second?.type !== 'tool_use') throw new Error('no tool calls');
    const result = { type: 'tool_result' as const, tool_use_id: first.id, content: 'ok' };
    request.messages.push({ role: 'assistant', content }, { role: 'user', content: [result] });
    await expect(client.messages.create(request)).rejects.toMatchObject({
      status: 400,
      apiMessage: expect.stringContaining(`immediately after: ${second.id}.`),
    });
  });

  it.each(FAILURES)('with status %i is of its class', async (status, errorClass, type) => {
    const once = client.withOptions({ maxRetries: 0 });
    const failure = await once.messages.create(prompt(`fail with ${status}`)).catch((error) => error);
    expect(failure).toBeInstanceOf(errorClass);
    expect(failure).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
    expect(failure.error).toMatchObject({ type: 'error', request_id: failure.requestID });
  });

  it.each([false, true])('that passes is waited for and tried again (streaming: %s)', async (streaming) => {
    const request = prompt(`be busy once${streaming ? ', then stream' : ''}`);
    const message = streaming
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    expect(message.content).toEqual([{ type: 'text', text: 'Now.' }]);
    expect(lines).toHaveLength(2);
  });
});

const reply: Reply = {
  digest: 'd'.repeat(64),
  created: 1_750_000_000,
  model: 'claude-x',
  reasoning: 'The user wants – 漢字.',
  content: 'I look.',
  toolCalls: [{ id: 'toolu_a', name: 'read_file', input: 'json', arguments: JSON.stringify(awkward) }],
  finish: 'tool_calls',
  usage: { inputTokens: 3, outputTokens: 4 },
  source: { scenario: 's', step: 0 },
};

describe('thinking', () => {
  it.each([false, true])(
    'comes with a signature that is accepted when it comes back (streaming: %s)',
    async (stream) => {
      const request = prompt('think first');
      const { content } = stream
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      const [thought, call] = content;
      if (thought?.type !== 'thinking' || call?.type !== 'tool_use') throw new Error('no thinking before a tool call');
      expect(thought.thinking).toBe('The user wants – 漢字 🙂.');
      const result: MessageParam = {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call.id, content: 'ok', is_error: true }],
      };
      request.messages.push({ role: 'assistant', content }, result);
      expect((await client.messages.create(request)).stop_reason).toBe('end_turn');
      request.messages[1] = { role: 'assistant', content: [{ ...thought, thinking: 'changed' }, call] };
      await expect(client.messages.create(request)).rejects.toMatchObject({
        apiMessage: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      });
    },
  );
});

describe('a stream cut anywhere into chunks', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const input = fc.dictionary(fc.string({ minLength: 1 }), text, { maxKeys: 4 });

  it('is the same message', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(input, { maxLength: 3 }),
        fc.integer({ min: 1, max: 700 }),
        async (...given) => {
          const [reasoning, content, inputs, size] = given;
          const toolCalls = inputs.map((value, index) => ({
            id: `toolu_${index}`,
            name: 'x',
            input: 'json' as const,
            arguments: JSON.stringify(value),
          }));
          const value = { ...reply, reasoning, content, toolCalls };
          const bytes = new TextEncoder().encode(
            encodeAnthropicFrames(value)
              .map((frame) => frame.bytes)
              .join(''),
          );
          const headers = { 'content-type': anthropicMessages.streamType };
          const streaming = clientOf(() => new Response(chunksOf(bytes, size), { headers }));
          const message = await streaming.messages.stream(prompt('x')).finalMessage();
          expect(JSON.parse(JSON.stringify(message))).toMatchObject(encodeAnthropicReply(value));
        },
      ),
      propertySettings(40),
    );
  });
});

function chunksOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let start = 0; start < bytes.length; start += size) controller.enqueue(bytes.slice(start, start + size));
      controller.close();
    },
  });
}
