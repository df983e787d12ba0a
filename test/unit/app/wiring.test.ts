import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import type { Approver } from '../../../src/agent/ports/approver.ts';
import type { Machine, SessionOptions } from '../../../src/app/settings.ts';
import { createWiring } from '../../../src/app/wiring.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { fakeProcesses } from '../../support/agent/session-store.ts';
import { createInProcessTextSearch } from '../../support/fakes/in-process-text-search.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';
import { createScriptedShell } from '../../support/fakes/scripted-shell.ts';

const approver: Approver = { decide: () => Promise.reject(new Error('not asked')) };

/** A machine with a project in `/work`, and a log of starts, closes and warnings. */
function machine(files: Readonly<Record<string, string>> = {}, environment: Machine['environment'] = {}) {
  const clock = createManualClock();
  const log: string[] = [];
  const { fileSystem, volume, promises } = createMemoryFileSystem({
    '/home/ada/.profile': '',
    '/work/README.md': '',
    ...files,
  });
  const wiring = createWiring({
    platform: 'posix',
    environment: { PATH: '/bin', OPENAI_API_KEY: 'secret', ...environment },
    home: '/home/ada',
    temporaryDirectory: '/tmp',
    resolvePath: (path) => (path.startsWith('/') ? path : `/work/${path}`.replace(/\/\.$/, '')),
    newId: () => 'id',
    random: () => 0,
    clock,
    digest: computeDigest,
    fileSystem,
    processes: fakeProcesses(),
    async loadSessionAdapters() {
      return {
        openShell(commandEnvironment) {
          log.push(`shell ${'OPENAI_API_KEY' in commandEnvironment ? 'with' : 'without'} the key`);
          return { shell: createScriptedShell(clock), name: 'bash' };
        },
        openTextSearch: () => ({
          ...createInProcessTextSearch(),
          async dispose() {
            log.push('search closed');
          },
        }),
      };
    },
    startMockModel: async () => server('embedded', log),
    warn: async (message) => log.push(message),
  });
  return { wiring, log, volume, promises };
}

async function server(name: string, log: string[]) {
  log.push(`${name} server started`);
  return {
    url: 'http://127.0.0.1:1',
    async close() {
      log.push(`${name} server closed`);
    },
  };
}

const MOCK: SessionOptions = { provider: 'mock', dryRun: false };

describe('settings', () => {
  it('merge the command line with the configuration, and warn about keys without effect', async () => {
    const { wiring, log } = machine({
      '/home/ada/.ybs.json': '{"llm":{"provider":"mock","model":"small"},"agent":{"max_iterations":3}}',
      '/work/.ybs.json': '{"llm":{"provider":"openai"}}',
    });
    const settings = await wiring.loadSettings({
      permissionMode: 'read-only',
      toolProtocol: 'xnl',
      toolsDialect: 'claude',
      dryRun: true,
    });
    expect(settings.config.llm.tool_protocol).toBe('xnl');
    expect(settings.config.tools.dialect).toBe('claude');
    expect(settings).toMatchObject({ workspace: '/work', dryRun: true, model: { name: 'mock/small', embedded: true } });
    expect(settings.config.safety.permission_mode).toBe('read-only');
    expect(settings.config.agent.max_iterations).toBe(3);
    expect(log).toEqual([expect.stringContaining('/work/.ybs.json: llm.provider is ignored')]);
  });

  it('include the options of a host', async () => {
    const { wiring, log } = machine();
    const options = { maxTurns: 3, persist: false, allowedTools: ['Read(x)', 'Write'], addDirectories: ['lib'] };
    const settings = await wiring.loadSettings({ ...MOCK, ...options, systemPrompt: 'You count.' });
    expect(settings.config).toMatchObject({
      agent: { max_iterations: 3 },
      session: { auto_save: false },
      safety: { permissions: { write_file: 'automatic' }, sandbox_allowed_paths: ['./', '/work/lib'] },
    });
    expect(settings.systemPrompt).toBe('You count.');
    expect(log).toEqual([expect.stringContaining('The rule Read(x) of --allowedTools has no effect')]);
    const both = await wiring.loadSettings({ ...MOCK, systemPrompt: 'You count.', appendSystemPrompt: 'Fast.' });
    expect(both.systemPrompt).toBe('You count.\n\nFast.');
  });

  it.each<[string, SessionOptions, RegExp]>([
    [
      'a directory that does not exist',
      { ...MOCK, cwd: 'gone' },
      /^There is no directory \/work\/gone\. Check the path\.$/,
    ],
    ['a name that is not UTF-8', { ...MOCK, cwd: 'a\u{FFFD}' }, / Its name is not UTF-8: rename it\.$/],
    [
      'a file as the directory',
      { ...MOCK, cwd: 'README.md' },
      /^\/work\/README\.md is a file\. Choose a directory to work in\.$/,
    ],
    ['a configuration that does not exist', { ...MOCK, config: 'x.json' }, /^\/work\/x\.json: /],
    ['a provider that does not exist', { provider: 'nobody', dryRun: false }, /\(llm\.provider, command line\)$/],
  ])('reject %s', async (_name, options, message) => {
    const loading = machine().wiring.loadSettings(options);
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.toBeInstanceOf(UsageError);
  });

  it('include the model of another provider at once', async () => {
    const { wiring, log } = machine();
    const { model } = await wiring.loadSettings({ provider: 'ollama', model: 'tiny', dryRun: false });
    expect(model).toMatchObject({ name: 'ollama/tiny', embedded: false });
    await model.open();
    await model.close();
    expect(log).toEqual([]);
  });

  it.each([
    ['ollama', []],
    ['mock', ['embedded server started']],
  ])('include the small model of the provider %s', async (provider, started) => {
    const { wiring, log } = machine({
      '/home/ada/.ybs.json': JSON.stringify({ llm: { provider, model: 'large', small_model: 'small' } }),
    });
    const { model } = await wiring.loadSettings({ dryRun: false });
    expect((await model.openSmall())?.identity).toMatchObject({ provider, model: 'small' });
    expect((await model.open()).identity).toMatchObject({ provider, model: 'large' });
    expect(log).toEqual(started);
  });

  it('have no small model by default', async () => {
    const { model } = await machine().wiring.loadSettings(MOCK);
    expect(await model.openSmall()).toBeUndefined();
  });

  it('treat a remote mock server like any other provider', async () => {
    const { wiring, log } = machine();
    const { model } = await wiring.loadSettings({ ...MOCK, endpoint: 'http://localhost:9/v1' });
    expect(model).toMatchObject({ name: 'mock/mock-model', embedded: false });
    expect(log).toEqual([]);
  });
});

describe('a budget', () => {
  const options = { ...MOCK, maxBudgetUsd: 1 };

  it('needs the price of the model, unless it runs on a machine of the user', async () => {
    const { wiring } = machine();
    const remote = await wiring.loadSettings({
      ...options,
      provider: 'openai-compatible',
      model: 'm',
      endpoint: 'http://127.0.0.1:9/v1',
    });
    await expect(wiring.openSession(remote, approver)).rejects.toThrow(
      /^A budget needs the price of openai-compatible\/m/,
    );
    const { close } = await wiring.openSession(await wiring.loadSettings(options), approver);
    await close();
  });

  it('limits a model with a price', async () => {
    const prices = { 'mock/mock-model': { input: 1, output: 1 } };
    const { wiring } = machine({ '/home/ada/.ybs.json': JSON.stringify({ models: { prices } }) });
    const { close } = await wiring.openSession(await wiring.loadSettings(options), approver);
    await close();
  });
});

it('a fallback model is used after the model', async () => {
  const { wiring } = machine();
  const { model } = await wiring.loadSettings({ ...MOCK, fallbackModel: 'other' });
  expect((await model.open()).identity.model).toBe('mock-model');
  await model.close();
});

describe('a session', () => {
  it('starts the embedded mock when it is opened, and closes all that it has opened', async () => {
    const { wiring, log } = machine();
    const settings = await wiring.loadSettings(MOCK);
    expect(log).toEqual([]);
    const { agent, close } = await wiring.openSession(settings, approver);
    expect(agent).toMatchObject({ model: 'mock/mock-model', workspace: '/work', permissionMode: 'ask' });
    await close();
    expect(log).toEqual([
      'embedded server started',
      'shell without the key',
      'search closed',
      'embedded server closed',
    ]);
  });

  it('that is not stored removes the logs of its commands when it is closed', async () => {
    const { wiring, volume } = machine({
      '/tmp/ybs-id/call_1.log': 'long output',
      '/tmp/ybs-other/call_1.log': 'kept',
    });
    const { close } = await wiring.openSession({ ...(await wiring.loadSettings(MOCK)), autoSave: false }, approver);
    expect(volume.existsSync('/tmp/ybs-id/call_1.log')).toBe(true);
    await close();
    expect(volume.readdirSync('/tmp')).toEqual(['ybs-other']);
  });

  it.each([
    ['of the platform', 'EACCES', 'permission denied'],
    ['that is unexpected', 'EWHAT', 'system error EWHAT'],
  ])('warns about logs that it cannot remove because of an error %s', async (_name, code, shown) => {
    const { wiring, log, promises } = machine();
    const { close } = await wiring.openSession({ ...(await wiring.loadSettings(MOCK)), autoSave: false }, approver);
    promises.rm = async () => {
      throw Object.assign(new Error('injected by the test'), { code });
    };
    await close();
    expect(log).toContain(`The session could not be closed: /tmp/ybs-id: ${shown}`);
  });

  it('may use another mock instead of the embedded one', async () => {
    const { wiring, log } = machine();
    const settings = await wiring.loadSettings(MOCK, () => server('other', log));
    await (await wiring.openSession(settings, approver)).close();
    expect(log).toContain('other server started');
    expect(log).not.toContain('embedded server started');
  });

  it.each([{}, { continue: true }, { resume: 'x' }])(
    'is not opened if a file is in place of its directory: %j',
    async (more) => {
      const config = '{"llm":{"provider":"mock"},"session":{"storage_path":"/work/README.md"}}';
      const { wiring } = machine({ '/home/ada/.ybs.json': config });
      const settings = await wiring.loadSettings(MOCK);
      const choosing = wiring.chooseSession({ ...MOCK, ...more }, settings);
      await expect(choosing).rejects.toThrow(UsageError);
      await expect(choosing).rejects.toThrow(
        /^The directory of the sessions cannot be used: .*\(session.storage_path\)$/,
      );
    },
  );

  it('that cannot be opened leaves no server behind', async () => {
    const { wiring, log, volume } = machine();
    const settings = await wiring.loadSettings(MOCK);
    volume.rmSync('/work', { recursive: true });
    const opening = wiring.openSession(settings, approver);
    await expect(opening).rejects.toThrow(/^A directory cannot be used: .*: it does not exist/);
    await expect(opening).rejects.toBeInstanceOf(UsageError);
    expect(log).toEqual(['embedded server started', 'shell without the key', 'embedded server closed']);
  });
});
