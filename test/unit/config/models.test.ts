import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/config-error.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { ASSUMED_TRUST, NOT_TRUSTED } from '../../../src/config/trust/project-trust.ts';
import { modelVariables } from '../../../src/providers/target/presets.ts';
import { keysFor } from '../../support/agent/config-keys.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const SYSTEM = '/etc/ybs/config.json';
const USER = '/home/me/.config/ybs/config.json';
const HOME = '/home/me/.ybs.json';
const PROJECT = '/work/shop/.ybs.json';
const CHOSEN = '/work/mine.json';
const EIDOLON = '/home/me/.eidolon/config.json';

interface Situation {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: { readonly provider?: string; readonly model?: string; readonly endpoint?: string };
  readonly configFile?: string;
  /** The user trusts the project. */
  readonly trusted?: boolean;
}

function load({ files = {}, environment = {}, flags = {}, configFile, trusted = false }: Situation) {
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  return loadConfig(createMemoryFileSystem(Object.fromEntries(texts)).fileSystem, {
    platform: 'posix',
    home: '/home/me',
    workspace: '/work/shop',
    configFile,
    overrides: Object.fromEntries(Object.entries(flags).map(([name, value]) => [`llm.${name}`, value])),
    variables: modelVariables(environment),
    keys: keysFor([]),
    judgeProject: async () => (trusted ? ASSUMED_TRUST : NOT_TRUSTED),
  });
}

/** The connection of a situation, without keys that are not set and without defaults. */
async function connectionOf(situation: Situation): Promise<object> {
  const { max_tokens, tool_protocol, headers, ...llm } = (await load(situation)).config.llm;
  return JSON.parse(
    JSON.stringify({
      ...llm,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(tool_protocol !== 'native' && { tool_protocol }),
    }),
  );
}

const WORK = {
  name: 'work',
  provider: 'openai',
  apiKind: 'openai-responses',
  model: 'big',
  small_model: 'tiny',
  endpoint: 'https://work.test/v1',
  api_key_variable: 'WORK_KEY',
  headers: { 'x-team': 'blue' },
  ca_file: '~/work.pem',
  toolProtocol: 'xnl',
};
const WORK_VALUES = {
  provider: 'openai',
  api_kind: 'openai-responses',
  model: 'big',
  small_model: 'tiny',
  endpoint: 'https://work.test/v1',
  api_key_variable: 'WORK_KEY',
  headers: { 'x-team': 'blue' },
  ca_file: '~/work.pem',
  tool_protocol: 'xnl',
};
const PLAY = { name: 'play', provider: 'ollama', model: 'small' };
const PLAY_VALUES = { provider: 'ollama', model: 'small' };
const OWN = { name: 'own', endpoint: 'https://own.test', api_key_variable: 'OWN_KEY', model: 'm' };
const OWN_VALUES = {
  provider: 'openai-compatible',
  endpoint: 'https://own.test',
  api_key_variable: 'OWN_KEY',
  model: 'm',
};
const both = (active?: string) => ({ models: { profiles: [WORK, PLAY], ...(active !== undefined && { active }) } });
const LLM = {
  LLM_BASE_URL: 'https://llm.test/v1',
  LLM_AUTH_TOKEN: 't',
  LLM_DEFAULT_MODEL: 'd',
  LLM_SMALL_FAST_MODEL: 's',
};
const LLM_VALUES = {
  provider: 'openai-compatible',
  endpoint: 'https://llm.test/v1',
  api_key_variable: 'LLM_AUTH_TOKEN',
  model: 'd',
  small_model: 's',
};
const OPENAI = { OPENAI_BASE_URL: 'https://gate.test/v1', OPENAI_API_KEY: 'k' };
const OPENAI_VALUES = { provider: 'openai', endpoint: 'https://gate.test/v1', api_key_variable: 'OPENAI_API_KEY' };

// Each row is a decision about the connection, and so about the key: `api_key_variable` belongs to `endpoint`.
const connections: readonly (readonly [name: string, situation: Situation, expected: object])[] = [
  ['the default without anything', {}, { provider: 'ollama' }],
  ['the active profile', { files: { [USER]: both('work') } }, WORK_VALUES],
  ['the only profile', { files: { [USER]: { models: { profiles: [PLAY] } } } }, PLAY_VALUES],
  [
    'the profile that a later file names',
    { files: { [USER]: both('work'), [HOME]: { models: { active: 'play' } } } },
    PLAY_VALUES,
  ],
  [
    'the profile that a trusted project names',
    { files: { [USER]: both('work'), [PROJECT]: { models: { active: 'play' } } }, trusted: true },
    PLAY_VALUES,
  ],
  [
    'not the profile that a project names before it is trusted',
    { files: { [USER]: both('play'), [PROJECT]: { models: { active: 'work' } } } },
    PLAY_VALUES,
  ],
  [
    'the model that a trusted project names, at the address of the user',
    {
      files: { [USER]: { llm: { endpoint: 'https://a.test', model: 'm' } }, [PROJECT]: { llm: { model: 'x' } } },
      trusted: true,
    },
    { provider: 'ollama', endpoint: 'https://a.test', model: 'x' },
  ],
  [
    'the profile of a project from the file of --config',
    {
      files: {
        [CHOSEN]: { models: { profiles: [PLAY, OWN], active: 'play' } },
        [PROJECT]: { models: { active: 'own' } },
      },
      configFile: CHOSEN,
    },
    PLAY_VALUES,
  ],
  [
    'profiles of a later file instead of earlier ones',
    { files: { [USER]: { models: { profiles: [WORK] } }, [HOME]: { models: { profiles: [PLAY] } } } },
    PLAY_VALUES,
  ],
  [
    'a profile instead of llm in the same file',
    { files: { [USER]: { ...both('play'), llm: { model: 'x', endpoint: 'https://x.test' } } } },
    PLAY_VALUES,
  ],
  [
    'a provider of the same file instead of profiles that are not active',
    { files: { [USER]: { ...both(), llm: { provider: 'lmstudio' } } } },
    { provider: 'lmstudio' },
  ],
  [
    'a provider of a later file instead of the profile',
    { files: { [USER]: both('work'), [HOME]: { llm: { provider: 'lmstudio' } } } },
    { provider: 'lmstudio' },
  ],
  [
    'a provider of the command line instead of the profile',
    { files: { [USER]: both('work') }, flags: { provider: 'ollama' } },
    { provider: 'ollama' },
  ],
  [
    'a provider of the command line instead of several profiles',
    { files: { [USER]: both() }, flags: { provider: 'ollama' } },
    { provider: 'ollama' },
  ],
  [
    'a model of the command line with the profile',
    { files: { [USER]: both('work') }, flags: { model: 'other' } },
    { ...WORK_VALUES, model: 'other' },
  ],
  [
    'a profile without a provider as a compatible server',
    { files: { [USER]: { models: { profiles: [OWN] } } } },
    OWN_VALUES,
  ],
  [
    "a profile with Anthropic's API and no provider as Anthropic",
    { files: { [USER]: { models: { profiles: [{ name: 'a', apiKind: 'anthropic' }] } } } },
    { provider: 'anthropic', api_kind: 'anthropic' },
  ],
  [
    'an apiKind named like a property of every object, as an unknown one',
    { files: { [USER]: { models: { profiles: [{ name: 'a', apiKind: 'constructor' }] } } } },
    { provider: 'openai-compatible', api_kind: 'constructor' },
  ],
  // A key and everything else that may be secret stays with its address.
  [
    'another address of the command line without the key of the profile',
    { files: { [USER]: both('work') }, flags: { endpoint: 'https://evil.test' } },
    {
      provider: 'openai',
      api_kind: 'openai-responses',
      model: 'big',
      small_model: 'tiny',
      endpoint: 'https://evil.test',
      tool_protocol: 'xnl',
    },
  ],
  [
    'another path of the same address with the key of the profile',
    { files: { [USER]: both('work') }, flags: { endpoint: 'https://work.test/v2' } },
    { ...WORK_VALUES, endpoint: 'https://work.test/v2' },
  ],
  [
    'another address without the key of an earlier file',
    {
      files: {
        [USER]: { llm: { endpoint: 'https://a.test', api_key_variable: 'A' } },
        [HOME]: { llm: { endpoint: 'https://b.test' } },
      },
    },
    { provider: 'ollama', endpoint: 'https://b.test' },
  ],
  [
    'another address without the key for the default one',
    {
      files: { [USER]: { llm: { provider: 'openai', api_key_variable: 'A' } } },
      flags: { endpoint: 'https://b.test' },
    },
    { provider: 'openai', endpoint: 'https://b.test' },
  ],
  [
    'another address with its own key',
    {
      files: {
        [USER]: { llm: { endpoint: 'https://a.test', api_key_variable: 'A' } },
        [HOME]: { llm: { endpoint: 'https://b.test', api_key_variable: 'B' } },
      },
    },
    { provider: 'ollama', endpoint: 'https://b.test', api_key_variable: 'B' },
  ],
  // The environment is between the files and the command line.
  ['a compatible server from LLM variables', { environment: LLM }, LLM_VALUES],
  [
    'a compatible server from its address alone',
    { environment: { LLM_BASE_URL: 'http://localhost:8080' } },
    { provider: 'openai-compatible', endpoint: 'http://localhost:8080' },
  ],
  [
    'nothing from LLM variables without an address',
    { environment: { ...LLM, LLM_BASE_URL: ' ' } },
    { provider: 'ollama' },
  ],
  [
    'a configured provider instead of LLM variables',
    { files: { [USER]: { llm: { provider: 'lmstudio' } } }, environment: LLM },
    { provider: 'lmstudio' },
  ],
  [
    'a configured endpoint instead of LLM variables',
    { files: { [USER]: { llm: { endpoint: 'http://a.test' } } }, environment: LLM },
    { provider: 'ollama', endpoint: 'http://a.test' },
  ],
  [
    'the only profile instead of LLM variables',
    { files: { [USER]: { models: { profiles: [PLAY] } } }, environment: LLM },
    PLAY_VALUES,
  ],
  [
    'a provider of the command line instead of LLM variables',
    { environment: LLM, flags: { provider: 'ollama' } },
    { provider: 'ollama' },
  ],
  [
    'the address in LLM variables for the compatible server',
    { environment: LLM, flags: { provider: 'openai-compatible' } },
    LLM_VALUES,
  ],
  [
    'LLM variables that a project cannot turn off',
    { files: { [PROJECT]: { llm: { provider: 'lmstudio' } } }, environment: LLM },
    LLM_VALUES,
  ],
  [
    'a model of the command line before that of LLM variables',
    { environment: LLM, flags: { model: 'x' } },
    { ...LLM_VALUES, model: 'x' },
  ],
  ['OPENAI variables for openai', { environment: OPENAI, flags: { provider: 'openai' } }, OPENAI_VALUES],
  [
    'OPENAI variables for codex',
    { environment: OPENAI, flags: { provider: 'codex' } },
    { ...OPENAI_VALUES, provider: 'codex' },
  ],
  [
    'no OPENAI variables for another provider',
    { environment: OPENAI, flags: { provider: 'openrouter' } },
    { provider: 'openrouter' },
  ],
  [
    'OPENAI variables before the address of a file',
    {
      files: { [USER]: { llm: { provider: 'openai', endpoint: 'https://a.test', api_key_variable: 'A' } } },
      environment: OPENAI,
    },
    OPENAI_VALUES,
  ],
  [
    'an address of OPENAI variables without the key of a file',
    {
      files: { [USER]: { llm: { provider: 'openai', api_key_variable: 'A' } } },
      environment: { OPENAI_BASE_URL: 'https://gate.test/v1' },
    },
    { provider: 'openai', endpoint: 'https://gate.test/v1' },
  ],
  [
    'an address of the command line without the key of OPENAI variables',
    { environment: OPENAI, flags: { provider: 'openai', endpoint: 'https://b.test' } },
    { provider: 'openai', endpoint: 'https://b.test' },
  ],
  [
    'the address of a profile before OPENAI variables',
    { files: { [USER]: both('work') }, environment: OPENAI },
    WORK_VALUES,
  ],
  [
    'OPENAI variables for a profile without an address',
    {
      files: { [USER]: { models: { profiles: [{ name: 'o', provider: 'openai', model: 'm' }] } } },
      environment: OPENAI,
    },
    { ...OPENAI_VALUES, model: 'm' },
  ],
  [
    'ANTHROPIC variables for anthropic, the token first',
    {
      environment: { ANTHROPIC_BASE_URL: 'https://a.test', ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' },
      flags: { provider: 'anthropic' },
    },
    { provider: 'anthropic', endpoint: 'https://a.test', api_key_variable: 'ANTHROPIC_AUTH_TOKEN' },
  ],
  [
    'a SILICONFLOW key for a profile with its own address',
    { files: { [USER]: { models: { profiles: [OWN] } } }, environment: { SILICONFLOW_TOKEN: 's' } },
    { ...OWN_VALUES, api_key_variable: 'SILICONFLOW_TOKEN' },
  ],
  [
    'SILICONFLOW_API_KEY before SILICONFLOW_TOKEN',
    {
      files: { [USER]: { models: { profiles: [OWN] } } },
      environment: { SILICONFLOW_TOKEN: 's', SILICONFLOW_API_KEY: 'k' },
    },
    { ...OWN_VALUES, api_key_variable: 'SILICONFLOW_API_KEY' },
  ],
  [
    'no SILICONFLOW key for a profile with the address of its provider',
    { files: { [USER]: both('play') }, environment: { SILICONFLOW_API_KEY: 'k' } },
    PLAY_VALUES,
  ],
  [
    'no SILICONFLOW key without a profile',
    { files: { [USER]: { llm: { endpoint: 'https://a.test' } } }, environment: { SILICONFLOW_API_KEY: 'k' } },
    { provider: 'ollama', endpoint: 'https://a.test' },
  ],
  [
    'no SILICONFLOW key for another address of the command line',
    {
      files: { [USER]: { models: { profiles: [OWN] } } },
      environment: { SILICONFLOW_API_KEY: 'k' },
      flags: { endpoint: 'https://evil.test' },
    },
    { provider: 'openai-compatible', endpoint: 'https://evil.test', model: 'm' },
  ],
  [
    'no SILICONFLOW key for another address of a later file',
    {
      files: {
        [USER]: { models: { profiles: [OWN] } },
        [HOME]: { models: { active: 'own' } },
        [CHOSEN]: { llm: { endpoint: 'https://evil.test' } },
      },
      environment: { SILICONFLOW_API_KEY: 'k' },
      configFile: CHOSEN,
    },
    { provider: 'openai-compatible', endpoint: 'https://evil.test', model: 'm' },
  ],
];

describe('the connection', () => {
  it.each(connections)('is %s', async (_name, situation, expected) => {
    expect(await connectionOf(situation)).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ['an endpoint', { llm: { endpoint: 'https://evil.test' } }, 'llm.endpoint is ignored'],
    ['headers', { llm: { headers: { 'x-a': 'b' } } }, 'llm.headers is ignored'],
    ['a file with certificates', { llm: { ca_file: './evil.pem' } }, 'llm.ca_file is ignored'],
    ['profiles', { models: { profiles: [{ ...OWN, name: 'work' }] } }, 'models.profiles is ignored'],
  ])('ignores %s of a project, trusted or not, with a warning', async (_name, content, warning) => {
    const files = { [USER]: both('work') };
    for (const trusted of [false, true]) {
      const { config, warnings } = await load({ files: { ...files, [PROJECT]: content }, trusted });
      expect(warnings).toEqual([expect.stringContaining(`${PROJECT}: ${warning}`)]);
      expect(config).toEqual((await load({ files })).config);
    }
  });

  it('ignores a profile of a trusted project that the user does not have, with a warning', async () => {
    const files = { [USER]: both('work'), [PROJECT]: { models: { active: 'evil' } } };
    expect((await load({ files, trusted: true })).warnings).toEqual([
      `${PROJECT}: models.active is ignored: a project file may only name one of your profiles, and there is none called "evil".`,
    ]);
    expect((await load({ files })).waiting).toEqual([{ name: 'models.active', source: PROJECT }]);
  });
});

const problems: readonly (readonly [name: string, situation: Situation, problem: string])[] = [
  [
    'an active profile that does not exist',
    { files: { [USER]: both('wrk') } },
    `${USER}: models.active is "wrk", but there is no such profile. Did you mean work? The profiles are work, play.`,
  ],
  [
    'an active profile without profiles',
    { files: { [USER]: { models: { active: 'a' } } } },
    'there is no such profile. Define it in models.profiles of your own configuration.',
  ],
  [
    'several profiles of which none is active',
    { files: { [USER]: both() } },
    `${USER}: models.active must be set. The profiles are work, play.`,
  ],
  [
    'two profiles of the same name',
    { files: { [USER]: { models: { profiles: [PLAY, PLAY] } } } },
    'models.profiles: has two profiles of the same name.',
  ],
  [
    'profiles that are an object',
    { files: { [USER]: { models: { profiles: {} } } } },
    'models.profiles must be a list of profiles, but is an object.',
  ],
  [
    'a profile without a name',
    { files: { [USER]: { models: { profiles: [{}] } } } },
    'models.profiles[0].name: is missing.',
  ],
  [
    'an unknown key of a profile',
    { files: { [USER]: { models: { profiles: [{ ...PLAY, url: 'x' }] } } } },
    'models.profiles[0]: has the unknown key "url".',
  ],
  [
    'a key in a profile',
    { files: { [USER]: { models: { profiles: [{ ...PLAY, apiKey: 'sk-secret' }] } } } },
    'models.profiles[0]: has the unknown key "apiKey". API keys are not read from files. Remove it, put the key in an environment variable, and name the variable in api_key_variable.',
  ],
  [
    'a key in a header',
    { files: { [USER]: { llm: { headers: { Authorization: 'sk-secret' } } } } },
    'llm.headers.Authorization: cannot be set. For a key, put it in an environment variable and name that in api_key_variable.',
  ],
  [
    'a header that contains a line break',
    { files: { [USER]: { llm: { headers: { 'x-a': 'a\nb' } } } } },
    'llm.headers.x-a: must consist of printable ASCII characters.',
  ],
  [
    'a header whose name contains a space',
    { files: { [USER]: { llm: { headers: { 'x a': 'b' } } } } },
    'llm.headers.x a: is not the name of a header.',
  ],
  [
    'a malformed name of a variable',
    { files: { [USER]: { models: { profiles: [{ ...PLAY, api_key_variable: 'sk-secret' }] } } } },
    'models.profiles[0].api_key_variable: must be the name of an environment variable.',
  ],
];

it.each(problems)('the configuration of models rejects %s', async (_name, situation, problem) => {
  const error: unknown = await load(situation).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(problem);
  expect(String(error)).not.toContain('sk-secret');
});

describe('the configuration of Eidolon', () => {
  const MINIMAX = {
    name: 'mini',
    provider: 'minimax',
    apiKind: 'anthropic',
    model: 'M2',
    apiKey: 'sk-secret',
    baseUrl: 'https://mini.test/anthropic',
    maxOutputTokens: 9,
  };
  const MINIMAX_VALUES = {
    provider: 'minimax',
    api_kind: 'anthropic',
    model: 'M2',
    endpoint: 'https://mini.test/anthropic',
    api_key_variable: '~/.eidolon/config.json#mini',
  };
  const FLOW = { provider: 'siliconflow', model: 'm', baseUrl: 'https://flow.test/v1' };
  const FLOW_VALUES = { provider: 'siliconflow', api_kind: 'openai', model: 'm', endpoint: 'https://flow.test/v1' };
  const profiles = (...list: readonly object[]) => ({ theme: 'dark', models: { active: 'mini', profiles: list } });

  describe('of a project', () => {
    const own = { ...profiles({ name: 'mini', provider: 'mock' }, { name: 'flow', provider: 'lmstudio' }) };
    const IN_PROJECT = '/work/shop/.eidolon/config.json';
    const choice = {
      models: { active: 'flow', profiles: [{ name: 'flow', provider: 'openai', baseUrl: 'https://evil.test' }] },
    };

    it('chooses a profile of the user when the project is trusted, and never brings one', async () => {
      const files = { [EIDOLON]: own, [IN_PROJECT]: choice };
      const before = await load({ files });
      expect(before.config.llm.provider).toBe('mock');
      expect(before.warnings).toEqual([
        `${IN_PROJECT}: models.profiles is ignored: a project file may not set it. Set it in your own configuration instead.`,
      ]);
      const { config, project } = await load({ files, trusted: true });
      expect([config.llm.provider, config.llm.endpoint, project.hasEidolon]).toEqual(['lmstudio', undefined, true]);
    });

    it('has no effect without a choice or when it is broken, and says why', async () => {
      const none = await load({ files: { [EIDOLON]: own, [IN_PROJECT]: { theme: 'dark' } } });
      expect([none.warnings, none.project.hasEidolon]).toEqual([[], undefined]);
      const broken = await load({ files: { [EIDOLON]: own, [IN_PROJECT]: '{' } });
      expect(broken.warnings).toEqual([expect.stringContaining(IN_PROJECT)]);
    });
  });

  it.each<[string, Situation, object]>([
    ['is used without a file of the user', { files: { [EIDOLON]: profiles(MINIMAX, FLOW) } }, MINIMAX_VALUES],
    [
      'is used beside the file of the system',
      { files: { [EIDOLON]: profiles(MINIMAX), [SYSTEM]: { llm: { provider: 'lmstudio' } } } },
      MINIMAX_VALUES,
    ],
    ['may have a single model', { files: { [EIDOLON]: { model: { ...FLOW, apiKind: null } } } }, FLOW_VALUES],
    [
      'may have a profile without a name',
      { files: { [EIDOLON]: { models: { profiles: [{ ...FLOW, apiKey: ' k ' }] } } } },
      { ...FLOW_VALUES, api_key_variable: '~/.eidolon/config.json#profile 1' },
    ],
    ['may have no key about models', { files: { [EIDOLON]: { theme: 'dark' } } }, { provider: 'ollama' }],
    [
      'keeps its key from another address',
      { files: { [EIDOLON]: profiles(MINIMAX) }, flags: { endpoint: 'https://evil.test' } },
      { provider: 'minimax', api_kind: 'anthropic', model: 'M2', endpoint: 'https://evil.test' },
    ],
    [
      'gets its key from the environment',
      { files: { [EIDOLON]: { model: FLOW } }, environment: { SILICONFLOW_API_KEY: 'k' } },
      { ...FLOW_VALUES, api_key_variable: 'SILICONFLOW_API_KEY' },
    ],
    [
      'is replaced by the file of the user',
      { files: { [EIDOLON]: profiles(MINIMAX), [USER]: {} } },
      { provider: 'ollama' },
    ],
    [
      'is replaced by the file in the home directory',
      { files: { [EIDOLON]: 'broken', [HOME]: {} } },
      { provider: 'ollama' },
    ],
    [
      'is replaced by the file of --config',
      { files: { [EIDOLON]: profiles(MINIMAX), [CHOSEN]: {} }, configFile: CHOSEN },
      { provider: 'ollama' },
    ],
    [
      'is not replaced by the file of a project',
      { files: { [EIDOLON]: profiles(MINIMAX), [PROJECT]: {} } },
      MINIMAX_VALUES,
    ],
  ])('%s', async (_name, situation, expected) => {
    expect(await connectionOf(situation)).toEqual(expected);
  });

  it('returns its keys separately from the configuration', async () => {
    const { config, keys } = await load({ files: { [EIDOLON]: profiles(MINIMAX, { ...FLOW, name: 'flow' }) } });
    expect(keys).toEqual({ '~/.eidolon/config.json#mini': 'sk-secret' });
    expect(JSON.stringify(config)).not.toContain('sk-secret');
  });

  it.each([
    ['that is broken', '{', 'invalid JSON: the closing } is missing.'],
    [
      'of a wrong type',
      profiles({ ...MINIMAX, baseUrl: 7 }),
      'models.profiles[0].baseUrl: must be a string. Correct it, or create a configuration file of ybs, which replaces it.',
    ],
    [
      'with another active profile',
      { models: { active: 'x', profiles: [MINIMAX] } },
      'models.active is "x", but there is no such profile. The profiles are mini.',
    ],
  ])('causes an error %s', async (_name, content, problem) => {
    const error: unknown = await load({ files: { [EIDOLON]: content } }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(`${EIDOLON}:`);
    expect(String(error)).toContain(`: ${problem}`);
    expect(String(error)).not.toContain('sk-secret');
  });
});
