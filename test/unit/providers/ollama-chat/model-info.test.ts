import { describe, expect, it } from 'vitest';
import { createOllamaChat } from '../../../../src/providers/ollama-chat/ollama-chat.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { endLine, lineStream, messageLine, OVERFLOW, SHOWN } from '../../../support/wires/ollama-wire.ts';

const never = new AbortController().signal;
const request = { system: '', messages: [], tools: [] };

interface Server {
  readonly show?: () => Response;
  /** The loaded models, by the number of the request. */
  readonly ps?: (call: number) => Response;
  readonly chat?: () => Response;
  readonly model?: string;
  readonly maxContextTokens?: number | undefined;
}

function setUp(server: Server) {
  const { show, ps, chat, model = 'qwen3:14b' } = server;
  const maxContextTokens = 'maxContextTokens' in server ? server.maxContextTokens : 32_000;
  const sent: { path: string; body: unknown }[] = [];
  let loadedCalls = 0;
  const options = {
    provider: 'ollama',
    label: 'Ollama',
    endpoint: 'http://localhost:11434',
    model,
    maxTokens: 100,
    maxContextTokens,
    fetchCommand: `ollama pull ${model}`,
    timeoutMs: 60_000,
    clock: createManualClock(),
    async fetch(url: unknown, init?: RequestInit) {
      const path = new URL(String(url)).pathname;
      sent.push({ path, body: init?.body === undefined ? undefined : JSON.parse(String(init.body)) });
      if (path === '/api/show') return show?.() ?? Response.json(SHOWN);
      if (path === '/api/chat') return chat?.() ?? lineStream([messageLine({ content: 'a' }), endLine('stop')]);
      loadedCalls += 1;
      return ps?.(loadedCalls) ?? Response.json({ models: [] });
    },
  };
  const chatModel = createOllamaChat(options);
  const ask = () => collect(chatModel.stream(request, never));
  const chats = () => sent.filter(({ path }) => path === '/api/chat').map(({ body }) => body);
  const window = () => chatModel.contextWindow?.(never);
  return { sent, ask, chats, window, stream: () => chatModel.stream(request, never), options };
}

const loaded = (model: string, context_length?: number) => () => Response.json({ models: [{ model, context_length }] });
const shown =
  (context?: unknown, more: object = {}) =>
  () =>
    Response.json({ model_info: { 'qwen3.context_length': context }, ...more });
/** The parameters as Ollama 0.17.4 sent them. */
const MODELFILE = {
  parameters:
    'temperature                    0\nnum_ctx                        49152\nstop                           "<|im_end|>"',
};
const missing = () => new Response('404 page not found', { status: 404 });

const windows: readonly (readonly [name: string, server: Server, numCtx: number, warning?: string])[] = [
  ['the wish of the user', {}, 32_000],
  ['the limit of the model', { maxContextTokens: 100_000 }, 40_960],
  ['32,000, without a wish', { maxContextTokens: undefined }, 32_000],
  ['a smaller limit of the model, without a wish', { maxContextTokens: undefined, show: shown(8_192) }, 8_192],
  ['that of the Modelfile, without a wish', { maxContextTokens: undefined, show: shown(49_152, MODELFILE) }, 49_152],
  [
    'the limit of the model below its Modelfile',
    { maxContextTokens: undefined, show: shown(16_384, MODELFILE) },
    16_384,
  ],
  ['the wish before the Modelfile', { show: shown(49_152, MODELFILE) }, 32_000],
  ['the larger one with which the model is loaded', { ps: loaded('qwen3:14b', 40_960) }, 40_960],
  ['the wish, when the model is loaded with a smaller one', { ps: loaded('qwen3:14b', 4_096) }, 32_000],
  ['the wish, when another model is loaded', { ps: loaded('qwen3:8b', 40_960) }, 32_000],
  ['the loaded one of a model without a tag', { model: 'Qwen3', ps: loaded('qwen3:latest', 40_960) }, 40_960],
  ['the wish, when the server does not tell the loaded one', { ps: loaded('qwen3:14b') }, 32_000],
  ['the wish, when the server lists no loaded models', { ps: missing }, 32_000],
  ['the wish, when the list of loaded models is empty', { ps: () => Response.json({ models: null }) }, 32_000],
  [
    'the loaded one by its old name',
    { ps: () => Response.json({ models: [{}, { name: 'qwen3:14b', context_length: 40_960 }] }) },
    40_960,
  ],
  ['8,192, when the server does not describe the model', { show: missing }, 8_192, '8,192'],
  ['8,192, when the description has no length', { show: shown() }, 8_192, '8,192'],
  ['8,192, when the length is no number', { show: shown('long') }, 8_192, '8,192'],
  ['8,192, when the description is empty', { show: () => Response.json({ model_info: null }) }, 8_192, '8,192'],
  ['a smaller wish than 8,192', { show: missing, maxContextTokens: 4_000 }, 4_000, '4,000'],
  ['the loaded one, when that is all that is known', { show: missing, ps: loaded('qwen3:14b', 16_384) }, 16_384],
];

describe('the context window', () => {
  it.each(windows.map(([name, server, tokens, warning]) => ({ name, server, tokens, warning })))(
    'is $name',
    async ({ server, tokens, warning }) => {
      const { ask, chats, window } = setUp(server);
      const text = `Ollama does not report the context window of qwen3:14b. ybs uses ${warning} tokens.`;
      expect(await window()).toEqual({ tokens, ...(warning === undefined ? {} : { warning: text }) });
      await ask();
      expect(chats()).toMatchObject([{ options: { num_ctx: tokens } }]);
    },
  );

  it('is asked for once, and is the same in every request', async () => {
    const { ask, chats, sent, window } = setUp({ ps: (call) => loaded('qwen3:14b', call * 40_960)() });
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await window()).toEqual({ tokens: 40_960 });
      await ask();
    }
    expect(chats()).toMatchObject([1, 2, 3].map(() => ({ options: { num_ctx: 40_960 } })));
    expect(sent.filter(({ path }) => path === '/api/show')).toEqual([
      { path: '/api/show', body: { model: 'qwen3:14b' } },
    ]);
    expect(sent.filter(({ path }) => path === '/api/ps')).toHaveLength(2);
  });

  it('becomes smaller when the model was loaded with less, and the requests stay the same', async () => {
    const { ask, chats, window } = setUp({ ps: loaded('qwen3:14b', 4_096) });
    expect(await window()).toEqual({ tokens: 32_000 });
    await ask();
    const warning = 'Ollama loaded qwen3:14b with a context window of 4,096 tokens instead of 32,000. ybs uses 4,096.';
    expect(await window()).toEqual({ tokens: 4_096, warning });
    await ask();
    expect(await window()).toEqual({ tokens: 4_096, warning });
    expect(chats()).toMatchObject([{ options: { num_ctx: 32_000 } }, { options: { num_ctx: 32_000 } }]);
  });

  it('is compared with that of the loaded model after a conversation that was too long', async () => {
    const chat = () => Response.json({ error: OVERFLOW }, { status: 400 });
    const { stream, window } = setUp({ chat, ps: loaded('qwen3:14b', 4_096) });
    expect(await failureOf(stream())).toMatchObject({ code: 'context_overflow' });
    expect(await window()).toMatchObject({ tokens: 4_096 });
  });

  it('stays known when the list of loaded models fails, which is then asked for again', async () => {
    const ps = (call: number) =>
      call === 2 ? new Response('', { status: 503 }) : call === 1 ? missing() : loaded('qwen3:14b', 4_096)();
    const { ask, window } = setUp({ ps });
    await ask();
    expect(await window()).toEqual({ tokens: 32_000 });
    expect(await window()).toMatchObject({ tokens: 4_096 });
  });

  it('is not compared after another failure', async () => {
    const { sent, stream, window } = setUp({ chat: () => new Response('', { status: 503 }) });
    expect(await failureOf(stream())).toMatchObject({ code: 'overloaded' });
    await window();
    expect(sent.filter(({ path }) => path === '/api/ps')).toHaveLength(1);
  });

  it.each([{ show: () => Response.json([]) }, { ps: () => Response.json({ models: {} }) }])(
    'is unknown when the server does not answer in its form: %o',
    async (server) => {
      const failure = await failureOf(setUp(server).stream());
      expect(failure).toMatchObject({ code: 'network', message: expect.stringContaining('Invalid input') });
    },
  );

  it('is asked for again after a failure', async () => {
    let calls = 0;
    const show = () => {
      calls += 1;
      return calls === 1 ? new Response('', { status: 503 }) : Response.json(SHOWN);
    };
    const { stream, window } = setUp({ show });
    expect(await failureOf(stream())).toMatchObject({ code: 'overloaded' });
    expect(await window()).toEqual({ tokens: 32_000 });
  });
});

describe('a model of Ollama', () => {
  it.each([
    ['qwen3:14b', { 'general.architecture': 'qwen3' }, ['thinking'], true],
    ['gpt-oss:20b', {}, ['thinking'], 'high'],
    ['my-model', { 'general.architecture': 'gptoss' }, ['thinking'], 'high'],
    ['gemma3', {}, ['completion'], undefined],
    ['old', {}, undefined, undefined],
  ])('%s gets the kind of thinking that it knows', async (model, info, capabilities, think) => {
    const show = () => Response.json({ model_info: info, capabilities });
    const { options, sent } = setUp({ model, show });
    const thinking = createOllamaChat({ ...options, reasoningEffort: 'high' });
    await collect(thinking.stream(request, never));
    expect(sent.at(-1)?.body).toMatchObject({ messages: [{ role: 'system' }] });
    expect(Object(sent.at(-1)?.body).think).toBe(think);
  });

  it.each([
    [['vision'], ['AAAA']],
    [['completion'], undefined],
    [undefined, ['AAAA']],
    ['vision', ['AAAA']],
    [[1], undefined],
  ])('with the capabilities %j gets pictures: %j', async (capabilities, images) => {
    const { options, sent } = setUp({ show: shown(8_192, { capabilities }) });
    const picture = { mediaType: 'image/png', data: 'AAAA' } as const;
    const result = { role: 'tool', toolCallId: 'c', content: 'a', isError: false, images: [picture] } as const;
    await collect(createOllamaChat(options).stream({ ...request, messages: [result] }, never));
    expect(Object(sent.at(-1)?.body).messages.at(-1).images).toEqual(images);
  });

  it('that is not on the server is named with the command that fetches it', async () => {
    const show = () => Response.json({ error: "model 'qwen3:14b' not found" }, { status: 404 });
    const message =
      'Ollama has no model "qwen3:14b" (404: model \'qwen3:14b\' not found). Fetch it with: ollama pull qwen3:14b.';
    const { stream, sent, window } = setUp({ show });
    expect(await failureOf(stream())).toMatchObject({ code: 'unknown_model', message });
    await expect(window()).rejects.toMatchObject({ message });
    expect(sent.filter(({ path }) => path === '/api/chat')).toEqual([]);
  });
});
