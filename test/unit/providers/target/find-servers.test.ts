import { expect, it } from 'vitest';
import { askedAddresses, findServers } from '../../../../src/providers/target/find-servers.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { LOCAL_ANSWERS, localFetch, type RecordedAnswer } from '../../../support/wires/local-servers.ts';

/** The servers that are found where these answers are. */
async function find(
  answers: Readonly<Record<string, RecordedAnswer>>,
  environment: Readonly<Record<string, string>> = {},
  llm: object = {},
) {
  const { fetch, sent } = localFetch(answers);
  const ports = { clock: createManualClock(), random: () => 0, openFetch: async () => fetch };
  const servers = await findServers(configOf({ llm }), environment, ports, new AbortController().signal);
  return { servers, sent };
}

const OLLAMA = 'http://localhost:11434';

it('asks every usual address for its models, with their windows and sizes', async () => {
  const { servers } = await find({
    [`GET ${OLLAMA}/api/tags`]: LOCAL_ANSWERS.ollamaTags,
    [`POST ${OLLAMA}/api/show`]: LOCAL_ANSWERS.ollamaShow,
    [`GET ${OLLAMA}/api/ps`]: LOCAL_ANSWERS.ollamaPs,
    'GET http://127.0.0.1:8080/v1/models': LOCAL_ANSWERS.llamaModels,
    'GET http://localhost:1234/v1/models': LOCAL_ANSWERS.studioModels,
    'GET http://localhost:1234/api/v0/models': LOCAL_ANSWERS.studioFacts,
    'GET http://127.0.0.1:8000/v1/models': LOCAL_ANSWERS.vllmModels,
  });
  expect(servers).toMatchObject([
    {
      ...{ label: 'Ollama', address: OLLAMA, provider: 'ollama', endpoint: undefined },
      models: [{ name: 'caller:latest', bytes: 139_484, contextWindow: 32_000, lacksTools: true }],
    },
    {
      ...{ label: 'llama.cpp', provider: 'openai-compatible', endpoint: 'http://127.0.0.1:8080/v1' },
      models: [{ name: 'scripted.gguf', bytes: 264_448, contextWindow: 32_768 }],
    },
    {
      ...{ label: 'LM Studio', provider: 'lmstudio', endpoint: undefined },
      models: [{ name: 'granite-3.0-2b-instruct', contextWindow: 4_096 }],
    },
    {
      ...{ label: 'vLLM', provider: 'openai-compatible', endpoint: 'http://127.0.0.1:8000/v1' },
      models: [{ name: 'tiny', contextWindow: 8_192 }],
    },
  ]);
});

it('knows a program by its list and not by its port', async () => {
  const { servers } = await find({ 'GET http://127.0.0.1:8000/v1/models': LOCAL_ANSWERS.llamaModels });
  expect(servers.map(({ label, address }) => [label, address])).toEqual([['llama.cpp', 'http://127.0.0.1:8000']]);
  const unknown = await find({ 'GET http://127.0.0.1:8080/v1/models': { body: '{"data":[{"id":"m"}]}' } });
  expect(unknown.servers.map(({ label }) => label)).toEqual(['a server']);
});

it.each<[string, RecordedAnswer]>([
  ['a page', { body: '<!doctype html><title>My app</title>' }],
  ['another error', { status: 404, body: '{"detail":"Not Found"}' }],
  ['other JSON', { body: '{"models":3}' }],
])('leaves out %s at a usual port', async (_name, answer) => {
  const { servers } = await find({
    'GET http://127.0.0.1:8000/v1/models': answer,
    [`GET ${OLLAMA}/api/tags`]: answer,
  });
  expect(servers).toEqual([]);
});

it('names a server that is still loading its model', async () => {
  const body = '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}';
  const { servers } = await find({ 'GET http://127.0.0.1:8080/v1/models': { status: 503, body } });
  expect(servers).toMatchObject([
    { label: 'llama.cpp', address: 'http://127.0.0.1:8080', models: [], isLoading: true },
  ]);
});

it('uses the address in OLLAMA_HOST, and lists a server once', async () => {
  const environment = { OLLAMA_HOST: '127.0.0.1:8080' };
  const { servers, sent } = await find(
    {
      'GET http://127.0.0.1:8080/api/tags': LOCAL_ANSWERS.ollamaTags,
      'GET http://127.0.0.1:8080/v1/models': { body: '{"data":[{"id":"caller:latest","owned_by":"library"}]}' },
    },
    environment,
    { endpoint: environment.OLLAMA_HOST },
  );
  expect(servers.map(({ label, provider }) => [label, provider])).toEqual([['Ollama', 'ollama']]);
  expect(servers[0]?.models).toMatchObject([{ name: 'caller:latest', bytes: 139_484 }]);
  expect(sent.some(({ address }) => address.includes('11434'))).toBe(false);
});

it('sends neither a key nor the headers of the user', async () => {
  const environment = { LLM_AUTH_TOKEN: 'secret', LLM_BASE_URL: 'http://127.0.0.1:8000/v1' };
  const { sent } = await find({}, environment, { headers: { 'x-own': 'secret' } });
  expect(sent.map(({ address }) => address)).toEqual([
    `GET ${OLLAMA}/api/tags`,
    'GET http://127.0.0.1:8080/v1/models',
    'GET http://localhost:1234/v1/models',
    'GET http://127.0.0.1:8000/v1/models',
  ]);
  expect(JSON.stringify(sent)).not.toContain('secret');
});

it('lists an address that cannot be used as none, and models without their windows where these cannot be read', async () => {
  const { servers: none, sent: asked } = await find({}, { OLLAMA_HOST: 'http://x/?a' }, { endpoint: 'http://x/?a' });
  expect([none, asked.length]).toEqual([[], 3]);
  const many = Array.from({ length: 25 }, (_each, index) => ({ name: `m${index}` }));
  const { servers, sent } = await find({ [`GET ${OLLAMA}/api/tags`]: { body: JSON.stringify({ models: many }) } });
  expect(servers[0]?.models).toHaveLength(25);
  expect(servers[0]?.models[0]).not.toHaveProperty('contextWindow');
  expect(sent.filter(({ address }) => address.endsWith('/api/show'))).toHaveLength(20);
});

it('has no window for a model of Ollama that states none', async () => {
  const { servers } = await find({
    [`GET ${OLLAMA}/api/tags`]: LOCAL_ANSWERS.ollamaTags,
    [`POST ${OLLAMA}/api/show`]: { body: '{"model_info":{},"capabilities":["completion","tools"]}' },
    [`GET ${OLLAMA}/api/ps`]: LOCAL_ANSWERS.ollamaPs,
  });
  expect(servers[0]?.models).toEqual([expect.not.objectContaining({ lacksTools: true })]);
});

it('ends with the reason of the signal', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const ports = { clock: createManualClock(), random: () => 0, openFetch: async () => localFetch({}).fetch };
  await expect(findServers(configOf(), {}, ports, stop.signal)).rejects.toThrow('stopped');
});

it('names the addresses that it asks', () => {
  const rest = 'llama.cpp (127.0.0.1:8080), LM Studio (localhost:1234), vLLM (127.0.0.1:8000)';
  expect(askedAddresses(undefined)).toBe(`Ollama (localhost:11434), ${rest}`);
  expect(askedAddresses('gpu:9')).toBe(`Ollama (gpu:9), ${rest}`);
});
