import { describe, expect, it } from 'vitest';
import { knownModel } from '../../../../src/providers/limits/known-model.ts';
import { chooseModel } from '../../../../src/providers/target/choose-model.ts';
import { keyVariables, PROVIDERS } from '../../../../src/providers/target/presets.ts';
import type { Wire } from '../../../../src/providers/wires.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { anthropicAnswer } from '../../../support/wires/anthropic-wire.ts';
import { wireAnswer } from '../../../support/wires/chat-completion-wire.ts';
import { geminiAnswer } from '../../../support/wires/gemini-wire.ts';
import { ollamaAnswer } from '../../../support/wires/ollama-wire.ts';
import { responsesAnswer } from '../../../support/wires/responses-wire.ts';

/** Facts of a preset that a user sees. `model` and `endpoint` are set only where the preset has none. */
interface Case {
  readonly settings?: { readonly model?: string; readonly endpoint?: string };
  /** The variables that a key is read from. */
  readonly keyVariables?: readonly string[];
  /** The path of the requests after `base`; that of chat completions if absent. */
  readonly route?: string;
  /** The headers that carry the key `sk-1` and that are special. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the model and the limit of a chat completion. */
  readonly body?: object;
  /** Names in messages: the address, the provider and the model. */
  readonly base: string;
  readonly label: string;
  readonly model: string;
  /** The commands that start the server and download a model. */
  readonly start?: string;
  readonly fetch?: string;
}

/** A complete answer of each wire. */
const ANSWERS: Readonly<Record<Wire, (path: string) => Response>> = {
  gemini: () => geminiAnswer({ text: 'a' }),
  'ollama-chat': (path) => ollamaAnswer({ text: 'a' }, path),
  'openai-chat': () => wireAnswer({ text: 'a' }),
  'openai-responses': () => responsesAnswer({ text: 'a' }),
  'anthropic-messages': () => anthropicAnswer({ text: 'a' }),
};

const CASES: Readonly<Record<string, Case>> = {
  mock: {
    settings: { endpoint: 'http://localhost:8000/v1' },
    base: 'http://localhost:8000/v1',
    label: 'The mock model',
    model: 'mock-model',
  },
  ollama: {
    body: { model: 'qwen3:14b', options: { num_ctx: 32_000, num_predict: 4096 } },
    base: 'http://localhost:11434',
    route: '/api/chat',
    start: 'ollama serve',
    label: 'Ollama',
    model: 'qwen3:14b',
    fetch: 'ollama pull',
  },
  lmstudio: {
    settings: { model: 'm' },
    base: 'http://localhost:1234/v1',
    start: 'lms server start',
    label: 'LM Studio',
    model: 'm',
    fetch: 'lms get',
  },
  openai: {
    keyVariables: ['OPENAI_API_KEY'],
    headers: { authorization: 'Bearer sk-1' },
    body: { model: 'gpt-5.4-mini', max_output_tokens: 4096 },
    base: 'https://api.openai.com/v1',
    route: '/responses',
    label: 'OpenAI',
    model: 'gpt-5.4-mini',
  },
  codex: {
    keyVariables: ['OPENAI_API_KEY'],
    headers: { authorization: 'Bearer sk-1' },
    body: { model: 'gpt-5.4', max_output_tokens: 4096, store: false },
    base: 'https://api.openai.com/v1',
    route: '/responses',
    label: 'OpenAI',
    model: 'gpt-5.4',
  },
  anthropic: {
    keyVariables: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
    headers: { 'x-api-key': 'sk-1' },
    base: 'https://api.anthropic.com',
    route: '/v1/messages',
    label: 'Anthropic',
    model: 'claude-sonnet-5-5',
  },
  gemini: {
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    headers: { 'x-goog-api-key': 'sk-1' },
    body: { generationConfig: { maxOutputTokens: 4096, thinkingConfig: { includeThoughts: true } } },
    base: 'https://generativelanguage.googleapis.com/v1beta',
    route: '/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    label: 'Gemini',
    model: 'gemini-3.8-flash',
  },
  openrouter: {
    keyVariables: ['OPENROUTER_API_KEY'],
    headers: { authorization: 'Bearer sk-1' },
    base: 'https://openrouter.ai/api/v1',
    label: 'OpenRouter',
    model: 'openrouter/auto',
  },
  copilot: {
    headers: {
      authorization: 'Bearer printed by gh auth token',
      'copilot-integration-id': 'vscode-chat',
      'editor-version': 'ybs/0.1.0',
    },
    base: 'https://api.githubcopilot.com',
    label: 'GitHub Copilot',
    model: 'gpt-5-mini',
    body: { model: 'gpt-5-mini', max_completion_tokens: 4096 },
  },
  apple: {
    settings: { endpoint: 'http://localhost:11535' },
    base: 'http://localhost:11535/v1',
    label: "Apple's system model",
    model: 'apple-on-device',
  },
  'openai-compatible': {
    settings: { endpoint: 'http://localhost:8080', model: 'm' },
    base: 'http://localhost:8080/v1',
    label: 'The server at http://localhost:8080',
    model: 'm',
  },
};

const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const SPECIAL = /^authorization$|key$|^(?:editor|copilot)-|^x-/;

/** The model of a provider with a key, and the requests that it sends. */
async function setUp(
  provider: string,
  { settings, keyVariables: variables = [] }: Case,
  answer?: (path: string) => Response,
) {
  const preset = PROVIDERS.get(provider);
  const wire = preset?.ownWire ?? preset?.wire ?? 'openai-chat';
  const respond = answer ?? ANSWERS[wire];
  const sent: { url: string; headers: object; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (url, { headers, body } = {}) => {
    const special = [...new Headers(headers)].filter(([name]) => SPECIAL.test(name));
    sent.push({ url: String(url), headers: Object.fromEntries(special), body: JSON.parse(String(body ?? '{}')) });
    return respond?.(new URL(String(url)).pathname) ?? Response.error();
  };
  const config = configOf({ llm: { provider, ...settings }, agent: { retry_attempts: 0 } });
  const environment = Object.fromEntries(variables.slice(-1).map((name) => [name, 'sk-1']));
  const limits = { answer: config.llm.max_tokens };
  const choice = chooseModel({ ...config, limits }, environment, {
    clock: createManualClock(),
    random: () => 0.5,
    openFetch: async () => fetch,
    runProgram: async (program, args) => ({ type: 'output', text: `printed_by_${[program, ...args].join('_')}\n` }),
  });
  if (choice.type === 'refused') throw new Error(`expected a model, but: ${choice.message}`);
  return { model: await choice.open(), sent };
}

describe('every provider', () => {
  it('has a case', () => {
    expect(Object.keys(CASES).toSorted()).toEqual([...PROVIDERS.keys()].toSorted());
  });

  it.each(Object.entries(CASES))(
    '%s gets requests at its address, with its model, limit and key',
    async (name, each) => {
      const { model, sent } = await setUp(name, each);
      await collect(model.stream(request, never));
      const headers = each.headers ?? {};
      const expected = { ...headers, ...('authorization' in headers && { authorization: tokenOf(headers) }) };
      const { base, route = '/chat/completions', body = { model: each.model, max_tokens: 4096 } } = each;
      expect(sent.at(-1)).toEqual({ url: base + route, headers: expected, body: expect.objectContaining(body) });
    },
  );

  it.each(Object.entries(CASES))('%s is named when it has no such model', async (name, each) => {
    const { model } = await setUp(name, each, () =>
      Response.json({ error: { message: 'model not found', code: 'model_not_found' } }, { status: 404 }),
    );
    expect(await failureOf(model.stream(request, never))).toMatchObject({
      code: 'unknown_model',
      message: expect.stringContaining(
        `${each.label} has no model "${each.model}" (404: model not found). ${
          each.fetch === undefined ? 'Choose another' : `Fetch it with: ${each.fetch} ${each.model}`
        }`,
      ),
    });
  });

  it.each(Object.entries(CASES))('%s is named with its start command when nothing listens', async (name, each) => {
    const { model } = await setUp(name, each, () => {
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      });
    });
    expect(await failureOf(model.stream(request, never))).toMatchObject({
      message: expect.stringContaining(
        `Nothing is listening at ${each.base}. ${
          each.start === undefined ? 'Is the server running' : `Start ${each.label} with: ${each.start}`
        }`,
      ),
    });
  });

  it('keeps its key from commands, and the configured one, each once', () => {
    const known = keyVariables([]);
    const variables = Object.values(CASES).flatMap(({ keyVariables: own = [] }) => own);
    const earlier = ['LLM_AUTH_TOKEN', 'SILICONFLOW_API_KEY', 'SILICONFLOW_TOKEN'];
    expect(known).toEqual(expect.arrayContaining([...variables, ...earlier]));
    expect(new Set(known).size).toBe(known.length);
    expect(keyVariables([undefined, 'WORK_KEY', 'OPENAI_API_KEY'])).toEqual([...known, 'WORK_KEY']);
  });

  it('has a default model that the table knows, unless it runs on this machine or chooses itself', () => {
    const unknown = [...PROVIDERS].filter(([, { model }]) => model !== undefined && knownModel(model) === undefined);
    expect(unknown.map(([name]) => name)).toEqual(['mock', 'ollama', 'openrouter']);
  });
});

/** The value of the header for a token that the program of this test prints. */
function tokenOf({ authorization }: Readonly<Record<string, string>>): string | undefined {
  return authorization?.replace(/(?<=^Bearer ).*/, (text) => text.replaceAll(' ', '_'));
}
