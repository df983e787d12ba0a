import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { createModel, type ModelConfig } from '../../../src/providers/create-model.ts';
import { keyVariables, PROVIDERS } from '../../../src/providers/presets.ts';
import { wireAnswer } from '../../support/chat-completion-wire.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/manual-clock.ts';

type Llm = Partial<ModelConfig['llm']>;
type Environment = Readonly<Record<string, string | undefined>>;

const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const OPENAI = { OPENAI_API_KEY: 'sk-openai-12345678' };

/** The model of this configuration, before a server that answers as told and notes what it is asked. */
function setUp(llm: Llm, environment: Environment = {}, answer: () => Response = () => wireAnswer({ text: 'a' })) {
  const asked: { url: string; authorization: string | null; body: unknown }[] = [];
  const clock = createManualClock();
  const choice = createModel({ ...configSchema.parse({ llm, agent: { retry_attempts: 1 } }) }, environment, {
    clock,
    random: () => 0.5,
    async fetch(url, init) {
      const authorization = new Headers(init?.headers).get('authorization');
      asked.push({ url: String(url), authorization, body: JSON.parse(String(init?.body)) });
      return answer();
    },
  });
  return { choice, asked, clock };
}

function ready(llm: Llm, environment?: Environment, answer?: () => Response) {
  const { choice, ...rest } = setUp(llm, environment, answer);
  if (choice.type === 'refused') throw new Error(`expected a model, but: ${choice.message}`);
  return { ...choice, ...rest };
}

const refusals: readonly (readonly [name: string, llm: Llm, environment: Environment, key: string, message: string])[] =
  [
    [
      'a provider that does not exist',
      { provider: 'opnai' },
      {},
      'llm.provider',
      'There is no provider "opnai". Did you mean openai? There are mock, ollama, lmstudio, openai, openrouter; any other OpenAI-compatible API works with --provider openai --endpoint <url>.',
    ],
    [
      'a provider that is not there yet',
      { provider: 'anthropic' },
      {},
      'llm.provider',
      'There is no provider "anthropic".',
    ],
    [
      'the mock model without a server',
      { provider: 'mock' },
      {},
      'llm.endpoint',
      'The provider mock needs an endpoint',
    ],
    [
      'an endpoint that is none',
      { endpoint: 'nowhere' },
      {},
      'llm.endpoint',
      'The endpoint is not usable: "nowhere" is not a URL.',
    ],
    [
      'a provider without a model',
      { provider: 'lmstudio' },
      {},
      'llm.model',
      'LM Studio has no model of its own to start with. Name one: --model <name>',
    ],
    [
      'a missing key',
      { provider: 'openai' },
      {},
      'llm.api_key_variable',
      'OpenAI needs a key in the environment variable OPENAI_API_KEY, which is not set.',
    ],
    ['an empty key', { provider: 'openai' }, { OPENAI_API_KEY: ' ' }, 'llm.api_key_variable', 'which is not set'],
    [
      'a key with a line end within',
      { provider: 'openai' },
      { OPENAI_API_KEY: 'sk-1\nsk-2' },
      'llm.api_key_variable',
      'The key in OPENAI_API_KEY holds a space or another character that no key has.',
    ],
    [
      'a missing key of the configured name',
      { provider: 'openai', api_key_variable: 'WORK_KEY' },
      OPENAI,
      'llm.api_key_variable',
      'OpenAI needs a key in the environment variable WORK_KEY',
    ],
    [
      'a key over plain http',
      { provider: 'openai', endpoint: 'http://example.com', api_key_variable: 'OPENAI_API_KEY' },
      OPENAI,
      'llm.endpoint',
      'OPENAI_API_KEY would be sent unencrypted to http://example.com.',
    ],
  ];

const requests: readonly (readonly [name: string, llm: Llm, environment: Environment, asked: object])[] = [
  [
    'ollama',
    { provider: 'ollama' },
    {},
    {
      url: 'http://localhost:11434/v1/chat/completions',
      authorization: null,
      body: { model: 'qwen3:14b', max_tokens: 4096 },
    },
  ],
  [
    'openai',
    { provider: 'openai', temperature: 1 },
    { OPENAI_API_KEY: ' sk-openai-12345678\n', OPENAI_BASE_URL: 'https://evil.example' },
    {
      url: 'https://api.openai.com/v1/chat/completions',
      authorization: 'Bearer sk-openai-12345678',
      body: { model: 'gpt-5.4-mini', max_completion_tokens: 4096, temperature: 1 },
    },
  ],
  [
    'the mock model at its endpoint',
    { provider: 'mock', endpoint: 'http://127.0.0.1:8000' },
    OPENAI,
    { url: 'http://127.0.0.1:8000/v1/chat/completions', authorization: null, body: { model: 'mock-model' } },
  ],
  [
    'another endpoint gets no key',
    { provider: 'openai', endpoint: 'https://example.com/v1', model: 'm' },
    OPENAI,
    { url: 'https://example.com/v1/chat/completions', authorization: null, body: { model: 'm', max_tokens: 4096 } },
  ],
  [
    'another endpoint gets the key that was named for it',
    { provider: 'openai', endpoint: 'https://example.com/v1', api_key_variable: 'WORK_KEY' },
    { ...OPENAI, WORK_KEY: 'work' },
    { authorization: 'Bearer work' },
  ],
  [
    'another path of the same provider gets its key',
    { provider: 'openai', endpoint: 'https://api.openai.com/v2/' },
    OPENAI,
    { url: 'https://api.openai.com/v2/chat/completions', authorization: 'Bearer sk-openai-12345678' },
  ],
  [
    'a key over plain http stays on this machine',
    { provider: 'openai', endpoint: 'http://localhost:9', api_key_variable: 'OPENAI_API_KEY' },
    OPENAI,
    { authorization: 'Bearer sk-openai-12345678' },
  ],
];

describe('createModel', () => {
  it.each(refusals)('refuses %s', (_name, llm, environment, key, message) => {
    const { choice, asked } = setUp(llm, environment);
    expect(choice).toEqual({ type: 'refused', key, message: expect.stringContaining(message) });
    expect(JSON.stringify(choice)).not.toContain('sk-');
    expect(asked).toEqual([]);
  });

  it.each(requests)('asks %s', async (_name, llm, environment, expected) => {
    const { model, asked } = ready(llm, environment);
    await collect(model.stream(request, never));
    expect(asked).toMatchObject([expected]);
  });

  it('says what it is called', () => {
    expect(ready({ provider: 'lmstudio', model: 'qwen' }).name).toBe('lmstudio/qwen');
  });

  it('repeats a request that failed for a passing reason', async () => {
    const answers = [Response.json({ error: { message: 'busy' } }, { status: 503 }), wireAnswer({ text: 'a' })];
    const { model, clock } = ready({}, {}, () => answers.shift() ?? Response.error());
    const events = collect(model.stream(request, never));
    await clock.untilSleeping(1);
    while (!clock.pending.includes(1_000)) await clock.advance(0);
    await clock.advance(1_000);
    expect((await events).map(({ type }) => type)).toEqual(['retry', 'text_delta', 'finish']);
  });

  const notFound = () => Response.json({ error: { message: 'model "x" not found' } }, { status: 404 });
  it.each([
    [
      { provider: 'ollama', model: 'x' },
      'Ollama has no model "x" (404: model "x" not found). Fetch it with: ollama pull x',
    ],
    [
      { provider: 'ollama', model: 'x', endpoint: 'http://10.0.0.5:11434' },
      'The server at http://10.0.0.5:11434 has no model "x" (404: model "x" not found). Choose another with --model or llm.model.',
    ],
  ])('speaks of commands of this machine only where they help: %j', async (llm, message) => {
    const { model } = ready(llm, {}, notFound);
    expect(await failureOf(model.stream(request, never))).toMatchObject({ code: 'bad_request', message });
  });
});

describe('the providers', () => {
  it('are in docs/providers.md as they are', () => {
    const page = readFileSync(path.join(import.meta.dirname, '../../../docs/providers.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));
    expect(cells.map(([, name, , endpoint, model, key]) => [name, endpoint, model, key])).toEqual(
      [...PROVIDERS].map(([name, { endpoint = 'found at start', model = 'none: name one', keyVariable = 'none' }]) => [
        name,
        endpoint,
        model,
        keyVariable,
      ]),
    );
  });

  it('name every variable that holds a key', () => {
    expect(keyVariables(undefined)).toEqual(['OPENAI_API_KEY', 'OPENROUTER_API_KEY']);
    expect(keyVariables('WORK_KEY')).toEqual(['OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'WORK_KEY']);
    expect(keyVariables('OPENAI_API_KEY')).toEqual(['OPENAI_API_KEY', 'OPENROUTER_API_KEY']);
  });
});
