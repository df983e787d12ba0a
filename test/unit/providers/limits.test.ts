import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { ContextWindow, LanguageModel } from '../../../src/agent/ports/language-model.ts';
import { describeLimits, describeModel, modelRows } from '../../../src/providers/limits/describe-model.ts';
import { createLimits, limitsOf, type UserLimits } from '../../../src/providers/limits/find-limits.ts';
import { knownModel, TABLE, tableText } from '../../../src/providers/limits/known-model.ts';
import { KNOWN_MODELS } from '../../../src/providers/limits/known-models.ts';
import { knownWindow, withLimits } from '../../../src/providers/limits/with-limits.ts';
import { listModels } from '../../../src/providers/list-models.ts';
import { withOtherWire } from '../../../src/providers/service/other-wire.ts';
import type { OfferedModel, WireOptions } from '../../../src/providers/wire-options.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedModel } from '../../support/fakes/scripted-model.ts';

const never = new AbortController().signal;
const NAMES = { label: 'The server', model: 'm' };
const KNOWN = { window: 1_000_000, answer: 128_000 };

describe('the limits of a model', () => {
  it.each<
    readonly [
      name: string,
      user: UserLimits,
      server: ContextWindow | undefined,
      known: typeof KNOWN | undefined,
      limits: readonly unknown[],
    ]
  >([
    [
      'nothing known: the numbers of the specification',
      {},
      undefined,
      undefined,
      [32_000, 'assumed', 4_096, 'assumed'],
    ],
    ['the table', {}, undefined, KNOWN, [1_000_000, 'table', 64_000, 'table']],
    [
      'the server before the table',
      {},
      { tokens: 32_768, answerTokens: 8_000 },
      KNOWN,
      [32_768, 'server', 8_000, 'server'],
    ],
    ['a part from each', {}, { tokens: 131_072 }, KNOWN, [131_072, 'server', 32_768, 'table']],
    [
      'the setting before both',
      { window: 50_000, answer: 2_000 },
      { tokens: 32_768 },
      KNOWN,
      [50_000, 'setting', 2_000, 'setting'],
    ],
    [
      'an answer that leaves room for the conversation',
      {},
      { tokens: 8_192, answerTokens: 8_192 },
      undefined,
      [8_192, 'server', 4_096, 'server'],
    ],
  ])('%s', (_name, user, server, known, [window, from, answer, to]) => {
    expect(limitsOf(user, server, known, NAMES)).toMatchObject({
      window: { tokens: window, source: from },
      answer: { tokens: answer, source: to },
    });
  });

  it('warns about a setting above the window of the server', () => {
    const { warning } = limitsOf({ window: 50_000 }, { tokens: 8_192 }, undefined, NAMES);
    expect(warning).toBe(
      'context.max_tokens is 50,000, but The server runs m with a window of 8,192 tokens. Lower it, or give the model a larger window.',
    );
    expect(limitsOf({}, { tokens: 1, warning: 'Small.', lacksTools: true }, undefined, NAMES)).toMatchObject({
      warning: 'Small.',
      lacksTools: true,
    });
  });

  it('are described with their origin', () => {
    const limits = {
      window: { tokens: 32_000, source: 'assumed' },
      answer: { tokens: 4_096, source: 'setting' },
    } as const;
    expect(describeLimits(limits, 0)).toEqual({
      window: '32,000 tokens (assumed, because nothing states it; set context.max_tokens)',
      answer: '4,096 tokens (llm.max_tokens)',
    });
    const others = { window: { tokens: 1, source: 'server' }, answer: { tokens: 2, source: 'table' } } as const;
    expect(describeLimits(others, Date.parse(TABLE.date))).toEqual({
      window: '1 tokens (stated by the server)',
      answer: `2 tokens (known models of ${TABLE.date})`,
    });
  });
});

describe('the table of known models', () => {
  it.each([
    ['claude-sonnet-5-5', 1_000_000],
    ['anthropic/claude-sonnet-4.5', 200_000],
    ['gpt-5.4-mini-2026-03-17', 400_000],
    ['openai/gpt-5.4:free', 1_050_000],
    ['Gemini-3.8-Flash', 1_048_576],
  ])('knows %s', (name, window) => {
    expect(knownModel(name)).toMatchObject({ window });
  });

  it('does not know other names', () => {
    expect(knownModel('my-model')).toBeUndefined();
  });

  it.each([
    ['claude-opus-99', 1_000_000],
    ['anthropic/claude-sonnet-99.1', 1_000_000],
    ['gpt-99-codex', 400_000],
    ['gemini-99-pro', 1_048_576],
    ['gemini-99-ultra', 1_048_576],
  ])('gives %s, which is newer than the table, the window of its family', (name, window) => {
    expect(knownModel(name)).toMatchObject({ window, isGuess: true });
    expect(knownModel(name)).not.toHaveProperty('price');
    const limits = limitsOf({}, undefined, knownModel(name), NAMES);
    expect(limits.window).toEqual({ tokens: window, source: 'family' });
    expect(describeLimits(limits, 0).window).toContain('those of its family in the known models of');
    expect(describeModel('openai', { name })).toMatchObject({ contextWindow: window, source: 'family' });
  });

  it.each(['claude-opus-4-2', 'claude-99', 'gpt-2-x', 'gpt-oss-300b', 'qwen99', 'claude-instant', 'grok-0-x'])(
    'guesses nothing for %s',
    (name) => expect(knownModel(name)).toBeUndefined(),
  );

  it('has each name once, with sound numbers and prices', () => {
    expect(new Set(KNOWN_MODELS.map(([name]) => name)).size).toBe(KNOWN_MODELS.length);
    for (const [, window, answer, input, output, cached] of KNOWN_MODELS) {
      expect(window).toBeGreaterThanOrEqual(answer / 4);
      expect(cached).toBeLessThanOrEqual(input);
      expect(output).toBeGreaterThanOrEqual(0);
    }
  });

  it('says that it is old', () => {
    expect(tableText(Date.parse(TABLE.date) + 1_000)).not.toContain('old');
    expect(tableText(Date.parse(TABLE.date) + 200 * 86_400_000)).toContain('which is old: update ybs');
  });

  it('completes a list of models', () => {
    expect(describeModel('openai', { name: 'gpt-5.4' })).toEqual({
      name: 'gpt-5.4',
      contextWindow: 1_050_000,
      maxAnswer: 128_000,
      price: { input: 2.5, output: 15, cached: 0.25 },
      abilities: ['tools', 'pictures', 'reasoning'],
      source: 'table',
    });
    expect(describeModel('ollama', { name: 'x', contextWindow: 5 })).toEqual({
      name: 'x',
      contextWindow: 5,
      source: 'server',
    });
    expect(describeModel('ollama', { name: 'x' })).toEqual({ name: 'x' });
    expect(describeModel('apple', { name: 'apple-on-device' })).toMatchObject({
      contextWindow: 4_096,
      abilities: ['tools'],
    });
  });

  it('is named as the origin of a window, unlike the server', () => {
    const models = [{ name: 'x', contextWindow: 5 }, { name: 'gpt-5.4' }, { name: 'gpt-4' }];
    expect(modelRows(models.map((model) => describeModel('openai', model)))).toEqual([
      'x        5 tokens',
      expect.stringMatching(
        /^gpt-5\.4 {2}1,050,000 tokens \(table\), answers of 128,000, \$2\.5 in, \$0\.25 cached, \$15 out, tools/,
      ),
      expect.stringMatching(/^gpt-4 {4}/),
    ]);
    expect(modelRows([{ name: 'z', lacksTools: true }])).toEqual(['z  no tools']);
    expect(modelRows([{ name: 'y', contextWindow: 9, price: { input: 1, output: 2 } }])).toEqual([
      'y  9 tokens, $1 in, $1 cached, $2 out',
    ]);
  });
});

/** The models of a server that answers these paths with these values. */
async function listed(
  answers: Readonly<Record<string, unknown>>,
  model = 'm',
  wire: 'openai-chat' | 'anthropic-messages' = 'openai-chat',
) {
  const options: WireOptions = {
    ...{ provider: 'acme', label: 'The server', model, maxTokens: 1, timeoutMs: 1_000, clock: createManualClock() },
    endpoint: wire === 'openai-chat' ? 'http://localhost/v1' : 'http://localhost',
    async fetch(url) {
      const { pathname, search } = new URL(url);
      const answer = answers[pathname + search] ?? answers[pathname];
      if (typeof answer === 'string') return new Response(answer, { headers: { 'content-type': 'text/html' } });
      return answer === undefined ? new Response('{}', { status: 404 }) : Response.json(answer);
    },
  };
  return listModels(wire, options, never);
}

/** The answers of a server with this one model. */
const only = (facts: object) => ({ '/v1/models': { data: [{ id: 'm', ...facts }] } });

describe('what servers say about their models', () => {
  it('has the properties of the wanted model of a router', async () => {
    const models = ['m', 'other'].map((id) => ({ id, owned_by: 'llamacpp', status: { value: 'loaded' } }));
    const props = { default_generation_settings: { n_ctx: 4_096 }, chat_template: '{{ messages }}' };
    expect(await listed({ '/v1/models': { data: models }, '/props': props })).toEqual([
      { name: 'm', server: 'llama.cpp', loaded: true, contextWindow: 4_096, lacksTools: true },
      { name: 'other', server: 'llama.cpp', loaded: true },
    ]);
  });

  it.each<readonly [name: string, answers: Readonly<Record<string, unknown>>, model: OfferedModel]>([
    // Recorded: llama.cpp b11434.
    [
      'llama.cpp',
      only({ owned_by: 'llamacpp', meta: { n_ctx: 8_192, n_ctx_train: 32_768 } }),
      { name: 'm', contextWindow: 8_192 },
    ],
    [
      'llama.cpp before n_ctx in its list',
      {
        ...only({ owned_by: 'llamacpp', meta: { n_ctx_train: 32_768 } }),
        '/props': { default_generation_settings: { n_ctx: 4_096 }, chat_template: '{% if tools %}' },
      },
      { name: 'm', contextWindow: 4_096 },
    ],
    [
      'llama.cpp with a template without tools',
      {
        ...only({ owned_by: 'llamacpp', meta: { n_ctx: 8_192 } }),
        '/props': { default_generation_settings: { n_ctx: 8_192 }, chat_template: '{{ messages }}' },
      },
      { name: 'm', contextWindow: 8_192, lacksTools: true },
    ],
    [
      'llama.cpp that says so itself',
      {
        ...only({ owned_by: 'llamacpp' }),
        '/props': { chat_template_caps: { supports_tools: false } },
      },
      { name: 'm', lacksTools: true },
    ],
    [
      'llama.cpp whose properties are a page',
      {
        ...only({ owned_by: 'llamacpp', meta: { n_ctx: 8_192 } }),
        '/props': '<!doctype html><title>llama.cpp</title>',
      },
      { name: 'm', contextWindow: 8_192 },
    ],
    ['another name', only({ effective_context_length: 8_192 }), { name: 'm', contextWindow: 8_192 }],
    // Recorded: vLLM 0.32.0.
    ['vLLM', only({ owned_by: 'vllm', max_model_len: 8_192 }), { name: 'm', contextWindow: 8_192 }],
    // Recorded: LiteLLM 1.108.7.
    [
      'LiteLLM',
      only({ owned_by: 'openai', max_input_tokens: 8_192, max_output_tokens: 4_096 }),
      { name: 'm', contextWindow: 8_192, maxAnswer: 4_096 },
    ],
    [
      'LM Studio: the loaded length before the greatest',
      {
        ...only({ owned_by: 'organization_owner' }),
        '/api/v0/models': {
          data: [{ id: 'm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 4_096 }],
        },
      },
      { name: 'm', loaded: true, contextWindow: 4_096 },
    ],
    ['LM Studio without its own list', only({ owned_by: 'organization_owner' }), { name: 'm' }],
    [
      "Ollama's copy of the OpenAI protocol",
      {
        '/v1/models': { data: [{ id: 'm:latest', owned_by: 'library' }] },
        '/api/show': { capabilities: ['completion'] },
      },
      { name: 'm:latest', lacksTools: true },
    ],
    [
      "Ollama's copy, of a model with a window in its Modelfile",
      {
        '/v1/models': { data: [{ id: 'm:latest', owned_by: 'library' }] },
        '/api/show': { parameters: 'temperature                    0\nnum_ctx                        49152' },
      },
      { name: 'm:latest', contextWindow: 49_152 },
    ],
    [
      "Ollama's copy, of a model whose Modelfile asks for more than it can",
      {
        ...only({ owned_by: 'library' }),
        '/api/show': { parameters: 'num_ctx 49152', model_info: { 'llama.context_length': 8_192 } },
      },
      { name: 'm', contextWindow: 8_192 },
    ],
    [
      "Ollama's copy, of a model with tools, or of a server that names no abilities",
      {
        ...only({ owned_by: 'library' }),
        '/api/show': { capabilities: null },
      },
      { name: 'm' },
    ],
    [
      'OpenRouter',
      only({
        context_length: 200_000,
        top_provider: { max_completion_tokens: 32_000 },
        supported_parameters: ['tools'],
      }),
      { name: 'm', contextWindow: 200_000, maxAnswer: 32_000 },
    ],
    ['OpenRouter, without tools', only({ supported_parameters: [] }), { name: 'm', lacksTools: true }],
    [
      'Groq',
      only({ context_window: 131_072, max_completion_tokens: 65_536 }),
      { name: 'm', contextWindow: 131_072, maxAnswer: 65_536 },
    ],
    // https://github.com/n0madic/go-poe/blob/master/models/README.md
    [
      'Poe',
      only({ context_window: { context_length: 200_000, max_output_tokens: 64_000 } }),
      { name: 'm', contextWindow: 200_000, maxAnswer: 64_000 },
    ],
    [
      'Copilot',
      only({
        capabilities: {
          limits: { max_context_window_tokens: 128_000, max_output_tokens: 16_384 },
          supports: { tool_calls: true },
        },
      }),
      { name: 'm', contextWindow: 128_000, maxAnswer: 16_384 },
    ],
    [
      'Copilot, whose prompts have a limit of their own',
      only({ capabilities: { limits: { max_context_window_tokens: 144_000, max_prompt_tokens: 128_000 } } }),
      { name: 'm', contextWindow: 128_000 },
    ],
    // https://github.com/cline/cline/pull/13472
    [
      'LM Studio with its newer list alone',
      {
        ...only({ owned_by: 'organization_owner' }),
        '/api/v1/models': {
          models: [
            { key: 'm', max_context_length: 183_296, loaded_instances: [{ config: { context_length: 40_000 } }] },
          ],
        },
      },
      { name: 'm', loaded: true, contextWindow: 40_000 },
    ],
    // https://github.com/odysseus-dev/odysseus/issues/3535
    [
      'LM Studio, of one of the instances of a model',
      {
        ...only({ owned_by: 'organization_owner' }),
        '/api/v1/models': {
          models: [
            {
              key: 'm@q4',
              max_context_length: 183_296,
              loaded_instances: [
                { id: 'm@q4', config: { context_length: 40_000 } },
                { id: 'm', config: { context_length: 8_192 } },
              ],
            },
          ],
        },
      },
      { name: 'm', loaded: true, contextWindow: 8_192 },
    ],
    // https://github.com/SillyTavern/SillyTavern/pull/4914
    [
      'llama.cpp as a router of one model',
      {
        ...only({ owned_by: 'llamacpp' }),
        '/props': { role: 'router', default_generation_settings: { n_ctx: 0 } },
        '/props?model=m&autoload=false': { default_generation_settings: { n_ctx: 49_152 } },
      },
      { name: 'm', contextWindow: 49_152 },
    ],
    [
      "Ollama's copy, of a model that is loaded",
      {
        ...only({ owned_by: 'library' }),
        '/api/show': { capabilities: ['tools'] },
        '/api/ps': { models: [{ name: 'x:latest' }, { name: 'm:latest', context_length: 16_384 }] },
      },
      { name: 'm', loaded: true, contextWindow: 16_384 },
    ],
    ['a model that is listed twice', { '/v1/models': { data: [{ id: 'm' }, { id: 'm', x: 1 }] } }, { name: 'm' }],
    // https://github.com/nocoo/raven/pull/8
    ['a number as a text', only({ context_length: '8192' }), { name: 'm', contextWindow: 8_192 }],
    ...[
      [
        'OpenRouter, of its best provider',
        { context_length: 1_000_000, top_provider: { context_length: 8_192 } },
      ] as const,
      ['Poe', { context_window: { context_length: 8_192 } }] as const,
      ['DeepInfra', { metadata: { context_length: 8_192 } }] as const,
      ['GitHub Models', { limits: { max_input_tokens: 8_192 } }] as const,
      ['Novita', { context_size: 8_192 }] as const,
      ['Venice', { model_spec: { availableContextTokens: 8_192 } }] as const,
      ['TabbyAPI', { parameters: { max_seq_len: 8_192 } }] as const,
      // https://developers.cloudflare.com/api/resources/ai/subresources/models/methods/list/
      ['Cloudflare', { properties: [{ property_id: 'context_window', value: '8192' }, null] }] as const,
      // https://github.com/huggingface/huggingface-vscode-chat/blob/main/src/types.ts
      ['Hugging Face', { providers: [{ context_length: 65_536 }, { context_length: 8_192 }, {}] }] as const,
      // https://github.com/lemonade-sdk/lemonade/issues/1794
      ['Lemonade', { max_context_window: 8_192 }] as const,
      // https://github.com/HeyPuter/puter/pull/2653
      ['Puter', { context: 8_192 }] as const,
      ['a gateway with the fields of models.dev', { limit: { context: 8_192 } }] as const,
      // https://github.com/gsanhueza/pi-llama-cpp/issues/19
      [
        'a model of llama.cpp that is not loaded',
        { status: { value: 'unloaded', args: ['llama-server', '--ctx-size', '8192', '--model', 'm'] } },
      ] as const,
    ].map(([name, facts]): [string, Readonly<Record<string, unknown>>, OfferedModel] => {
      return [name, only({ ...facts }), { name: 'm', contextWindow: 8_192 }];
    }),
    [
      'Hugging Face, of which no provider calls tools',
      only({ providers: [{ supports_tools: false }, { supports_tools: false, context_length: 'x' }] }),
      { name: 'm', lacksTools: true },
    ],
    ['a server that says nothing', only({ max_model_len: null, meta: null }), { name: 'm' }],
  ])('%s', async (_name, answers, model) => {
    const [{ server: _program, ...rest } = { name: 'none' }, ...others] = await listed(answers);
    expect([rest, others]).toEqual([model, []]);
  });

  // https://github.com/UKGovernmentBEIS/inspect_ai/pull/4216
  it('a LoRA of vLLM has the window of its base model', async () => {
    const data = [
      { id: 'x', owned_by: 'vllm', parent: null, max_model_len: 24_576 },
      { id: 'm', owned_by: 'vllm', parent: 'x', max_model_len: null },
    ];
    const facts = { server: 'vLLM', contextWindow: 24_576 };
    expect(await listed({ '/v1/models': { data } })).toEqual([
      { name: 'x', ...facts },
      { name: 'm', ...facts },
    ]);
  });

  it("Ollama's copy names the abilities of the wanted model alone", async () => {
    const data = [
      { id: 'x', owned_by: 'library' },
      { id: 'm', owned_by: 'library' },
    ];
    const answers = { '/v1/models': { data }, '/api/show': { capabilities: ['completion'] } };
    const server = 'Ollama';
    expect(await listed(answers)).toEqual([
      { name: 'x', server },
      { name: 'm', lacksTools: true, server },
    ]);
  });

  it('is the same over the Messages API', async () => {
    expect(await listed(only({ max_model_len: 8_192 }), 'm', 'anthropic-messages')).toEqual([
      { name: 'm', contextWindow: 8_192 },
    ]);
    expect(await listed(only({ max_input_tokens: 200_000, max_tokens: 64_000 }), 'm', 'anthropic-messages')).toEqual([
      { name: 'm', contextWindow: 200_000, maxAnswer: 64_000 },
    ]);
  });
});

describe('createLimits', () => {
  const options: WireOptions = {
    ...{ provider: 'acme', label: 'The server', endpoint: 'http://localhost/v1', model: 'm', maxTokens: 1 },
    ...{ timeoutMs: 1_000, clock: createManualClock() },
  };
  const found = (models: readonly OfferedModel[]) => createLimits({}, options, {}, async () => models)(never);

  it.each<readonly [name: string, models: readonly OfferedModel[], window: number]>([
    [
      'its own entry',
      [
        { name: 'x', contextWindow: 1 },
        { name: 'm', contextWindow: 20_000, maxAnswer: 500, lacksTools: true },
      ],
      20_000,
    ],
    ['the entry with a tag', [{ name: 'x' }, { name: 'm:latest', contextWindow: 20_000 }], 20_000],
    ['the only entry, whatever its name', [{ name: 'x', contextWindow: 20_000 }], 20_000],
    ['no entry', [{ name: 'x', contextWindow: 1 }, { name: 'y' }], 32_000],
    ['an entry that says nothing', [{ name: 'm' }], 32_000],
    ['an empty list', [], 32_000],
  ])('takes %s of the list', async (_name, models, tokens) => {
    expect((await found(models)).window.tokens).toBe(tokens);
  });

  it('asks for the list once, also when it fails, and not at all without one', async () => {
    let asked = 0;
    const find = createLimits({}, options, {}, async () => {
      asked += 1;
      throw new ModelError('auth', 'no');
    });
    expect((await find(never)).window.source).toBe('assumed');
    await find(never);
    expect(asked).toBe(1);
    expect((await createLimits({}, options, {}, undefined)(never)).answer.source).toBe('assumed');
  });

  it('takes the word of a wire that can ask itself, and its failure only if the server is not there', async () => {
    const failing = (code: 'network' | 'auth') => ({ contextWindow: () => Promise.reject(new ModelError(code, 'no')) });
    expect(
      (await createLimits({ contextWindow: async () => ({ tokens: 9_000 }) }, options, {}, undefined)(never)).window
        .tokens,
    ).toBe(9_000);
    expect((await createLimits(failing('auth'), options, {}, undefined)(never)).window.source).toBe('assumed');
    await expect(createLimits(failing('network'), options, {}, undefined)(never)).rejects.toMatchObject({
      code: 'network',
    });
  });
});

describe('withLimits', () => {
  const limits = { window: { tokens: 8_192, source: 'server' }, answer: { tokens: 4_096, source: 'assumed' } } as const;
  const tool = { name: 'a', description: '', parameters: {}, effect: 'read' as const };
  const request = { system: '', messages: [], tools: [tool] };
  const limited = (inner: LanguageModel, more: object = {}) =>
    withLimits(inner, 'Ollama', async () => ({ ...limits, ...more }));

  it('states the window and the longest answer', async () => {
    expect(await limited(createScriptedModel()).contextWindow?.(never)).toEqual({ tokens: 8_192, answerTokens: 4_096 });
    expect(await limited(createScriptedModel(), { warning: 'Small.' }).contextWindow?.(never)).toMatchObject({
      warning: 'Small.',
    });
  });

  it('states a window that is known, to tell which limit has cut an answer', async () => {
    expect(await knownWindow(async () => limits)(never)).toEqual({ tokens: 8_192, answerTokens: 4_096 });
    const assumed = { ...limits, window: { tokens: 32_000, source: 'assumed' } } as const;
    expect(await knownWindow(async () => assumed)(never)).toEqual({ answerTokens: 4_096 });
  });

  it('warns once, before the first request with tools, about a model that cannot call any', async () => {
    const model = limited(createScriptedModel({ text: 'a' }, { text: 'b' }, { text: 'c' }), { lacksTools: true });
    expect((await collect(model.stream({ ...request, tools: [] }, never)))[0]).toMatchObject({ type: 'text_delta' });
    expect((await collect(model.stream(request, never)))[0]).toEqual({
      type: 'warning',
      code: 'no_tools',
      message:
        'Ollama says that scripted-model cannot call tools, so it can only answer. Use another model, or let it write its calls as text: ybs config set llm.tool_protocol xnl.',
    });
    expect((await collect(model.stream(request, never)))[0]).toMatchObject({ type: 'text_delta' });
  });

  it('does not warn about a model that writes its calls as text', async () => {
    const find = async () => ({ ...limits, lacksTools: true }) as const;
    const model = withLimits(createScriptedModel({ text: 'a' }), 'Ollama', find, 'xnl');
    expect((await collect(model.stream(request, never)))[0]).toMatchObject({ type: 'text_delta' });
  });
});

describe('withOtherWire', () => {
  const request = { system: '', messages: [], tools: [] };
  it.each([
    ['Copilot', 'model "gpt-5.5" is not accessible via the /chat/completions endpoint'],
    ['OpenAI', 'This model is only supported in v1/responses and not in v1/chat/completions.'],
    [
      'OpenAI, a model for completions',
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
    ],
  ])('goes on over the other wire when %s says so, and stays there', async (_name, words) => {
    const other = createScriptedModel({ text: 'a' }, { text: 'b' });
    const model = withOtherWire(createScriptedModel({ end: new ModelError('bad_request', words) }), async () => other);
    expect((await collect(model.stream(request, never))).map(({ type }) => type)).toEqual([
      'retry',
      'text_delta',
      'finish',
    ]);
    expect((await collect(model.stream(request, never))).map(({ type }) => type)).toEqual(['text_delta', 'finish']);
    other.assertExhausted();
  });

  it('passes on every other failure and every answer', async () => {
    const open = () => Promise.reject(new Error('not opened'));
    const failed = withOtherWire(createScriptedModel({ end: new ModelError('bad_request', 'No.') }), open);
    expect(await failureOf(failed.stream(request, never))).toMatchObject({ message: 'No.' });
    expect((await collect(withOtherWire(createScriptedModel({ text: 'a' }), open).stream(request, never))).length).toBe(
      2,
    );
  });
});
