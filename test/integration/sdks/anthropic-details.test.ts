import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeAnthropicReply } from '../../../mock-llm-server/wire/anthropic/reply.ts';
import { propertySettings } from '../../support/random/property.ts';
import { anyReply, fetchOfReply } from '../../support/wires/any-reply.ts';
import { AWKWARD, PLAYED, serveScenarios, TWO_READS, TWO_READS_TOOLS } from '../../support/wires/serve-scenarios.ts';

const served = serveScenarios([
  TWO_READS,
  {
    name: 'thoughtful',
    trigger: 'think first',
    steps: [
      { response: { reasoning: 'The user wants – 漢字 🙂.', tool_calls: [{ name: 'read_file' }] } },
      { response: { content: 'I have thought.' } },
    ],
  },
  { name: 'long', trigger: 'long', steps: [{ response: { content: 'A long answer.' } }] },
]);
const refusedThread =
  '400 thread_unsupported_request: Message threads are not supported here. Send the full conversation without `thread`.';

let client: Anthropic;
beforeAll(() => {
  // The client keeps its default retries, so that the tests detect whether the server prevents them.
  client = new Anthropic({ baseURL: served.url, apiKey: 'unused' });
});

function prompt(content: string) {
  const messages: MessageParam[] = [{ role: 'user', content }];
  return { model: 'claude-x', max_tokens: 100, messages };
}

describe('the Anthropic client', () => {
  it('gets a reply with parallel calls', async () => {
    const message = await client.messages.create(prompt('please read both'));
    expect(message.stop_reason).toBe('tool_use');
    const caller = { type: 'direct' };
    const call = { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'read_file', caller };
    expect(message.content).toEqual([
      { type: 'text', text: 'I read both – 漢字 🙂.' },
      { ...call, input: { path: 'a.txt' } },
      { ...call, input: AWKWARD },
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
      [2, AWKWARD],
    ]);
  });

  it.each([false, true])('plays a story to its end (streaming: %s)', async (streaming) => {
    const tools = TWO_READS_TOOLS.map((name) => ({ name, input_schema: { type: 'object' as const } }));
    const request = { ...prompt('please read both'), tools };
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
    expect(served.answers()).toEqual(PLAYED);
  });

  it.each([
    ['apiKey', { apiKey: 'unused' }],
    ['authToken', { authToken: 'unused' }],
    ['x-api-key', { apiKey: null, defaultHeaders: { 'x-api-key': 'unused' } }],
  ])('authenticates with %s', async (_name, options) => {
    const other = new Anthropic({ baseURL: served.url, ...options });
    expect((await other.messages.create(prompt('long'))).stop_reason).toBe('end_turn');
  });

  it('counts as many tokens as the reply reports', async () => {
    const { max_tokens: _, ...request } = prompt('please read both');
    const { input_tokens } = await client.messages.countTokens(request);
    expect((await client.messages.create(prompt('please read both'))).usage.input_tokens).toBe(input_tokens);
  });

  it('lists the models, and retrieves any by its name', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(['mock-model']);
    expect(await client.models.retrieve('mock/two-reads')).toMatchObject({ type: 'model', id: 'mock/two-reads' });
  });

  it('gets an instance of the requested schema', async () => {
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
});

describe('the tool runner', () => {
  const tools = ['read_file', 'write_file'].map((name) => ({
    name,
    input_schema: { type: 'object' as const },
    parse: (input: unknown) => input,
    run: (input: unknown) => JSON.stringify(input),
  }));

  it.each([
    ['threaded, resent without a thread', { stream: false }, [refusedThread, ...PLAYED]],
    ['threaded and streamed', { stream: true }, [refusedThread, ...PLAYED]],
    ['unthreaded', { stream: false, thread: false }, PLAYED],
    ['unthreaded and streamed', { stream: true, thread: false }, PLAYED],
  ] as const)('plays a story to its end: %s', async (_name, options, expected) => {
    const runner = client.beta.messages.toolRunner({ ...prompt('please read both'), ...options, tools });
    const last = await runner.runUntilDone();
    expect(last.content).toEqual([{ type: 'text', text: 'Both are read.' }]);
    expect(served.answers()).toEqual(expected);
    expect(runner.params.messages[2]).toMatchObject({
      role: 'user',
      content: [{ content: '{"path":"a.txt"}' }, { content: JSON.stringify(AWKWARD) }],
    });
  });

  it('continues a thread unthreaded, or reports that threads are not supported', async () => {
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
  it.each([false, true])('follows one request without a match (streaming: %s)', async (stream) => {
    const failure = await client.messages.create({ ...prompt('raed btoh'), stream }).catch((error) => error);
    expect(failure).toBeInstanceOf(Anthropic.BadRequestError);
    expect(failure).toMatchObject({
      type: 'invalid_request_error',
      errorCode: 'no_scenario_matched',
      apiMessage: expect.stringContaining('"read both"'),
      requestID: expect.stringMatching(/^req_/),
    });
    expect(served.lines()).toHaveLength(1);
  });

  it("has the API's message for a call without its result", async () => {
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
});

describe('thinking', () => {
  it.each([false, true])('has a signature that is accepted when it is sent back (streaming: %s)', async (stream) => {
    const request = { ...prompt('think first'), thinking: { type: 'adaptive' as const } };
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
      apiMessage: expect.stringMatching(/^messages\.1\.content\.0: `thinking` .* cannot be modified\./),
    });
  });
});

describe('a stream split anywhere into chunks', () => {
  it('assembles to the same message', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.integer({ min: 1, max: 700 }), async (any, size) => {
        const fetch = fetchOfReply('anthropic-messages', any, size);
        const streaming = new Anthropic({ apiKey: 'unused', fetch });
        const message = await streaming.messages.stream(prompt('x')).finalMessage();
        expect(JSON.parse(JSON.stringify(message))).toMatchObject(encodeAnthropicReply(any));
      }),
      propertySettings(40),
    );
  });
});
