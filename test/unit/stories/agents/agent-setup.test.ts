import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../../../mock-llm-server/conversation/conversation.ts';
import {
  AGENT_NAMES,
  agentEnvironment,
  fillAgent,
  MODEL_VARIABLES,
  readForeignAgent,
  splitWords,
} from '../../../../src/stories/agents/agent-setup.ts';
import { KNOWN_AGENTS, type KnownAgent } from '../../../../src/stories/agents/known-agents.ts';

it.each([
  ['', []],
  ['  \t\n ', []],
  ['agent -p {prompt}', ['agent', '-p', '{prompt}']],
  ['  agent \t x\n', ['agent', 'x']],
  ['agent --p={prompt}', ['agent', '--p={prompt}']],
  ['"my agent" \'two words\'', ['my agent', 'two words']],
  ['a"b c"d', ['ab cd']],
  ['\'\' ""', ['', '']],
  [`'it"s' "it's"`, ['it"s', "it's"]],
  ['"a \\" b" a\\ b \\"', ['a " b', 'a b', '"']],
  ["'a\\' b", ['a\\', 'b']],
  ['C:\\agents\\mine.exe {prompt}', ['C:\\agents\\mine.exe', '{prompt}']],
  ['a\\\\b', ['a\\b']],
  [
    '$HOME `date` $(x) *.ts ~ a|b; c && d > e',
    ['$HOME', '`date`', '$(x)', '*.ts', '~', 'a|b;', 'c', '&&', 'd', '>', 'e'],
  ],
])('the line %j is split into the words %j', (text, words) => {
  expect(splitWords(text)).toEqual({ type: 'words', words });
});

it.each([
  ['agent "x', '"'],
  ['agent \'x"', "'"],
])('%j has an unclosed quote', (text, quote) => {
  expect(splitWords(text)).toEqual({ type: 'unclosed', quote });
});

const VALUES = { base: 'http://127.0.0.1:1', home: '/home/me', prompt: 'say $BASE and {prompt} and $&' };
const noFile = async () => undefined;

describe('a known agent', () => {
  const sample: KnownAgent = {
    name: 'sample',
    bin: 'sample',
    protocol: 'openai-chat',
    files: { '.sample/config.json': '{"url":"$BASE/v1"}\n' },
    environment: { KEY: 'unused', URL: '$BASE' },
    args: ['run', '$PROMPT', '--config', '$HOME/config'],
  };

  it('is filled with address, home and prompt in every text, and the prompt is not filled again', () => {
    expect(fillAgent({ ...sample, before: ['auth', '$BASE'] }, VALUES)).toEqual({
      files: { '.sample/config.json': '{"url":"http://127.0.0.1:1/v1"}\n' },
      environment: { KEY: 'unused', URL: 'http://127.0.0.1:1' },
      commands: [
        ['sample', 'auth', 'http://127.0.0.1:1'],
        ['sample', 'run', VALUES.prompt, '--config', '/home/me/config'],
      ],
    });
  });

  it.each(AGENT_NAMES)('is found by its command: %s', async (name) => {
    const agent = await readForeignAgent(name, noFile);
    const { commands, environment } = agent.prepare(VALUES);
    const [program, ...args] = commands.at(-1) ?? [];
    expect(program).toBe(name);
    expect(args).toContain(VALUES.prompt);
    expect(JSON.stringify([commands, environment])).not.toMatch(/\$(HOME|PROMPT)/);
  });

  it.each(KNOWN_AGENTS.map(({ name }) => name))('is found by the name of its configuration: %s', async (name) => {
    expect((await readForeignAgent(name, noFile)).name).toBe(name);
  });

  it.each(KNOWN_AGENTS)('$name speaks a protocol of the server and reads its address', ({ protocol, ...agent }) => {
    expect(PROTOCOLS).toContain(protocol);
    const texts = [...Object.values(agent.files), ...Object.values(agent.environment), ...(agent.before ?? [])];
    expect(texts.filter((text) => text.includes('$BASE')).length).toBeGreaterThan(0);
  });
});

describe('an agent given by its command', () => {
  it('gets the prompt inside its word, each time the command contains it', async () => {
    const agent = await readForeignAgent('mine "--p={prompt}!" {prompt}', noFile);
    const { prompt } = VALUES;
    expect(agent.prepare(VALUES).commands).toEqual([['mine', `--p=${prompt}!`, prompt]]);
  });

  it('gets the base URL and a key for every protocol', async () => {
    const { environment, files } = (await readForeignAgent('mine {prompt}', noFile)).prepare(VALUES);
    expect(files).toEqual({});
    expect(Object.keys(environment)).toEqual(MODEL_VARIABLES.map(({ name }) => name));
    for (const protocol of ['OpenAI', 'Anthropic', 'Gemini', 'Ollama']) {
      const names = MODEL_VARIABLES.filter((row) => row.protocol === protocol).map(({ name }) => name);
      const values = names.map((name) => environment[name]);
      expect(values, protocol).toEqual(
        expect.arrayContaining([expect.stringMatching(/^http:\/\/127\.0\.0\.1:1/), 'unused']),
      );
    }
  });

  it('gets absolute paths for words that name files', async () => {
    const findFile = async (word: string) => (word === 'agent.py' ? '/here/agent.py' : undefined);
    const agent = await readForeignAgent('python agent.py {prompt}', findFile);
    expect(agent.prepare({ ...VALUES, prompt: 'agent.py' }).commands).toEqual([
      ['python', '/here/agent.py', 'agent.py'],
    ]);
  });

  it.each([
    ['claud', 'Did you mean claude?'],
    ['my-own-agent --print', 'as in --agent "my-agent --print {prompt}"'],
    ['', 'as in --agent'],
    ["mine '{prompt}", "--agent: the quote ' is not closed in mine '{prompt}"],
  ])('is rejected without a placeholder for the prompt: %j', async (value, message) => {
    await expect(readForeignAgent(value, noFile)).rejects.toThrow(message);
  });
});

describe('the environment of an agent', () => {
  const setup = {
    files: {},
    environment: { OPENAI_BASE_URL: 'http://mock/v1', OPENAI_API_KEY: 'unused' },
    commands: [],
  };
  const read = (user: Record<string, string>) => agentEnvironment(user, { home: '/h', workspace: '/w' }, setup);

  it('has its own home and working directory, and the variables of the setup', () => {
    expect(read({ HOME: '/real', PWD: '/real', OPENAI_API_KEY: 'real', LANG: 'C', PATH: '/bin' })).toMatchObject({
      HOME: '/h',
      USERPROFILE: '/h',
      PWD: '/w',
      LANG: 'C',
      PATH: '/bin',
      ...setup.environment,
    });
  });

  it.each([
    ...['OPENAI_ORGANIZATION', 'AZURE_OPENAI_ENDPOINT', 'ANTHROPIC_MODEL', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME'],
    ...['GEMINI_MODEL', 'GOOGLE_CLOUD_PROJECT', 'OLLAMA_MODELS', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'],
    'HTTP_PROXY',
    'https_proxy',
    'ALL_PROXY',
    'no_proxy',
    'OLDPWD',
    'INIT_CWD',
    'npm_config_prefix',
    'GITHUB_TOKEN',
  ])('lacks %s', (name) => {
    expect(read({ [name]: 'real' })).not.toHaveProperty(name);
  });

  it.each(['VIRTUAL_ENV', 'PYTHONPATH', 'NODE_OPTIONS', 'MY_AGENT_DEBUG', 'XDG_RUNTIME_DIR'])('keeps %s', (name) => {
    expect(read({ [name]: 'mine' })).toHaveProperty(name, 'mine');
  });
});
