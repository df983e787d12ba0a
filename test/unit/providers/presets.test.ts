import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { chooseModel } from '../../../src/providers/choose-model.ts';
import { keyVariables, PROVIDERS } from '../../../src/providers/presets.ts';
import { wireAnswer } from '../../support/chat-completion-wire.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** What a user sees of a preset. `model` and `endpoint` are set only where the preset has none. */
interface Case {
  readonly settings?: { readonly model?: string; readonly endpoint?: string };
  readonly keyVariable?: string;
  readonly url: string;
  readonly body: object;
  /** The message when nothing listens at the endpoint. */
  readonly unreachable: string;
  /** The message when the provider does not have the model. */
  readonly noModel: string;
}

const CASES: Readonly<Record<string, Case>> = {
  mock: {
    settings: { endpoint: 'http://localhost:8000/v1' },
    url: 'http://localhost:8000/v1/chat/completions',
    body: { model: 'mock-model', max_tokens: 4096 },
    unreachable: 'Nothing is listening at http://localhost:8000/v1. Is the server running, and is the endpoint right?',
    noModel: 'The mock model has no model "mock-model" (404: model not found). Choose another',
  },
  ollama: {
    url: 'http://localhost:11434/v1/chat/completions',
    body: { model: 'qwen3:14b', max_tokens: 4096 },
    unreachable: 'Nothing is listening at http://localhost:11434/v1. Start Ollama with: ollama serve',
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
    keyVariable: 'OPENAI_API_KEY',
    url: 'https://api.openai.com/v1/chat/completions',
    body: { model: 'gpt-5.4-mini', max_completion_tokens: 4096 },
    unreachable: 'Nothing is listening at https://api.openai.com/v1. Is the server running, and is the endpoint right?',
    noModel: 'OpenAI has no model "gpt-5.4-mini" (404: model not found). Choose another',
  },
  openrouter: {
    keyVariable: 'OPENROUTER_API_KEY',
    url: 'https://openrouter.ai/api/v1/chat/completions',
    body: { model: 'openrouter/auto', max_tokens: 4096 },
    unreachable:
      'Nothing is listening at https://openrouter.ai/api/v1. Is the server running, and is the endpoint right?',
    noModel: 'OpenRouter has no model "openrouter/auto" (404: model not found). Choose another',
  },
};

const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;

/** The model of a provider with a key, and the requests that it sends. */
async function setUp(provider: string, { settings, keyVariable }: Case, answer: () => Response) {
  const sent: { url: string; authorization: string | null; body: unknown }[] = [];
  const config = configSchema([]).parse({ llm: { provider, ...settings }, agent: { retry_attempts: 0 } });
  const environment = keyVariable === undefined ? {} : { [keyVariable]: 'sk-1' };
  const choice = chooseModel(config, environment, {
    clock: createManualClock(),
    random: () => 0.5,
    async fetch(url, init) {
      const authorization = new Headers(init?.headers).get('authorization');
      sent.push({ url: String(url), authorization, body: JSON.parse(String(init?.body)) });
      return answer();
    },
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
      const { model, sent } = await setUp(name, each, () => wireAnswer({ text: 'a' }));
      await collect(model.stream(request, never));
      const authorization = each.keyVariable === undefined ? null : 'Bearer sk-1';
      expect(sent).toMatchObject([{ url: each.url, authorization, body: each.body }]);
    },
  );

  it.each(Object.entries(CASES))('%s is named when it has no such model', async (name, each) => {
    const { model } = await setUp(name, each, () =>
      Response.json({ error: { message: 'model not found', code: 'model_not_found' } }, { status: 404 }),
    );
    expect(await failureOf(model.stream(request, never))).toMatchObject({
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
    expect(keyVariables(undefined)).toEqual(Object.values(CASES).flatMap(({ keyVariable }) => keyVariable ?? []));
  });
});
