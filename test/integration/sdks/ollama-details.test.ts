import { type Message, Ollama, type ToolCall } from 'ollama';
import { beforeAll, describe, expect, it } from 'vitest';
import { AWKWARD, serveScenarios, TWO_READS } from '../../support/wires/serve-scenarios.ts';

const opening = {
  content: 'I read both – 漢字 🙂.',
  // The calls have different names, because a result may have only the name.
  tool_calls: [
    { name: 'read_file', arguments: { path: 'a.txt' } },
    { name: 'list_files', arguments: AWKWARD },
  ],
};
const served = serveScenarios([
  { ...TWO_READS, steps: TWO_READS.steps.with(0, { response: opening }) },
  {
    name: 'thoughtful',
    trigger: 'think first',
    steps: [{ response: { reasoning: 'They want – 漢字 🙂.', content: 'I have thought.' } }],
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
]);

let client: Ollama;
beforeAll(() => {
  client = new Ollama({ host: served.url });
});

function ask(content: string) {
  const messages: Message[] = [{ role: 'user', content }];
  return { model: 'qwen3:8b', messages };
}

async function streamed(request: ReturnType<typeof ask>): Promise<Message> {
  let content = '';
  let thinking = '';
  const calls: ToolCall[] = [];
  for await (const { message } of await client.chat({ ...request, stream: true })) {
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
  it.each(['please read both', 'think first'])('streams the same answer to "%s"', async (content) => {
    const { message } = await client.chat(ask(content));
    expect(await streamed(ask(content))).toEqual(message);
  });

  it.each([
    ['named', false],
    ['named', true],
    ['without a name', false],
    ['without ids', true],
  ])('plays a story to its end (results %s, streaming: %s)', async (variant, streaming) => {
    const request = ask('please read both');
    const said: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const message = streaming ? await streamed(request) : (await client.chat(request)).message;
      said.push(message.content);
      if (message.tool_calls === undefined) break;
      // The client's types have no ids, and many clients drop them.
      const calls = message.tool_calls.map((call) => (variant === 'without ids' ? { function: call.function } : call));
      const results = calls.map((call) => {
        return { role: 'tool', content: 'ok', ...(variant !== 'without a name' && { tool_name: call.function.name }) };
      });
      request.messages.push({ ...message, tool_calls: calls }, ...(variant === 'named' ? results.reverse() : results));
    }
    expect(said).toEqual(['I read both – 漢字 🙂.', '', 'Both are read.']);
    expect(served.lines()).toHaveLength(3);
  });

  it('gets reasoning unless it turns thinking off', async () => {
    const thought = await client.chat({ ...ask('think first'), think: true });
    expect(thought.message).toEqual({
      role: 'assistant',
      content: 'I have thought.',
      thinking: 'They want – 漢字 🙂.',
    });
    const quiet = await client.chat({ ...ask('think first'), think: false });
    expect(quiet.message).toEqual({ role: 'assistant', content: 'I have thought.' });
  });

  it('receives some JSON if it requests no schema', async () => {
    const any = await client.chat({ ...ask('somebody else'), format: 'json' });
    expect(JSON.parse(any.message.content)).toBeTypeOf('object');
  });

  it('loads and unloads a model, and generates text', async () => {
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

  it('gets an error for an absent model', async () => {
    await expect(client.chat(ask('no such model'))).rejects.toMatchObject({
      status_code: 404,
      error: "model 'qwen3:8b' not found",
    });
  });

  it('lists models and gets the version', async () => {
    expect((await client.list()).models.map(({ name }) => name)).toEqual(['mock-model:latest']);
    expect((await client.ps()).models).toMatchObject([{ model: 'mock-model:latest', context_length: 131_072 }]);
    expect(await client.show({ model: 'qwen3:8b' })).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking'],
    });
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('receives the errors for a request without a match, a truncated stream and a request that is too long', async () => {
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
});
