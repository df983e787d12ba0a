import { describe, expect, it } from 'vitest';
import { runChat } from '../../../src/cli/run-chat.ts';
import { runPrompt } from '../../../src/cli/run-prompt.ts';
import { modelsCommand } from '../../../src/cli/subcommands/models-command.ts';
import { configuredRun, type RunScript } from '../../support/agent/configured-run.ts';
import { LOCAL_ANSWERS, localFetch, type RecordedAnswer } from '../../support/wires/local-servers.ts';

const OLLAMA = 'http://localhost:11434';
const LLAMA: Readonly<Record<string, RecordedAnswer>> = {
  'GET http://127.0.0.1:8080/v1/models': LOCAL_ANSWERS.llamaModels,
  'POST http://127.0.0.1:8080/v1/chat/completions': LOCAL_ANSWERS.text,
};
const BOTH: Readonly<Record<string, RecordedAnswer>> = {
  ...LLAMA,
  [`GET ${OLLAMA}/api/tags`]: LOCAL_ANSWERS.ollamaTags,
  [`POST ${OLLAMA}/api/show`]: LOCAL_ANSWERS.ollamaShow,
  [`GET ${OLLAMA}/api/ps`]: LOCAL_ANSWERS.ollamaPs,
  [`POST ${OLLAMA}/api/chat`]: LOCAL_ANSWERS.ollamaRefusal,
};
const SAVED = '/home/ada/.ybs.json';

/** Opens a chat on a machine with these servers, at which the user types. */
async function chat(
  answers: Readonly<Record<string, RecordedAnswer>>,
  typed: readonly string[],
  script: RunScript = {},
) {
  const { fetch, sent } = localFetch(answers);
  const run = await configuredRun({
    ...script,
    ...{ typed, fetch },
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
  });
  return { ...run, sent: sent.map(({ address }) => address) };
}

/** Runs a prompt where nobody can be asked. */
async function once(answers: Readonly<Record<string, RecordedAnswer>>, script: RunScript = {}) {
  const { fetch, sent } = localFetch(answers);
  const run = await configuredRun({ ...script, fetch });
  return { ...run, sent: sent.map(({ address }) => address) };
}

describe('a chat without a configured model', () => {
  it('lists the models of this machine, asks once, tries a call, and uses the answer for this session only', async () => {
    const { screen, sent, readFile } = await chat(BOTH, ['2']);
    expect(screen).toContain(
      [
        'No model is configured. This machine has:',
        '  1  caller:latest  32,000 tokens, 136.2 KB, no tools  on Ollama',
        '  2  scripted.gguf  32,768 tokens, 258.3 KB  on llama.cpp at http://127.0.0.1:8080',
      ]
        .map((row) => `<cyan>▌</cyan> ${row}\n`)
        .join(''),
    );
    expect(screen).toContain('scripted.gguf answers, but with text where a tool call was asked for.');
    expect(screen).toContain('ybs</bold> openai-compatible/scripted.gguf');
    expect(screen.match(/uses\s+that model now/gu)).toHaveLength(1);
    expect(sent.filter((address) => address.startsWith('POST http://127'))).toHaveLength(1);
    expect(JSON.parse(readFile(SAVED))).toEqual({});
  });

  it('keeps the chosen server after /model, and in the command that continues the session', async () => {
    const models = LOCAL_ANSWERS.llamaModels.body.replace('"data":[', '"data":[{"id":"other.gguf"},');
    const two = { ...LLAMA, 'GET http://127.0.0.1:8080/v1/models': { body: models } };
    const { screen, sent } = await chat(two, ['scripted.gguf', 'hello', '/model other.gguf', 'hello again']);
    expect(screen).toContain('The model is openai-compatible/other.gguf from the next request on.');
    expect(screen).toContain(
      'ybs --provider openai-compatible --endpoint http://127.0.0.1:8080/v1 --model other.gguf --resume ',
    );
    expect(sent.filter((address) => address.startsWith('POST http://127.0.0.1:8080/'))).toHaveLength(3);
  });

  it('writes the choice into the configuration if the user agrees, and does not ask again', async () => {
    const { screen, readFile } = await chat(BOTH, ['2 save']);
    expect(screen).toContain(`Wrote ${SAVED}.`);
    const config = JSON.parse(readFile(SAVED));
    expect(config.llm).toEqual({
      ...{ provider: 'openai-compatible', endpoint: 'http://127.0.0.1:8080/v1', model: 'scripted.gguf' },
    });
    const again = await chat(BOTH, [], { config });
    expect(again.screen).not.toContain('No model is configured');
  });

  it('distinguishes a model without tools from a server that is down', async () => {
    const refused = await chat(BOTH, ['']);
    expect(refused.screen.replaceAll(/\n<cyan>▌<\/cyan> +/gu, ' ')).toContain(
      'Ollama answers, but does not accept tools for caller:latest. Ollama refused the request (400: registry.ollama.ai/library/caller:latest does not support tools). Use another model, or let this one write its calls as text: ybs config set llm.tool_protocol xnl',
    );
    const { 'POST http://127.0.0.1:8080/v1/chat/completions': _gone, ...listing } = BOTH;
    const down = await chat(listing, ['scripted.gguf', '1']);
    expect(down.screen.replaceAll(/\n<cyan>▌<\/cyan> +/gu, ' ')).toContain(
      'scripted.gguf did not answer, so nothing is known about its tool calls: Nothing is listening at http://127.0.0.1:8080/v1.',
    );
    expect(down.screen).toContain('ybs</bold> ollama/caller:latest');
  });

  it('asks again after an invalid answer, and ends when the user leaves', async () => {
    const { screen, outcome } = await chat(BOTH, ['3', 'no such model']);
    expect(screen.match(/Type a number from 1 to 2, or Ctrl-D to leave\./gu)).toHaveLength(2);
    expect(outcome).toBe(130);
  });

  it('reports that no server answers, with the addresses that it tried', async () => {
    const { screen } = await chat({ [`GET ${OLLAMA}/api/tags`]: { body: '{"models":[]}' } }, []);
    const text = screen.replaceAll(/\n<cyan>▌<\/cyan> +/gu, ' ');
    expect(text).toContain(`Ollama at ${OLLAMA} has no models.`);
    expect(text).toContain('no model server with a model answers on this machine: asked Ollama (localhost:11434), ');
    expect(text).toContain('ybs init configures a provider; ybs --provider mock replays stories.');
    expect(text).toContain('ybs</bold> ollama/qwen3:14b');
  });

  it('names a server that is still loading its model, in a chat, in a run and in ybs models', async () => {
    const body = '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}';
    const loading = { 'GET http://127.0.0.1:8080/v1/models': { status: 503, body } };
    const said = 'llama.cpp at http://127.0.0.1:8080 is still loading its model. Start ybs again when it is ready.';
    const { screen } = await chat(loading, []);
    expect(screen.replaceAll(/\n<cyan>▌<\/cyan> +/gu, ' ')).toContain(said);
    expect((await once(loading)).outcome).toBe(said);
    const listed = await once(loading, {
      run: (wiring, user, options, machine) => modelsCommand({ options }, { wiring, machine, user }),
    });
    expect([listed.outcome, listed.screen]).toEqual([0, `${said}\n`]);
  });

  it.each<[string, RunScript]>([
    ['a configured model', { config: { llm: { model: 'm' } } }],
    ['a configured provider', { config: { llm: { provider: 'ollama' } } }],
    [
      'an address in the environment',
      { environment: { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_DEFAULT_MODEL: 'm' } },
    ],
    ['a model on the command line', { options: { model: 'm' } }],
    ['models.discovery off', { config: { models: { discovery: false } } }],
  ])('does not search for servers with %s', async (_name, script) => {
    const { screen, sent } = await chat(BOTH, [], script);
    expect(screen).not.toContain('No model is configured');
    expect(sent.some((address) => address.includes(':8080') || address.includes('/api/tags'))).toBe(false);
  });
});

describe('a run without a user to ask', () => {
  it('names the models of this machine, and a command that uses one, in one line', async () => {
    const { outcome } = await once(BOTH);
    expect(outcome).toBe(
      'No model is configured. This machine has caller:latest (Ollama), scripted.gguf (llama.cpp). Choose one: ybs --provider ollama --model caller:latest, or run ybs at a terminal, which asks.',
    );
    expect((await once(LLAMA)).outcome).toContain(
      'ybs --provider openai-compatible --endpoint http://127.0.0.1:8080/v1 --model scripted.gguf,',
    );
  });

  it('lists them in ybs models by server, and keeps to a configured provider or address', async () => {
    const run: RunScript['run'] = (wiring, user, options, machine) =>
      modelsCommand({ options }, { wiring, machine, user });
    const listed = await once(BOTH, { run });
    expect([listed.outcome, listed.screen]).toEqual([
      0,
      [
        `Ollama at ${OLLAMA}: ybs --provider ollama --model NAME`,
        '  caller:latest  32,000 tokens, 136.2 KB, no tools',
        'llama.cpp at http://127.0.0.1:8080: ybs --provider openai-compatible --endpoint http://127.0.0.1:8080/v1 --model NAME',
        '  scripted.gguf  32,768 tokens, 258.3 KB\n',
      ].join('\n'),
    ]);
    const { warnings } = await once(BOTH, { run, files: { '/home/ada/.ybs.toml': '' } });
    expect(warnings).toEqual([expect.stringContaining('.ybs.toml')]);
    const json = await once(LLAMA, { run, options: { outputFormat: 'json' } });
    expect(JSON.parse(json.screen)).toMatchObject({ servers: [{ provider: 'openai-compatible' }] });
    for (const options of [{ provider: 'ollama' }, { endpoint: 'http://127.0.0.1:9', model: 'm' }]) {
      const { outcome, sent } = await once(LLAMA, { run, options });
      expect(outcome).toContain('Nothing is listening');
      expect(sent.filter((address) => address.includes(':8080'))).toEqual([]);
    }
    expect((await once({}, { run })).outcome).toContain(`Nothing is listening at ${OLLAMA}.`);
  });

  it('counts models beyond the fifth', async () => {
    const data = Array.from({ length: 7 }, (_each, index) => ({ id: `m${index}` }));
    const { outcome } = await once({ 'GET http://127.0.0.1:8000/v1/models': { body: JSON.stringify({ data }) } });
    expect(outcome).toContain('m4 (a server) and 2 more. Choose one');
  });

  it('uses the default model if Ollama has it, and fails as usual if no server answers', async () => {
    const tags = { body: '{"models":[{"name":"qwen3:14b","size":9276198565}]}' };
    const { sent } = await once({ ...BOTH, [`GET ${OLLAMA}/api/tags`]: tags });
    expect(sent).toContain(`POST ${OLLAMA}/api/chat`);
    const none = await once({});
    expect([none.outcome, none.screen]).toEqual([1, expect.stringContaining('Start Ollama with: ollama serve')]);
  });

  it('also asks no questions for a program', async () => {
    const options = { outputFormat: 'json', quiet: true } as const;
    const { outcome } = await configuredRun({
      ...{ typed: ['1'], fetch: localFetch(BOTH).fetch },
      run: (wiring, user, given) => runPrompt('go', { ...given, ...options }, wiring, user),
    });
    expect(outcome).toContain('No model is configured.');
  });

  it('asks at a terminal, and keeps the protocol of tool calls that the user has set', async () => {
    for (const protocol of ['native', 'xnl']) {
      const props = { body: '{"chat_template_caps":{"supports_tools":false}}' };
      const { fetch, sent } = localFetch({
        ...LLAMA,
        'GET http://127.0.0.1:8080/props?model=scripted.gguf&autoload=false': props,
      });
      const config = { llm: { tool_protocol: protocol } };
      const { screen, outcome, readFile } = await configuredRun({ typed: ['1 save'], config, fetch });
      expect([outcome, screen]).toEqual([0, expect.stringContaining('You can')]);
      expect(screen.includes('cannot call tools')).toBe(protocol === 'native');
      const bodies = sent.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body)]));
      expect(bodies.map(({ tools }) => tools !== undefined)).toEqual([protocol === 'native', protocol === 'native']);
      expect(JSON.parse(readFile(SAVED)).llm.tool_protocol).toBe(protocol);
    }
  });
});
