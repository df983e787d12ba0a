import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/agent/errors.ts';
import {
  chooseConfiguredModel,
  givenModel,
  KeyError,
  listOfferedModels,
} from '../../../../src/providers/target/chosen-model.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { collect } from '../../../support/contracts/language-model.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { wireAnswer } from '../../../support/wires/chat-completion-wire.ts';

const request = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const NOT_FOUND = { error: { message: 'There is no model gone.', code: 'model_not_found' } };
const LMSTUDIO = { provider: 'lmstudio', model: 'm' };

/** A configuration, and a machine whose servers know the models `one` and `two` and do not know `gone`. */
function setUp(llm: object, environment: Readonly<Record<string, string>> = {}) {
  const requests: string[] = [];
  const mock = { started: 0, closed: 0 };
  const config = configOf({ llm, agent: { retry_attempts: 1 } });
  const machine = {
    environment,
    clock: createManualClock(),
    random: () => 0.5,
    openFetch: async (): Promise<typeof globalThis.fetch> => async (url, init) => {
      const { origin, pathname } = new URL(String(url));
      if (pathname.endsWith('/models')) return Response.json({ data: [{ id: 'one' }, { id: 'two' }] });
      const { model, reasoning_effort: effort } = JSON.parse(String(init?.body));
      requests.push([origin, model, effort].join(' '));
      return model === 'gone' ? Response.json(NOT_FOUND, { status: 404 }) : wireAnswer({ text: `from ${model}` });
    },
    startMockModel: async () => {
      mock.started += 1;
      return {
        url: 'http://127.0.0.1:4010/v1',
        async close() {
          mock.closed += 1;
        },
      };
    },
  };
  return { config, machine, requests, mock };
}

describe('a server without a default model', () => {
  const at = (...names: readonly string[]) => {
    const { config, machine } = setUp({ provider: 'lmstudio' });
    const data = names.map((id) => ({ id }));
    return [config, { ...machine, openFetch: async () => async () => Response.json({ data }) }] as const;
  };

  it('is used with the only model that it offers', async () => {
    const [config, machine] = at('one');
    expect((await chooseConfiguredModel(config, machine)).name).toBe('lmstudio/one');
    expect(await listOfferedModels(config, machine, never)).toMatchObject({
      models: [{ name: 'one' }],
      chosen: { model: 'one', limits: { window: { tokens: 32_000 }, answer: { tokens: 4_096 } } },
    });
  });

  it('is used with its only model, too, if it stands on this machine for a provider that has a default model', async () => {
    const [, machine] = at('one');
    const named = async (endpoint: string | undefined, ...names: readonly string[]) => {
      const { config } = setUp({ provider: 'anthropic', endpoint }, {});
      const keyed = { ...at(...names)[1], environment: { ANTHROPIC_API_KEY: 'k' } };
      return (await chooseConfiguredModel(config, keyed)).name;
    };
    expect(await named('http://127.0.0.1:11434', 'one')).toBe('anthropic/one');
    expect(await named('http://127.0.0.1:11434', 'one', 'two')).toBe('anthropic/claude-sonnet-5-5');
    expect(await named('http://127.0.0.1:11434')).toBe('anthropic/claude-sonnet-5-5');
    expect(await named('https://gateway.example', 'one')).toBe('anthropic/claude-sonnet-5-5');
    const { config } = setUp({ provider: 'anthropic', endpoint: 'http://127.0.0.1:11434' });
    expect(await listOfferedModels(config, machine, never)).toMatchObject({ chosen: { model: 'one' } });
  });

  it('needs a name where it offers several, and names them', async () => {
    const [config, machine] = at('one', 'two');
    await expect(chooseConfiguredModel(config, machine)).rejects.toThrow(
      'Choose a model: --model <name>. http://localhost:1234/v1 has several. It offers: one, two. (llm.model)',
    );
    expect(await listOfferedModels(config, machine, never)).not.toHaveProperty('chosen');
  });

  it('needs a name where it does not say what it has', async () => {
    const [config, machine] = at();
    await expect(chooseConfiguredModel(config, machine)).rejects.toThrow('LM Studio has no default model.');
    const broken = { ...machine, openFetch: async () => async () => new Response('no', { status: 500 }) };
    await expect(chooseConfiguredModel(config, broken)).rejects.toThrow('LM Studio has no default model.');
  });
});

describe('the configured model', () => {
  it('is opened with the configured effort or another one', async () => {
    const { config, machine, requests } = setUp({ ...LMSTUDIO, reasoning_effort: 'low' });
    const chosen = await chooseConfiguredModel(config, machine);
    expect([chosen.name, chosen.embedded]).toEqual(['lmstudio/m', false]);
    await collect((await chosen.open()).stream(request, never));
    await collect((await chosen.open('high')).stream(request, never));
    expect(requests).toEqual(['http://localhost:1234 m low', 'http://localhost:1234 m high']);
    await chosen.close();
  });

  it.each([
    [{ ...LMSTUDIO, small_model: 's' }, 's'],
    [LMSTUDIO, undefined],
  ])('of %j has the small model %s', async (llm, name) => {
    const { config, machine } = setUp(llm);
    const small = await (await chooseConfiguredModel(config, machine)).openSmall();
    expect(small?.identity.model).toBe(name);
  });

  it('answers in place of one that is not available', async () => {
    const { config, machine, requests } = setUp({ ...LMSTUDIO, model: 'gone' });
    const model = await (await chooseConfiguredModel(config, machine, 'spare')).open();
    expect(await collect(model.stream(request, never))).toContainEqual({ type: 'text_delta', text: 'from spare' });
    expect(requests).toEqual(['http://localhost:1234 gone ', 'http://localhost:1234 spare ']);
  });

  it.each([
    ['a missing key', { provider: 'openai', model: 'm' }, KeyError, /OPENAI_API_KEY.*\(llm\.api_key_variable\)/],
    ['an unknown provider', { provider: 'opnai' }, UsageError, /Unknown provider "opnai".*\(llm\.provider\)/],
  ])('is refused because of %s', async (_name, llm, type, message) => {
    const { config, machine } = setUp(llm);
    const error: unknown = await chooseConfiguredModel(config, machine).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(type);
    expect(error instanceof KeyError).toBe(type === KeyError);
    expect(String(error)).toMatch(message);
  });
});

describe('the embedded mock model', () => {
  it.each([
    [{ provider: 'mock' }, 'mock/mock-model'],
    [{ provider: 'mock', model: 'a' }, 'mock/a'],
  ])('of %j is %s, and starts once when it is opened', async (llm, name) => {
    const { config, machine, mock, requests } = setUp(llm);
    const chosen = await chooseConfiguredModel(config, machine);
    expect([chosen.name, chosen.embedded, mock.started]).toEqual([name, true, 0]);
    await chosen.open();
    await collect((await chosen.open()).stream(request, never));
    expect(requests).toEqual([`http://127.0.0.1:4010 ${name.replace('mock/', '')} `]);
    await chosen.close();
    expect(mock).toEqual({ started: 1, closed: 1 });
  });
});

describe('the models that a provider offers', () => {
  it.each([
    [LMSTUDIO, 0],
    [{ provider: 'lmstudio' }, 0],
    [{ provider: 'mock' }, 1],
  ])('of %j are listed, with %i servers that start and stop', async (llm, servers) => {
    const { config, machine, mock } = setUp(llm);
    const { provider, models } = await listOfferedModels(config, machine, never);
    expect([provider, ...models.map(({ name }) => name)]).toEqual([config.llm.provider, 'one', 'two']);
    expect(mock).toEqual({ started: servers, closed: servers });
  });
});

it('gives a model of the caller as it is, without another effort', async () => {
  const { config, machine } = setUp(LMSTUDIO);
  const model = await (await chooseConfiguredModel(config, machine)).open();
  const given = givenModel(model, 'mine');
  expect([given.name, given.embedded, await given.open(), await given.openSmall()]).toEqual([
    ...['mine', false, model, undefined],
  ]);
  await expect(given.open('high')).rejects.toThrow(UsageError);
  await given.close();
});
