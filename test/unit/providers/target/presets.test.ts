import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../../../src/providers/target/choose-model.ts';
import { keyVariables, PROVIDERS } from '../../../../src/providers/target/presets.ts';
import type { Wire } from '../../../../src/providers/wires.ts';
import { anthropicAnswer } from '../../../support/anthropic-wire.ts';
import { wireAnswer } from '../../../support/chat-completion-wire.ts';
import { configOf } from '../../../support/config-of.ts';
import { collect, failureOf } from '../../../support/contracts/language-model.ts';
import { geminiAnswer } from '../../../support/gemini-wire.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { ollamaAnswer } from '../../../support/ollama-wire.ts';
import { responsesAnswer } from '../../../support/responses-wire.ts';

/** Facts of a preset that a user sees. `model` and `endpoint` are set only where the preset has none. */
interface Case {
  readonly settings?: { readonly model?: string; readonly endpoint?: string };
  /** The variables that a key is read from. */
  readonly keyVariables?: readonly string[];
  readonly url: string;
  /** The headers that carry the key `sk-1` and that are special. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  /** The message when nothing listens at the endpoint. */
  readonly unreachable: string;
  /** The message when the provider does not have the model. */
  readonly noModel: string;
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
    url: 'http://localhost:8000/v1/chat/completions',
    body: { model: 'mock-model', max_tokens: 4096 },
    unreachable: 'Nothing is listening at http://localhost:8000/v1. Is the server running, and is the endpoint right?',
    noModel: 'The mock model has no model "mock-model" (404: model not found). Choose another',
  },
  ollama: {
    url: 'http://localhost:11434/api/chat',
    body: { model: 'qwen3:14b', options: { num_ctx: 32_000, num_predict: 4096 } },
    unreachable: 'Nothing is listening at http://localhost:11434. Start Ollama with: ollama serve',
    noModel: 'Ollama has no model "qwen3:14b" (404: model not found). Fetch it with: ollama pull qwen3:14b',
  },
  lmstudio: {
    settings: { model: 'm' },
    url: 'http://localhost:1234/v1/chat/completions',
    body: { model: 'm', max_tokens: 4096 },
    unreachable: 'Nothing is listening at http://localhost:1234/v1. Start LM Studio with: lms server start',
    noModel: 'LM Studio has no model "m" (404: model not found). Fetch it with: lms get m',
  },
  openai: {
    keyVariables: ['OPENAI_API_KEY'],
    url: 'https://api.openai.com/v1/chat/completions',
    headers: { authorization: 'Bearer sk-1' },
    body: { model: 'gpt-5.4-mini', max_completion_tokens: 4096 },
    unreachable: 'Nothing is listening at https://api.openai.com/v1. Is the server running, and is the endpoint right?',
    noModel: 'OpenAI has no model "gpt-5.4-mini" (404: model not found). Choose another',
  },
  codex: {
    keyVariables: ['OPENAI_API_KEY'],
    url: 'https://api.openai.com/v1/responses',
    headers: { authorization: 'Bearer sk-1' },
    body: { model: 'gpt-5.4', max_output_tokens: 4096, store: false },
    unreachable: 'Nothing is listening at https://api.openai.com/v1. Is the server running',
    noModel: 'OpenAI has no model "gpt-5.4" (404: model not found). Choose another',
  },
  anthropic: {
    keyVariables: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
    url: 'https://api.anthropic.com/v1/messages',
    headers: { 'x-api-key': 'sk-1' },
    body: { model: 'claude-sonnet-5-5', max_tokens: 4096 },
    unreachable: 'Nothing is listening at https://api.anthropic.com. Is the server running',
    noModel: 'Anthropic has no model "claude-sonnet-5-5" (404: model not found). Choose another',
  },
  gemini: {
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'sk-1' },
    body: { generationConfig: { maxOutputTokens: 4096, thinkingConfig: { includeThoughts: true } } },
    unreachable: 'Nothing is listening at https://generativelanguage.googleapis.com/v1beta. Is the server running',
    noModel: 'Gemini has no model "gemini-3.8-flash" (404: model not found). Choose another',
  },
  openrouter: {
    keyVariables: ['OPENROUTER_API_KEY'],
    url: 'https://openrouter.ai/api/v1/chat/completions',
    headers: { authorization: 'Bearer sk-1' },
    body: { model: 'openrouter/auto', max_tokens: 4096 },
    unreachable:
      'Nothing is listening at https://openrouter.ai/api/v1. Is the server running, and is the endpoint right?',
    noModel: 'OpenRouter has no model "openrouter/auto" (404: model not found). Choose another',
  },
  copilot: {
    url: 'https://api.githubcopilot.com/chat/completions',
    headers: { authorization: 'Bearer printed by gh auth token', 'copilot-integration-id': 'ybs' },
    body: { model: 'gpt-5-mini', max_tokens: 4096 },
    unreachable: 'Nothing is listening at https://api.githubcopilot.com. Is the server running',
    noModel: 'GitHub Copilot has no model "gpt-5-mini" (404: model not found). Choose another',
  },
  apple: {
    settings: { endpoint: 'http://localhost:11535' },
    url: 'http://localhost:11535/v1/chat/completions',
    body: { model: 'apple-on-device', max_tokens: 4096 },
    unreachable: 'Nothing is listening at http://localhost:11535/v1. Is the server running',
    noModel: 'Apple\'s system model has no model "apple-on-device" (404: model not found). Choose another',
  },
  'openai-compatible': {
    settings: { endpoint: 'http://localhost:8080', model: 'm' },
    url: 'http://localhost:8080/v1/chat/completions',
    body: { model: 'm', max_tokens: 4096 },
    unreachable: 'Nothing is listening at http://localhost:8080/v1. Is the server running',
    noModel: 'The server at http://localhost:8080 has no model "m" (404: model not found). Choose another',
  },
};

const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const SPECIAL = /^authorization$|key$|^copilot-|^x-/;

/** The model of a provider with a key, and the requests that it sends. */
async function setUp(
  provider: string,
  { settings, keyVariables: variables = [] }: Case,
  answer?: (path: string) => Response,
) {
  const wire = PROVIDERS.get(provider)?.wire ?? 'openai-chat';
  const respond = answer ?? ANSWERS[wire];
  const sent: { url: string; headers: object; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (url, { headers, body } = {}) => {
    const special = [...new Headers(headers)].filter(([name]) => SPECIAL.test(name));
    sent.push({ url: String(url), headers: Object.fromEntries(special), body: JSON.parse(String(body ?? '{}')) });
    return respond?.(new URL(String(url)).pathname) ?? Response.error();
  };
  const config = configOf({ llm: { provider, ...settings }, agent: { retry_attempts: 0 } });
  const environment = Object.fromEntries(variables.slice(-1).map((name) => [name, 'sk-1']));
  const choice = chooseModel(config, environment, {
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
      expect(sent.at(-1)).toEqual({ url: each.url, headers: expected, body: expect.objectContaining(each.body) });
    },
  );

  it.each(Object.entries(CASES))('%s is named when it has no such model', async (name, each) => {
    const { model } = await setUp(name, each, () =>
      Response.json({ error: { message: 'model not found', code: 'model_not_found' } }, { status: 404 }),
    );
    expect(await failureOf(model.stream(request, never))).toMatchObject({
      code: 'unknown_model',
      message: expect.stringContaining(each.noModel),
    });
  });

  it.each(Object.entries(CASES))('%s is named with its start command when nothing listens', async (name, each) => {
    const { model } = await setUp(name, each, () => {
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      });
    });
    expect(await failureOf(model.stream(request, never))).toMatchObject({
      message: expect.stringContaining(each.unreachable),
    });
  });

  it('keeps its key from commands', () => {
    const variables = Object.values(CASES).flatMap(({ keyVariables: own = [] }) => own);
    expect(keyVariables([])).toEqual(expect.arrayContaining(variables));
  });

  it('has a price and a window only with a default model', () => {
    for (const { model, window, price } of PROVIDERS.values()) {
      if (model === undefined) expect([window, price]).toEqual([undefined, undefined]);
    }
  });
});

/** The value of the header for a token that the program of this test prints. */
function tokenOf({ authorization }: Readonly<Record<string, string>>): string | undefined {
  return authorization?.replace(/(?<=^Bearer ).*/, (text) => text.replaceAll(' ', '_'));
}
