import { describe, expect, it } from 'vitest';
import { ModelError, UsageError } from '../../../../../src/agent/errors.ts';
import { EMPTY_SESSION } from '../../../../../src/agent/session-state.ts';
import { readChatInput } from '../../../../../src/app/commands/commands.ts';
import { createModelSwitch } from '../../../../../src/app/commands/model/model-switch.ts';
import { measureContext } from '../../../../../src/app/prompt/measure-context.ts';
import type { SessionOptions, Settings } from '../../../../../src/app/settings.ts';
import { runChat } from '../../../../../src/cli/run-chat.ts';
import { NOT_TRUSTED } from '../../../../../src/config/trust/project-trust.ts';
import { configOf } from '../../../../support/agent/config-of.ts';
import { configuredRun, MODEL, type RunScript } from '../../../../support/agent/configured-run.ts';
import { withoutMarks } from '../../../../support/agent/without-marks.ts';
import { commandText } from '../../../../support/commands/command-text.ts';
import { createFakeAgent, type FakeAgent } from '../../../../support/fakes/fake-agent.ts';
import { createScriptedModel } from '../../../../support/fakes/scripted-model.ts';

const STARTED: SessionOptions = { endpoint: 'http://127.0.0.1:9/v1', toolProtocol: 'xnl', dryRun: false };

/** A switch on a wiring that offers the models `large` and `small-2026`, and a log of its actions. */
function scriptedSwitch(failure?: Error, offered = ['large', 'large-broken', 'small-2026']) {
  const log: string[] = [];
  const show = ({ provider, model = 'default', endpoint, toolProtocol }: SessionOptions) =>
    `${provider}/${model} ${endpoint ?? '-'} ${toolProtocol ?? '-'}`;
  const models = createModelSwitch(
    {
      async loadSettings(options): Promise<Settings> {
        if (options.provider === 'nobody') throw new UsageError('There is no provider nobody.');
        log.push(show(options));
        const name = `${options.provider}/${options.model ?? 'default'}`;
        return {
          config: configOf(),
          workspace: '/work',
          trust: NOT_TRUSTED,
          dryRun: false,
          model: {
            name,
            embedded: options.provider === 'mock',
            open: async (effort) => {
              if (options.model === 'large-broken') throw new UsageError('It cannot be opened.');
              if (effort !== undefined) log.push(`effort ${effort}`);
              return createScriptedModel();
            },
            openSmall: async () => undefined,
            close: async () => void log.push(`close ${name}`),
          },
        };
      },
      async listModels({ provider = '' }, signal) {
        signal.throwIfAborted();
        if (failure !== undefined) throw failure;
        return {
          provider,
          endpoint: '',
          key: 'without a key',
          models: offered.map((name) => ({ name })),
        };
      },
    },
    STARTED,
    'ollama',
  );
  return { models, log };
}

async function type(message: string, agent: FakeAgent, models = scriptedSwitch().models, stop = false) {
  const input = readChatInput(message);
  if (input.type !== 'command') return input.type === 'refused' ? input.message : input.type;
  const signal = stop ? AbortSignal.abort() : new AbortController().signal;
  return commandText(input.command, agent, input.argument, { models, signal });
}

describe('a change of the model', () => {
  it.each([
    ['/model large', 'ollama/large http://127.0.0.1:9/v1 xnl', 'model ollama/large'],
    ['/model small', 'ollama/small http://127.0.0.1:9/v1 xnl', 'model ollama/small'],
    ['/model large:free', 'ollama/large:free http://127.0.0.1:9/v1 xnl', 'model ollama/large:free'],
    ['/model any-latest', 'ollama/any-latest http://127.0.0.1:9/v1 xnl', 'model ollama/any-latest'],
    ['/provider ollama', 'ollama/default http://127.0.0.1:9/v1 xnl', 'model ollama/default'],
    ['/provider openai', 'openai/default - -', 'model openai/default'],
    ['/provider openai  large', 'openai/large - -', 'model openai/large'],
    ['/provider mock large', 'mock/large - -', 'model mock/large'],
  ])('by %s keeps the endpoint only for its own provider', async (message, options, used) => {
    const agent = { ...createFakeAgent([]), model: 'ollama/qwen3:14b' };
    const { models, log } = scriptedSwitch();
    await type(message, agent, models);
    expect(log).toEqual([options]);
    expect(agent.inputs).toEqual([used]);
  });

  it.each([
    ['/model large-broken', 'It cannot be opened.'],
    ['/provider nobody', 'There is no provider nobody.'],
  ])('by %s is rejected with the reason', async (message, reason) => {
    const agent = { ...createFakeAgent([]), model: 'ollama/qwen3:14b' };
    expect(await type(message, agent)).toBe(`${reason}\nThe model stays ollama/qwen3:14b.`);
    expect(agent.inputs).toEqual([]);
  });

  it.each([
    ['/model lagre', 'ollama does not list lagre', 'Did you mean large?', 'ollama/lagre'],
    ['/model xyz', 'ollama does not list xyz', 'It offers: large, large-broken, small-2026.', 'ollama/xyz'],
    ['/model sm', 'ollama does not list sm', 'It offers: large, large-broken, small-2026.', 'ollama/sm'],
    ['/provider mock nope', 'mock does not list nope', 'It offers: large, large-broken, small-2026.', 'mock/nope'],
  ])('by %s accepts a model that the provider does not list, with a note', async (message, problem, hint, model) => {
    const agent = { ...createFakeAgent([]), model: 'ollama/qwen3:14b' };
    const text = await type(message, agent);
    expect(text).toContain(`\n! ${problem}; the next request shows whether it has it. ${hint}`);
    expect(agent.inputs).toEqual([`model ${model}`]);
  });

  it('accepts a model whose provider cannot list its models, with a note', async () => {
    const agent = createFakeAgent([]);
    const { models } = scriptedSwitch(new ModelError('network', 'No answer.'));
    expect(await type('/provider ollama large', agent, models)).toContain(
      '\n! The name was not checked. The models of ollama cannot be listed: No answer.',
    );
    expect(agent.inputs).toEqual(['model ollama/large']);
  });

  it('accepts the default model of a provider that does not answer, with a note', async () => {
    const agent = createFakeAgent([]);
    const { models } = scriptedSwitch(new ModelError('network', 'No answer.'));
    expect(await type('/provider ollama', agent, models)).toContain(
      '\n! The models of ollama cannot be listed: No answer.',
    );
    expect(agent.inputs).toEqual(['model ollama/default']);
  });

  it('reports the names of models and the message of a server on one line', async () => {
    const agent = createFakeAgent([]);
    const { models } = scriptedSwitch(undefined, ['a\n! b']);
    expect(await type('/model nope', agent, models)).toMatch(/\n! mock does not list nope; .*a\\u\{a\}! b/);
    const failing = scriptedSwitch(new ModelError('network', 'No\n! answer.'));
    expect(await type('/provider ollama large', agent, failing.models)).toMatch(
      /\n! The name was .*No\\u\{a\}! answer\.$/,
    );
  });

  it('accepts a model of a provider whose list is empty, with a note', async () => {
    const agent = createFakeAgent([]);
    const { models } = scriptedSwitch(undefined, []);
    expect(await type('/provider ollama large', agent, models)).toContain(
      '\n! ollama lists no models, so the name was not checked.',
    );
    expect(agent.inputs).toEqual(['model ollama/large']);
  });

  it('rethrows an unexpected error', async () => {
    const { models } = scriptedSwitch(new Error('broken'));
    await expect(type('/provider ollama large', createFakeAgent([]), models)).rejects.toThrow('broken');
  });

  it('stops with the command', async () => {
    const agent = createFakeAgent([]);
    expect(await type('/provider ollama large', agent, undefined, true)).toBe('Stopped. The model is mock/scripted.');
    expect(agent.inputs).toEqual([]);
  });

  it('keeps the effort and closes the previous model', async () => {
    const agent: FakeAgent = { ...createFakeAgent([]), effort: 'low' };
    const { models, log } = scriptedSwitch();
    await type('/provider mock large', agent, models);
    await type('/provider mock small', agent, models);
    await models.close();
    expect(log).toEqual([
      ...['mock/large - -', 'effort low', 'mock/small - -', 'effort low', 'close mock/large', 'close mock/small'],
    ]);
  });

  it('warns when the conversation is too long for the new model', async () => {
    const measure = async () => ({ parts: [], tokens: 30_000, window: 8_000, limit: 4_000 });
    const agent = { ...createFakeAgent([]), measureContext: measure };
    expect(await type('/provider mock', agent)).toMatchInlineSnapshot(`
      "The model is mock/scripted from the next request on. The conversation stays.
      ! The conversation has about 30,000 tokens, too many for the context window of this model (8,000 tokens). It is shortened before the next request."
    `);
  });
});

describe('a chat with several models', () => {
  const chat = (typed: readonly string[], script: RunScript = {}) =>
    configuredRun({
      config: { llm: MODEL },
      typed,
      run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
      ...script,
    });

  it('sends the whole conversation to the next provider, and each key to its own provider', async () => {
    const { requests, screen } = await chat(
      ['one', '/provider openai', 'two', '/provider openai-compatible', 'three'],
      {
        config: { llm: { ...MODEL, api_key_variable: 'OWN_KEY', headers: { 'x-team': 'blue' } } },
        environment: { OWN_KEY: 'own', OPENAI_API_KEY: 'sk-openai' },
      },
    );
    expect(screen).toContain('The model is openai/gpt-5.4-mini from the next request on. The conversation stays.\n');
    expect(
      requests.map(({ url, headers, body }) => [url, headers['authorization'], headers['x-team'], body['model']]),
    ).toMatchInlineSnapshot(`
      [
        [
          "http://127.0.0.1:9/v1/chat/completions",
          "Bearer own",
          "blue",
          "m",
        ],
        [
          "https://api.openai.com/v1/responses",
          "Bearer sk-openai",
          undefined,
          "gpt-5.4-mini",
        ],
        [
          "http://127.0.0.1:9/v1/chat/completions",
          "Bearer own",
          "blue",
          "m",
        ],
      ]
    `);
    const messages = requests.map(({ body }) => JSON.stringify(body['messages'] ?? body['input']));
    expect(messages.map((text) => text.match(/"(one|two|three|Done\.)"/g))).toEqual([
      ['"one"'],
      ['"one"', '"Done."', '"two"'],
      ['"one"', '"Done."', '"two"', '"Done."', '"three"'],
    ]);
  });

  it('warns about each problem of the configuration once', async () => {
    const { warnings } = await chat(['one', '/provider mock x', '/provider openai-compatible m', '/reload-tools'], {
      config: { llm: { ...MODEL, modle: 'x' } },
    });
    expect(warnings).toEqual([expect.stringContaining('unknown key "llm.modle" is ignored')]);
  });

  it.each([
    ['/provider openai', 'OPENAI_API_KEY'],
    ['/provider opneai', 'openai'],
    ['/provider lmstudio', '--model'],
  ])('rejects %s with missing or wrong settings, and continues', async (command, reason) => {
    const { requests, screen, outcome } = await chat([command, 'one']);
    expect(screen).toContain(reason);
    expect(withoutMarks(screen)).toContain('\nThe model stays openai-compatible/m.\n');
    expect(requests.map(({ url }) => url)).toEqual(['http://127.0.0.1:9/v1/chat/completions']);
    expect(outcome).toBe(0);
  });
});

it.each<readonly [string, Error | undefined, readonly string[], string | undefined, readonly string[]]>([
  ['the model first', undefined, ['large', 'small'], 'model> ', ['small', 'large']],
  ['none of an empty list', undefined, [], undefined, []],
  ['none when the server does not answer', new ModelError('network', 'No\nanswer.'), [], undefined, []],
])('/model offers %s to choose from', async (_name, failure, offered, prompt, names) => {
  const input = readChatInput('/model');
  if (input.type !== 'command') throw new Error('not a command');
  const agent = { ...createFakeAgent([]), model: 'ollama/small' };
  const { models } = scriptedSwitch(failure, [...offered]);
  const signal = new AbortController().signal;
  const result = await input.command.run(async () => agent, '', { models, signal });
  const choices = result.type === 'text' ? result.choices : undefined;
  expect([choices?.prompt, choices?.answers.map(({ value }) => value) ?? []]).toEqual([prompt, names]);
  expect(result).toMatchObject({
    text: expect.stringMatching(/^The model is ollama\/small\. The (?:provider|models of)/),
  });
});

it('/model and /provider show the model and the providers', async () => {
  const agent = { ...createFakeAgent([]), model: 'openrouter/meta/llama' };
  expect(await type('/model', agent)).toBe(
    'The model is openrouter/meta/llama. The provider lists 3 models; /model NAME uses one.',
  );
  expect(await type('/provider current', agent)).toBe('The model is openrouter/meta/llama.');
  const list = await type('/provider list', agent);
  expect(await type('/provider', agent)).toBe(list);
  expect(list).toMatch(/^\* openrouter +OpenRouter, meta\/llama, needs OPENROUTER_API_KEY$/m);
  expect(list).toMatch(/^ {2}lmstudio +LM Studio, no default model$/m);
  expect(list).toMatch(/^ {2}openai-compatible +The server, no default model$/m);
});

it('/context shows what occupies the context window', async () => {
  expect(await type('/context', createFakeAgent([]))).toMatchInlineSnapshot(`
    "tools    20
    all   1,234
    About 4 % of 32,000 tokens, the context window for mock/scripted.
    Beyond 26,000 tokens, the conversation is shortened. These are estimates."
  `);
});

it('the context is measured part by part, with the last count of the provider', async () => {
  const model = createScriptedModel();
  const tool = { name: 'run', description: 'Runs.', parameters: {}, effect: 'execute' } as const;
  const messages = [
    { role: 'user', content: 'a'.repeat(300) },
    { role: 'assistant', content: 'b'.repeat(600), toolCalls: [{ id: 'c', name: 'run', arguments: '{}' }] },
    { role: 'tool', toolCallId: 'c', content: 'c'.repeat(900), isError: false },
  ] as const;
  const measure = (inputTokens?: number) =>
    measureContext(
      {
        model: { ...model, contextWindow: async () => ({ tokens: 8_000 }) },
        session: {
          state: {
            ...EMPTY_SESSION,
            messages,
            ...(inputTokens !== undefined && { counted: { model: model.identity, inputTokens, messages } }),
          },
        },
        tools: { definitions: [tool], find: () => undefined, nearest: () => undefined },
        promptParts: [{ name: 'rules', text: 'r'.repeat(100) }],
        settings: { system: 'r'.repeat(100) },
      },
      { maxTokens: 32_000, threshold: 0.95, maxAnswerTokens: 1_000 },
      new AbortController().signal,
    );
  expect(await measure()).toMatchInlineSnapshot(`
    {
      "limit": 5976,
      "parts": [
        {
          "name": "system prompt: rules",
          "tokens": 33,
        },
        {
          "name": "tools",
          "tokens": 14,
        },
        {
          "name": "user messages",
          "tokens": 107,
        },
        {
          "name": "assistant messages",
          "tokens": 216,
        },
        {
          "name": "tool results",
          "tokens": 305,
        },
      ],
      "tokens": 683,
      "window": 8000,
    }
  `);
  const { tokens, parts } = await measure(1_500);
  expect(tokens).toBe(1_500);
  expect(parts.map((part) => part.tokens)).toMatchInlineSnapshot(`
    [
      73,
      31,
      236,
      474,
      671,
    ]
  `);
});
