import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/agent/ports/clock.ts';
import {
  chooseModel,
  type ModelChoice,
  type ModelConfig,
  type ModelPorts,
} from '../../../../src/providers/target/choose-model.ts';
import { PROVIDERS } from '../../../../src/providers/target/presets.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { wireAnswer } from '../../../support/wires/chat-completion-wire.ts';
import { ollamaAnswer } from '../../../support/wires/ollama-wire.ts';
import { responsesAnswer } from '../../../support/wires/responses-wire.ts';

type Llm = Partial<ModelConfig['llm']>;
type Environment = Readonly<Record<string, string | undefined>>;

const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const LMSTUDIO = { provider: 'lmstudio', model: 'm' };
const OPENAI = { OPENAI_API_KEY: 'sk-openai-12345678' };

function answerTo(path: string): Response {
  if (path.endsWith('/responses')) return responsesAnswer({ text: 'a' });
  return path.startsWith('/api/') ? ollamaAnswer({ text: 'a' }, path) : wireAnswer({ text: 'a' });
}

/** The choice for a configuration; its programs and requests are answered by these ports. */
function choose(llm: Llm, environment: Environment, ports: Partial<ModelPorts>) {
  const own = { clock: createManualClock(), random: () => 0.5 };
  const config = configOf({ llm, agent: { retry_attempts: 1 } });
  const limits = { answer: config.llm.max_tokens };
  return chooseModel({ ...config, limits }, environment, { ...own, ...ports });
}

function usable(choice: ModelChoice) {
  if (choice.type === 'refused') throw new Error(`expected a model, but: ${choice.message}`);
  return choice;
}

/** The model of this configuration, with a server that gives the answer and records its requests. */
function setUp(llm: Llm, environment: Environment = {}, answer: (path: string) => Response = answerTo) {
  const sent: { url: string; authorization: string | null; body: unknown }[] = [];
  const clock = createManualClock();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const authorization = new Headers(init?.headers).get('authorization');
    const { pathname } = new URL(String(url));
    if (pathname === '/api/tags') return Response.json({ models: [{ name: 'one' }, { name: 'two' }] });
    if (pathname.endsWith('/models')) return Response.json({ data: [{ id: 'one' }, { id: 'two' }] });
    sent.push({ url: String(url), authorization, body: JSON.parse(String(init?.body ?? 'null')) });
    return answer(pathname);
  };
  return { choice: choose(llm, environment, { clock, openFetch: async () => fetch }), sent, clock };
}

async function ready(llm: Llm, environment?: Environment, answer?: (path: string) => Response) {
  const { choice, ...rest } = setUp(llm, environment, answer);
  const { open, name } = usable(choice);
  return { model: await open(), name, ...rest };
}

const UNKNOWN = `Unknown provider "opnai". Did you mean openai? Choose one of ${[...PROVIDERS.keys()].join(', ')}. Any other OpenAI-compatible API works with --provider openai-compatible --endpoint <url>.`;
const KINDS = 'Unknown apiKind "opneai". Did you mean openai? Choose one of openai, anthropic, ollama, openai-chat, ';

/** Configurations that are refused, with the key to change and the message, in an environment with these variables. */
const refusals: readonly (readonly [Llm, key: string, message: string, Environment?])[] = [
  [{ provider: 'opnai' }, 'provider', UNKNOWN],
  [{ provider: 'qqqqqqqq' }, 'provider', 'Unknown provider "qqqqqqqq". Choose one of '],
  [{ provider: 'hello' }, 'provider', '--endpoint <url>. A prompt needs no -p: ybs "hello"'],
  [{ provider: 'flow', api_kind: 'openai' }, 'provider', 'Unknown provider "flow".'],
  [{ api_kind: 'opneai' }, 'api_kind', KINDS],
  [{ provider: 'mock' }, 'endpoint', 'The provider mock has no default endpoint. Set one: --endpoint <url>'],
  [{ provider: 'apple' }, 'endpoint', 'The provider apple has no default endpoint. It needs a bridge on this machine'],
  [{ endpoint: 'nowhere' }, 'endpoint', 'The endpoint is invalid: "nowhere" is not a URL.'],
  [
    { provider: 'openai', endpoint: 'nowhere' },
    'endpoint',
    'The endpoint in OPENAI_BASE_URL is invalid: "nowhere" is not a URL.',
    { ...OPENAI, OPENAI_BASE_URL: 'nowhere' },
  ],
  [
    { provider: 'openai', endpoint: 'http://example.com', api_key_variable: 'OPENAI_API_KEY' },
    'endpoint',
    'OPENAI_API_KEY would be sent unencrypted to http://example.com.',
    OPENAI,
  ],
  [{ provider: 'lmstudio' }, 'model', 'LM Studio has no default model. Choose one: --model <name>'],
  [{ provider: 'openai' }, 'api_key_variable', 'needs an API key. Set the environment variable OPENAI_API_KEY to it.'],
  [{ provider: 'openai' }, 'api_key_variable', 'OpenAI needs an API key.', { OPENAI_API_KEY: ' ' }],
  [
    { provider: 'openai' },
    'api_key_variable',
    'The key in OPENAI_API_KEY contains a space or another invalid character.',
    { OPENAI_API_KEY: 'sk-1\nsk-2' },
  ],
  [
    { provider: 'openai', api_key_variable: 'WORK_KEY' },
    'api_key_variable',
    'OpenAI needs an API key. Set the environment variable WORK_KEY to it.',
    OPENAI,
  ],
];

const requests: readonly (readonly [name: string, llm: Llm, environment: Environment, sent: object])[] = [
  [
    'OpenAI with its own key and limit',
    { provider: 'openai', temperature: 1 },
    { OPENAI_API_KEY: ' sk-openai-12345678\n' },
    {
      url: 'https://api.openai.com/v1/responses',
      authorization: 'Bearer sk-openai-12345678',
      body: { model: 'gpt-5.4-mini', max_output_tokens: 4096, temperature: 1 },
    },
  ],
  [
    'the mock model at its endpoint, without a key',
    { provider: 'mock', endpoint: 'http://127.0.0.1:8000' },
    OPENAI,
    { url: 'http://127.0.0.1:8000/v1/chat/completions', authorization: null, body: { model: 'mock-model' } },
  ],
  [
    'a provider with a name of its own',
    { provider: 'flow', api_kind: 'openai', endpoint: 'https://flow.test', model: 'm', api_key_variable: 'FLOW' },
    { FLOW: 'f' },
    { url: 'https://flow.test/v1/chat/completions', authorization: 'Bearer f', body: { model: 'm' } },
  ],
  [
    'another endpoint without a key',
    { provider: 'openai', endpoint: 'https://example.com/v1', model: 'm' },
    OPENAI,
    { url: 'https://example.com/v1/chat/completions', authorization: null, body: { model: 'm', max_tokens: 4096 } },
  ],
  [
    'another endpoint with the key from the configured variable',
    { provider: 'openai', endpoint: 'https://example.com/v1', api_key_variable: 'WORK_KEY' },
    { ...OPENAI, WORK_KEY: 'work' },
    { authorization: 'Bearer work' },
  ],
  [
    'another path of the same provider with its key',
    { provider: 'openai', endpoint: 'https://api.openai.com/v2/' },
    OPENAI,
    { url: 'https://api.openai.com/v2/responses', authorization: 'Bearer sk-openai-12345678' },
  ],
  [
    'a server on this machine with a key over plain http',
    { provider: 'openai', endpoint: 'http://localhost:9', api_key_variable: 'OPENAI_API_KEY' },
    OPENAI,
    { authorization: 'Bearer sk-openai-12345678' },
  ],
];

describe('chooseModel', () => {
  it.each(refusals.map(([llm, key, message, environment = {}]) => [llm, key, environment, message] as const))(
    'refuses %j for the sake of llm.%s',
    (llm, key, environment, message) => {
      const { choice, sent } = setUp(llm, environment);
      expect(choice).toEqual({ type: 'refused', key: `llm.${key}`, message: expect.stringContaining(message) });
      expect(JSON.stringify(choice)).not.toContain('sk-');
      expect(sent).toEqual([]);
    },
  );

  it.each(requests)('sends a request to %s', async (_name, llm, environment, expected) => {
    const { model, sent } = await ready(llm, environment);
    await collect(model.stream(request, never));
    expect(sent).toMatchObject([expected]);
  });

  it.each([
    [{}, 600_000],
    [{ provider: 'mock', endpoint: 'http://localhost:1' }, 300_000],
    [{ provider: 'openai' }, 300_000],
    [{ timeout_seconds: 1_000 }, 1_000_000],
  ])('waits for a model of %j for %d ms', async (llm, timeoutMs) => {
    const clock = createManualClock();
    const waits: number[] = [];
    const sleep: Clock['sleep'] = (ms, signal) => {
      waits.push(ms);
      return clock.sleep(ms, signal);
    };
    const openFetch = async () => async () => Response.json({ models: [], data: [] });
    await usable(choose(llm, OPENAI, { clock: { now: clock.now, sleep }, openFetch })).listModels(never);
    expect(new Set(waits)).toEqual(new Set([timeoutMs]));
  });

  it('reports that Gemini without a key needs a program', async () => {
    const { model, sent } = await ready({ provider: 'gemini' });
    const message = expect.stringContaining('gcloud auth print-access-token failed: programs cannot be run here');
    expect(await failureOf(model.stream(request, never))).toMatchObject({ code: 'auth', message });
    expect(sent).toEqual([]);
  });

  it('checks a key that a program prints, and no other one', async () => {
    const runProgram = async () => ({ type: 'output', text: 'token' }) as const;
    await usable(choose({ provider: 'copilot' }, {}, { runProgram })).checkKey?.();
    const missing = usable(choose({ provider: 'copilot' }, {}, {}));
    await expect(missing.checkKey?.()).rejects.toMatchObject({
      code: 'auth',
      message: expect.stringContaining('gh auth token failed: programs cannot be run here. Log in with: gh auth login'),
    });
    expect(usable(choose({ provider: 'openai' }, OPENAI, {}))).not.toHaveProperty('checkKey');
  });

  it.each([
    [{ GOOGLE_CLOUD_PROJECT: 'p1' }, 'p1'],
    [{}, null],
    [{ GOOGLE_CLOUD_PROJECT: 'p1', GEMINI_API_KEY: 'k' }, null],
  ])('sends the project of a token for Gemini, but not of a key: %j', async (environment, project) => {
    const projects: (string | null)[] = [];
    const choice = choose({ provider: 'gemini' }, environment, {
      runProgram: async () => ({ type: 'output', text: 'token' }),
      openFetch: async () => async (_url, init) => {
        projects.push(new Headers(init?.headers).get('x-goog-user-project'));
        return Response.json({ models: [] });
      },
    });
    await usable(choice).listModels(never);
    expect(projects).toEqual([project]);
  });

  it('answers a prompt with a new token when the provider refuses the one that a program printed', async () => {
    const tokens = ['expired', 'fresh'];
    const sent: (string | null)[] = [];
    const choice = choose(
      { provider: 'copilot' },
      {},
      {
        runProgram: async () => ({ type: 'output', text: tokens.shift() ?? '' }),
        openFetch: async () => async (_url, init) => {
          const authorization = new Headers(init.headers).get('authorization');
          sent.push(authorization);
          return authorization === 'Bearer fresh' ? wireAnswer({ text: 'a' }) : new Response('no', { status: 401 });
        },
      },
    );
    const events = await collect((await usable(choice).open()).stream(request, never));
    // The list of models has told about the token already.
    expect(sent).toEqual(['Bearer expired', 'Bearer fresh', 'Bearer fresh']);
    expect(events.map(({ type }) => type)).toEqual(['text_delta', 'finish']);
  });

  it('goes on over the other wire of OpenAI when the service demands it', async () => {
    const words = {
      error: { message: 'This model is only supported in v1/chat/completions and not in v1/responses.' },
    };
    const answer = (path: string) => {
      return path.endsWith('/responses') ? Response.json(words, { status: 400 }) : wireAnswer({ text: 'a' });
    };
    const { model, sent } = await ready({ provider: 'openai' }, OPENAI, answer);
    await collect(model.stream(request, never));
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/responses',
      'https://api.openai.com/v1/chat/completions',
    ]);
  });

  it('lists the models of the provider', async () => {
    expect(await usable(setUp(LMSTUDIO).choice).listModels(never)).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  it.each([
    [{ provider: 'lmstudio', model: 'm' }, 'http://localhost:1234/v1', 'without a key'],
    [{ provider: 'openai' }, 'https://api.openai.com/v1', 'with the key in OPENAI_API_KEY'],
    [{ provider: 'gemini' }, 'https://generativelanguage.googleapis.com/v1beta', 'with a token of gcloud'],
  ])('names the address and the key of %j', (llm, endpoint, key) => {
    expect(setUp(llm, OPENAI).choice).toMatchObject({ endpoint, key });
  });

  it('names the model by provider and model', async () => {
    expect((await ready({ provider: 'lmstudio', model: 'qwen' })).name).toBe('lmstudio/qwen');
  });

  it("warns that the window cannot be set at Ollama's path for the API of OpenAI", async () => {
    const { model, sent } = await ready({ provider: 'ollama', endpoint: 'http://localhost:11434/v1/' });
    await collect(model.stream(request, never));
    expect(sent.map(({ url }) => url)).toEqual(['http://localhost:11434/v1/chat/completions']);
    const warning =
      "The context window cannot be set at http://localhost:11434/v1, so ybs assumes 8192 tokens. Remove /v1 from the endpoint to use Ollama's own API.";
    expect(await model.contextWindow?.(never)).toEqual({ tokens: 8192, answerTokens: 4096, warning });
  });

  it('reads reasoning that the model writes as text', async () => {
    const { model } = await ready(LMSTUDIO, {}, () => wireAnswer({ text: '<think>hm</think>Yes.' }));
    const events = await collect(model.stream(request, never));
    expect(events.slice(0, 2)).toEqual([
      { type: 'reasoning_delta', text: 'hm' },
      { type: 'text_delta', text: 'Yes.' },
    ]);
  });

  it('repeats a request that failed for a temporary reason', async () => {
    const answers = [Response.json({ error: { message: 'busy' } }, { status: 503 }), wireAnswer({ text: 'a' })];
    const { model, clock } = await ready(LMSTUDIO, {}, () => answers.shift() ?? Response.error());
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
      'Ollama has no model "x" (404: model "x" not found). Fetch it with: ollama pull x. It offers: one, two.',
    ],
    [
      { provider: 'ollama', model: 'x', endpoint: 'http://10.0.0.5:11434' },
      'The server at http://10.0.0.5:11434 has no model "x" (404: model "x" not found). Choose another with --model or llm.model. It offers: one, two.',
    ],
  ])('suggests local commands only for the endpoint of the preset: %j', async (llm, message) => {
    const { model } = await ready(llm, {}, notFound);
    expect(await failureOf(model.stream(request, never))).toMatchObject({ code: 'unknown_model', message });
  });
});

describe('a server of this machine that does not run', () => {
  const refused = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
  };
  const OLLAMA = 'Nothing is listening at http://localhost:11434. Start Ollama with: ollama serve';
  const MOCK = '--provider mock (replays stories, needs no key); ybs init configures one';

  it.each<[string, Llm, Environment, string]>([
    ['without a key', {}, { OPENAI_API_KEY: ' ' }, `${OLLAMA}, or use another provider: ${MOCK}`],
    [
      'with keys',
      {},
      { ...OPENAI, OPENROUTER_API_KEY: 'sk-2' },
      `${OLLAMA}, or use another provider: --provider openai (OPENAI_API_KEY is set), --provider codex (OPENAI_API_KEY is set), --provider openrouter (OPENROUTER_API_KEY is set), ${MOCK}`,
    ],
    [
      'at an endpoint of the user',
      { endpoint: 'http://localhost:9999' },
      OPENAI,
      'Nothing is listening at http://localhost:9999. Is the server running, and is the endpoint right?',
    ],
    [
      'that is a mock server',
      { provider: 'mock', endpoint: 'http://127.0.0.1:8000' },
      OPENAI,
      'Nothing is listening at http://127.0.0.1:8000/v1. Is the server running, and is the endpoint right?',
    ],
  ])('%s is reported once, with what can be used instead', async (_name, llm, environment, message) => {
    const { model, sent } = await ready(llm, environment, refused);
    expect(await failureOf(model.stream(request, never))).toMatchObject({ code: 'unreachable', message });
    expect(sent).toHaveLength(1);
  });

  it('is asked again on another machine, where it may be starting', async () => {
    const { model, clock, sent } = await ready({ endpoint: 'http://10.0.0.5:11434' }, {}, refused);
    const failure = failureOf(model.stream(request, never));
    await clock.untilSleeping(1);
    while (!clock.pending.includes(1_000)) await clock.advance(0);
    await clock.advance(1_000);
    expect(await failure).toMatchObject({ code: 'network' });
    expect(sent).toHaveLength(2);
  });
});
