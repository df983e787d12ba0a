import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { beforeAll, describe, expect, it } from 'vitest';
import { AWKWARD, PLAYED, serveScenarios, TWO_READS } from '../../support/wires/serve-scenarios.ts';

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
