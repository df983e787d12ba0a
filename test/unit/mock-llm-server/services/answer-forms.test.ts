import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SERVICE_NAMES, type ServiceName } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { functionTool, user } from './cases/case.ts';

const RecordedSchema = z.object({ service: z.enum(SERVICE_NAMES), source: z.string(), lines: z.array(z.string()) });
const RECORDED = readFileSync(path.join(import.meta.dirname, 'fixtures/streams.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => RecordedSchema.parse(JSON.parse(line)));

const MODELS: Partial<Record<ServiceName, string>> = {
  deepseek: 'deepseek-reasoner',
  groq: 'openai/gpt-oss-120b',
  mistral: 'mistral-large-latest',
};
const call = { tool_calls: [{ name: 'read', arguments: { path: 'a b c' } }] };
const app = createMockServer({
  scenarios: scenarioSet({
    scenarios: [
      { name: 'text', trigger: 'say', steps: [{ response: { content: 'Hello, world.', reasoning: 'Hm.' } }] },
      { name: 'call', trigger: 'call', steps: [{ response: call }] },
      { name: 'bare', trigger: 'bare', steps: [{ response: { tool_calls: [{ name: 'read', arguments: {} }] } }] },
    ],
  }),
});
const tools = [functionTool({ properties: { path: { type: 'string' } } })];

async function stream(service: ServiceName, prompt: string, fields: object = {}): Promise<readonly string[]> {
  const model = MODELS[service] ?? 'any';
  const body = { model, stream: true, tools, messages: [user(prompt)], ...fields };
  const init = { method: 'POST', body: JSON.stringify(body) };
  const answer = await app.request(`/as/${service}/v1/chat/completions`, init);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return text.split('\n').filter((line) => line !== '');
}

const ChunkSchema = z.record(z.string(), z.unknown());
const chunksOf = (lines: readonly string[]) =>
  lines
    .filter((line) => line.startsWith('data: {'))
    .map((line) => ChunkSchema.parse(JSON.parse(line.slice('data: '.length))));

const CallsSchema = z.array(
  z.object({ delta: z.object({ tool_calls: z.array(z.object({ id: z.string() })).optional() }) }),
);

/** Fields that depend on the content or on the settings of a server, and whose absence no client notices. */
const OPTIONAL = /obfuscation|service_tier|channel|token_id|prompt_text|prompt_token_ids|timings|seed|cost|byok/;

/** The names of the fields of a chunk, in their order, with those of its choice. */
function shapeOf(chunk: Readonly<Record<string, unknown>>): string {
  const { choices } = chunk;
  const [choice = {}] = z.array(ChunkSchema).parse(choices);
  const keys = (value: object) => Object.keys(value).filter((key) => !OPTIONAL.test(key));
  const usage = typeof chunk['usage'] === 'object' && chunk['usage'] !== null ? Object.keys(chunk['usage']) : [];
  const counts = usage.filter((key) => /tokens$/.test(key)).toSorted();
  return [keys(chunk), keys(choice), counts].map((names) => names.join(' ')).join(' | ');
}

describe.each(RECORDED)('a stream of $service', ({ service, lines }) => {
  it('has chunks with the fields that were recorded, in their order', async () => {
    const own = new Set(
      chunksOf(await stream(service, 'say', { stream_options: { include_usage: true } })).map(shapeOf),
    );
    const missing = chunksOf(lines)
      .map(shapeOf)
      .filter((shape) => !own.has(shape));
    expect(missing.map((shape) => [shape, ...own])).toEqual([]);
  });

  it('ends with [DONE], and its text and calls are complete', async () => {
    const text = await stream(service, 'say');
    expect(text.at(-1)).toBe('data: [DONE]');
    expect(text.join('')).toContain('"stop"');
    expect((await stream(service, 'call')).join('')).toContain('"name":"read"');
  });
});

describe('a stream of OpenRouter', () => {
  it('begins with comments, and repeats the finish reason with the usage', async () => {
    const lines = await stream('openrouter', 'say');
    expect(lines[0]).toBe(': OPENROUTER PROCESSING');
    const [finish, last] = chunksOf(lines).slice(-2);
    expect([finish?.['usage'], last]).toMatchObject([
      undefined,
      {
        choices: [{ finish_reason: 'stop', native_finish_reason: 'stop' }],
        usage: { prompt_tokens: expect.any(Number) },
      },
    ]);
  });
});

describe('a stream of Azure', () => {
  it('begins with a chunk without choices', async () => {
    expect(chunksOf(await stream('azure', 'say'))[0]).toMatchObject({ choices: [], id: '', model: '' });
  });
});

describe('a stream of Moonshot AI', () => {
  it('has the usage in the choice that finishes, and in a chunk of its own if the request asks for it', async () => {
    const asked = chunksOf(await stream('moonshot', 'say', { stream_options: { include_usage: true } }));
    const counts = { prompt_tokens: expect.any(Number) };
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: counts });
    const unasked = chunksOf(await stream('moonshot', 'say'));
    expect(unasked.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop', usage: counts }] });
    expect(unasked).toHaveLength(asked.length - 1);
  });
});

describe('a call of DashScope', () => {
  it('has an empty id beside each fragment of its arguments', async () => {
    const ids = chunksOf(await stream('dashscope', 'call')).flatMap(({ choices }) =>
      CallsSchema.parse(choices).flatMap(({ delta }) => (delta.tool_calls ?? []).map(({ id }) => id)),
    );
    expect(ids.length).toBeGreaterThan(2);
    expect(ids[0]).toMatch(/^call_/);
    expect(new Set(ids.slice(1))).toEqual(new Set(['']));
  });
});

describe('a call of Mistral, Groq, xAI and Cerebras', () => {
  it.each(['mistral', 'groq', 'xai', 'cerebras', 'ollama'] as const)('is in one chunk of %s', async (service) => {
    const withCalls = (await stream(service, 'call')).filter((line) => line.includes('"tool_calls":['));
    expect(withCalls).toHaveLength(1);
    expect(withCalls[0]).toContain('{\\"path\\":\\"a b c\\"}');
  });
});

describe('an answer that is not streamed', () => {
  it.each([
    ['openrouter', 'provider'],
    ['groq', 'x_groq'],
    ['azure', 'prompt_filter_results'],
    ['llamacpp', 'timings'],
    ['deepseek', 'prompt_cache_hit_tokens'],
  ] as const)('of %s has %s', async (service, field) => {
    const lines = await stream(service, 'say', { stream: false });
    expect(lines.join('')).toContain(`"${field}":`);
  });
});

// Recording vllm-0.32.0/011-chat-plain-stream; https://github.com/NousResearch/hermes-agent/pull/100515
it('has the last piece of a text beside the finish reason of vLLM', async () => {
  const chunks = chunksOf(await stream('vllm', 'say')).map((chunk) => JSON.stringify(chunk));
  expect(chunks.at(-1)).toContain('"delta":{"content":" world."},"logprobs":null,"finish_reason":"stop"');
  expect(chunks.filter((chunk) => chunk.includes('world'))).toHaveLength(1);
});

// https://github.com/tidyverse/ellmer/issues/228, https://github.com/Kilo-Org/cloud/pull/4753
describe('the arguments of a call without any', () => {
  it.each([
    ['openrouter', 'anthropic/claude-sonnet-4.5', ['']],
    ['litellm', 'claude-sonnet-4-5', ['']],
    ['openrouter', 'qwen/qwen3-coder', ['', '{}']],
    ['openai', 'gpt-4.1', ['', '{}']],
  ] as const)('are streamed by %s with %s as %j', async (service, model, pieces) => {
    const text = (await stream(service, 'bare', { model })).join('\n');
    expect([...text.matchAll(/"arguments":"([^"]*)"/g)].map(([, piece]) => piece)).toEqual(pieces);
  });

  it('are an empty piece at Anthropic, and an object in an answer that is not streamed', async () => {
    const ask = async (isStream: boolean) => {
      const body = { model: 'claude-sonnet-4-5', max_tokens: 9, stream: isStream, messages: [user('bare')] };
      const tools = [{ name: 'read', input_schema: { type: 'object' } }];
      const init = { method: 'POST', body: JSON.stringify({ ...body, tools }) };
      return (await app.request('/v1/messages', { ...init, headers: { 'anthropic-version': '2023-06-01' } })).text();
    };
    expect([...(await ask(true)).matchAll(/"partial_json":"([^"]*)"/g)].map(([, piece]) => piece)).toEqual(['']);
    expect(await ask(false)).toContain('"input":{}');
  });
});
