import { describe, expect, it } from 'vitest';
import { readAs } from '../../../support/agent/config-command.ts';
import type { RunScript } from '../../../support/agent/configured-run.ts';

const FILE = '/home/ada/.ybs.json';

/** Runs `ybs init` with these answers. */
async function init(typed: readonly string[] | undefined, script: RunScript = {}) {
  const run = await readAs('init', { ...script, ...(typed !== undefined && { typed }) });
  return { ...run, llm: JSON.parse(run.readFile(FILE)).llm };
}

describe('ybs init', () => {
  it('asks, writes the configuration and ends with the report of ybs doctor', async () => {
    const { outcome, screen, llm } = await init(['mock', '']);
    expect(outcome).toBe(0);
    expect(screen).toContain('Which provider?\n');
    expect(screen).toContain('Which model? [mock-model]\n');
    expect(screen).toContain(`Wrote ${FILE}\n`);
    expect(screen).toMatch(/provider +the mock model that comes with ybs/);
    expect(llm).toEqual({ provider: 'mock' });
  });

  it('asks again after an answer that cannot be used, and never takes a key', async () => {
    const answers = [
      'opnai',
      'openai-compatible',
      'localhost',
      'http://127.0.0.1:9/v1',
      'm',
      'sk-very-secret',
      'MY_KEY',
      'y',
    ];
    const { screen, llm, requests } = await init(answers, { environment: { MY_KEY: 'secret' } });
    expect(screen).toContain('There is no provider opnai. Did you mean openai?\n');
    expect(screen).toContain('Type a URL, such as http://127.0.0.1:8000/v1\n');
    expect(screen).toContain('Type the name of a variable, such as OPENAI_API_KEY, and not the key itself.\n');
    expect(llm).toEqual({
      ...{ provider: 'openai-compatible', endpoint: 'http://127.0.0.1:9/v1', model: 'm', api_key_variable: 'MY_KEY' },
    });
    expect(JSON.stringify(llm)).not.toContain('sk-');
    expect(requests.every(({ url }) => url.startsWith('http://127.0.0.1:9/'))).toBe(true);
  });

  it('tries the connection with a variable of the user, and reports the attempt', async () => {
    const answers = ['openai-compatible', 'http://127.0.0.1:9/v1', 'm', 'MY_KEY'];
    const { screen, llm, requests } = await init(answers, { environment: { MY_KEY: 'secret' }, models: [{ id: 'm' }] });
    expect(screen).toContain('openai-compatible answers at http://127.0.0.1:9/v1, with the key in MY_KEY.\n');
    expect(screen).toContain('openai-compatible answers and offers 1 model\n');
    expect(requests.at(-1)).toMatchObject({
      url: 'http://127.0.0.1:9/v1/models',
      headers: { authorization: 'Bearer secret' },
    });
    expect(llm).toMatchObject({ api_key_variable: 'MY_KEY' });
  });

  it('proposes the model of a server that lists its models without a key, at an address without a scheme', async () => {
    const answers = ['openai-compatible', '127.0.0.1:9/v1', '', ''];
    const { screen, llm } = await init(answers, { models: [{ id: 'tale' }, { id: 'poem' }] });
    expect(screen).toContain('  2. poem\n  1. tale\nWhich model?\n');
    expect(llm).toEqual({ provider: 'openai-compatible', endpoint: '127.0.0.1:9/v1', model: 'tale' });
  });

  it('proposes the configured provider and its model', async () => {
    const environment = { OPENAI_API_KEY: 'new', ANTHROPIC_API_KEY: 'other' };
    const config = { llm: { provider: 'openai', model: 'm' } };
    const { screen, llm } = await init(['', '', ''], { config, environment, models: [{ id: 'm' }] });
    expect(screen).toContain('  1. openai\nWhich provider?\n');
    expect([screen.includes('Which model? [m]\n'), llm]).toEqual([true, { provider: 'openai', model: 'm' }]);
    const other = await init(['anthropic', '', ''], { config, environment, models: [{ id: 'm' }] });
    expect(other.screen).toMatch(/Which model\? \[claude-[^\]]*\]\n/);
  });

  it('tries the connection with the variable of the provider', async () => {
    const environment = { OPENROUTER_API_KEY: 'secret' };
    const { screen, llm } = await init(['', 'm', ''], { environment, models: [{ id: 'm' }] });
    expect(screen).toContain(
      'openrouter answers at https://openrouter.ai/api/v1, with the key in\n  OPENROUTER_API_KEY.\n',
    );
    expect(llm).toEqual({ provider: 'openrouter', model: 'm' });
  });

  it('keeps the variable that the user has chosen among those of the provider', async () => {
    const environment = { GEMINI_API_KEY: 'one', GOOGLE_API_KEY: 'two' };
    const answers = ['gemini', 'm', 'GOOGLE_API_KEY', 'y'];
    const { screen, llm } = await init(answers, { environment, models: [{ id: 'm' }] });
    expect(screen).toContain('Which environment variable has the key? [GEMINI_API_KEY]');
    expect(llm).toMatchObject({ provider: 'gemini', api_key_variable: 'GOOGLE_API_KEY' });
  });

  it('tries the configuration that it writes, which replaces the whole earlier connection', async () => {
    const llm = {
      ...{ provider: 'openai', endpoint: 'http://proxy.example:9/v1', model: 'old', small_model: 'older' },
      ...{ api_key_variable: 'OLD_KEY', headers: { 'x-old': 'secret' }, max_tokens: 1000 },
    };
    const profiles = [{ name: 'work', provider: 'anthropic' }];
    const run = await init(['openai', '', ''], {
      config: { llm, models: { profiles, active: 'work' }, ui: { color: false } },
      environment: { OPENAI_API_KEY: 'new', OLD_KEY: 'old', ANTHROPIC_API_KEY: 'other' },
      models: [{ id: 'gpt-5.4-mini' }],
    });
    expect(run.screen).toContain('openai answers at https://api.openai.com/v1, with the key in OPENAI_API_KEY.\n');
    expect(run.requests.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/models',
      'https://api.openai.com/v1/models',
    ]);
    for (const { headers } of run.requests) {
      expect(headers).toMatchObject({ authorization: 'Bearer new' });
      expect(headers).not.toHaveProperty('x-old');
    }
    expect(JSON.parse(run.readFile(FILE))).toEqual({
      llm: { provider: 'openai', max_tokens: 1000 },
      models: { profiles },
      ui: { color: false },
    });
  });

  it('replaces the connection in both files of the user, and names those that it has changed', async () => {
    const other = '/home/ada/.config/ybs/config.json';
    const environment = { OPENAI_API_KEY: 'new' };
    const models = [{ id: 'gpt-5.4-mini' }];
    const run = await init(['openai', '', ''], {
      config: { llm: { provider: 'openai', endpoint: 'http://proxy.example:9/v1' } },
      files: { [other]: JSON.stringify({ llm: { endpoint: 'http://older.example/v1', max_tokens: 1000 } }) },
      ...{ environment, models },
    });
    expect(run.requests.map(({ url }) => new URL(url).host)).toEqual(['api.openai.com', 'api.openai.com']);
    expect([run.llm, JSON.parse(run.readFile(other))]).toEqual([{ provider: 'openai' }, { llm: { max_tokens: 1000 } }]);
    expect(run.screen).toContain(`Wrote ${FILE} and ${other}\n`);
    const again = await init(['openai', '', ''], {
      config: { llm: { provider: 'anthropic' } },
      files: { [other]: '{"ui": {"color": false}}' },
      ...{ environment, models },
    });
    expect(again.screen).toContain(`Wrote ${FILE}\n`);
    const same = await init(['openai', '', ''], { config: { llm: { provider: 'openai' } }, environment, models });
    expect(same.screen).toContain('The configuration was not changed.\n');
  });

  it('sends the key in the variable of the provider to the address that the user has typed', async () => {
    const answers = ['openai-compatible', 'http://127.0.0.1:9/v1', 'm', ''];
    const { screen, llm, requests } = await init(answers, {
      environment: { LLM_AUTH_TOKEN: 'secret' },
      models: [{ id: 'm' }],
    });
    expect(screen).toContain('Which environment variable has the key, or none? [LLM_AUTH_TOKEN]\n');
    expect(screen).toContain(
      'openai-compatible answers at http://127.0.0.1:9/v1, with the key in\n  LLM_AUTH_TOKEN.\n',
    );
    expect(requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer secret' });
    expect(llm).toMatchObject({ api_key_variable: 'LLM_AUTH_TOKEN' });
  });

  it.each([
    ['', {}, '[none]'],
    ['none', { LLM_AUTH_TOKEN: 'secret' }, '[LLM_AUTH_TOKEN]'],
  ])('sends no key to a server that needs none, with the answer %j', async (answer, environment, standard) => {
    const answers = ['openai-compatible', 'http://127.0.0.1:9/v1', 'm', answer];
    const { screen, llm, requests } = await init(answers, { environment, models: [{ id: 'm' }] });
    expect(screen).toContain(`Which environment variable has the key, or none? ${standard}\n`);
    expect(screen).toContain('openai-compatible answers at http://127.0.0.1:9/v1, without a key.\n');
    expect(requests.at(-1)?.headers).not.toHaveProperty('authorization');
    expect(llm).toEqual({ provider: 'openai-compatible', endpoint: 'http://127.0.0.1:9/v1', model: 'm' });
  });

  it('understands "none" as no variable if the provider needs a key', async () => {
    const { screen } = await init(['openai', '', 'none']);
    expect(screen).toContain('Type the name of a variable, such as OPENAI_API_KEY, and not the key itself.\n');
  });

  it('reports that a variable of the user has no key, and tries no connection', async () => {
    const answers = ['openai-compatible', 'http://127.0.0.1:9/v1', 'm', 'MY_KEY', 'n'];
    const { screen, llm, requests } = await init(answers);
    expect(screen).toContain('openai-compatible cannot be used yet: ');
    expect(screen).toContain('If the server needs no key, start again and type none for the variable.');
    expect(screen).toContain('MY_KEY');
    expect([llm, requests]).toEqual([undefined, []]);
  });

  it('proposes the provider whose key is set', async () => {
    const { screen } = await init([], { environment: { ANTHROPIC_API_KEY: 'x' } });
    expect(screen).toContain('  1. anthropic\nWhich provider?\n');
  });

  it('removes the settings of an earlier provider', async () => {
    const config = { llm: { provider: 'openai-compatible', endpoint: 'http://127.0.0.1:9/v1', model: 'm' } };
    expect((await init(['mock', 'mock-model'], { config })).llm).toEqual({ provider: 'mock' });
  });

  it.each<readonly [string, readonly string[]]>([
    ['at the first question', []],
    ['at the model', ['mock']],
    ['at the address', ['openai-compatible']],
    ['at the key', ['openai', '']],
    ['when the provider cannot be used and the user declines', ['openai', '', '', 'n']],
  ])('writes nothing when the user stops %s', async (_name, typed) => {
    const { outcome, screen, llm } = await init(typed);
    expect([outcome, llm]).toEqual([130, undefined]);
    expect(screen).toMatch(/Nothing was written\.\n$/);
  });

  it('writes a configuration that does not work yet if the user agrees', async () => {
    const { outcome, screen, llm } = await init(['openai', '', '', 'y']);
    expect(screen).toContain('openai cannot be used yet: ');
    expect(llm).toEqual({ provider: 'openai' });
    expect(outcome).not.toBe(0);
  });

  it('asks nothing while the configuration cannot be read, and gives the position and advice', async () => {
    const files = { [FILE]: '{\n  "llm": }\n' };
    const { outcome, screen } = await readAs('init', { files, typed: ['mock', ''] });
    expect(outcome).toBe('/home/ada/.ybs.json:2:10: invalid JSON: expected a value. Correct it or remove the file.');
    expect(screen).toBe('');
  });

  it('needs a terminal', async () => {
    expect((await init(undefined)).outcome).toBe(
      'ybs init asks questions, so it needs a terminal. Without one, set the keys: ybs config set llm.provider openai',
    );
  });
});
