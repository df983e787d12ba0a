import { describe, expect, it } from 'vitest';
import type { OpenSession } from '../../../src/app/settings.ts';
import { runChat } from '../../../src/cli/run-chat.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { readAs } from '../../support/agent/config-command.ts';
import { configuredRun, MODEL, type ObservedRun, type RunScript } from '../../support/agent/configured-run.ts';
import type { ScriptedAnswer } from '../../support/fakes/scripted-model.ts';

type Volume = Parameters<NonNullable<RunScript['prepare']>>[0];

const STORE = '/home/ada/.config/ybs/trust.json';
const DEPLOY = '#!/bin/sh\n';
const PROFILES = [
  { ...MODEL, name: 'mine', model: 'mine' },
  { ...MODEL, name: 'other', model: 'other' },
];
const PROJECT = {
  git: { auto_commit: true },
  models: { active: 'other' },
  tools: { external: [{ name: 'deploy', path: './bin/deploy', description: 'Deploy.', parameters: {} }] },
};
const FILES = {
  '/work/.ybs.json': JSON.stringify(PROJECT),
  '/work/.git/HEAD': '',
  '/work/bin/deploy': DEPLOY,
  '/work/tools/lint': DEPLOY,
  '/work/tools/lint.tool.json': '{"description": "Lint."}',
};
const CONFIG = { models: { active: 'mine', profiles: PROFILES }, safety: { permission_mode: 'full-access' } };
const digest = (text: string): string => computeDigest(new TextEncoder().encode(text));
const PARTS = {
  '.ybs.json': digest(JSON.stringify(PROJECT)),
  'bin/deploy': digest(DEPLOY),
  'tools/lint': digest(DEPLOY),
  'tools/lint.tool.json': digest('{"description": "Lint."}'),
};
const store = (parts: object, project = '/work') =>
  JSON.stringify({ version: 1, projects: { [project]: { trusted_at: '2026-11-22T10:00:00.000Z', parts } } });

/** A run in the project; `trust` is the content of `trust.json`. */
function run(trust: string | undefined, script: RunScript = {}): Promise<ObservedRun> {
  return configuredRun({
    ...script,
    config: { ...CONFIG, ...script.config },
    files: { ...FILES, ...script.files, ...(trust !== undefined && { [STORE]: trust }) },
    prepare(volume) {
      for (const file of ['/work/bin/deploy', '/work/tools/lint']) volume.chmodSync(file, 0o755);
      for (const directory of ['/work/bin', '/work/tools']) volume.chmodSync(directory, 0o755);
      if (trust !== undefined) volume.chmodSync(STORE, 0o600);
      script.prepare?.(volume);
    },
  });
}

const call = (name: string, args: object): ScriptedAnswer => ({
  calls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }],
});
const WRITE: RunScript = { answers: [call('write_file', { path: 'a.txt', content: 'a' }), { text: 'Done.' }] };
const toolNames = ({ requests }: ObservedRun): string => JSON.stringify(requests[0]?.body['tools']);

describe('a project that is not trusted', () => {
  it.each<[string, string | undefined]>([
    ['without an entry', undefined],
    ['with another configuration', store({ ...PARTS, '.ybs.json': digest('') })],
    ['with another tool', store({ ...PARTS, 'tools/lint': digest('') })],
    ['with a removed tool', store({ ...PARTS, 'tools/gone': digest('') })],
    ['with an added tool', store({ ...PARTS, 'tools/lint': undefined })],
    ['inside a trusted one', store(PARTS, '/')],
    ['with a damaged file', '{'],
  ])('%s starts no program and chooses no profile', async (_name, trust) => {
    const seen = await run(trust, WRITE);
    expect(seen.gitCommands).toEqual([]);
    expect(seen.requests.map(({ body }) => body['model'])).toEqual(['mine', 'mine']);
    expect(toolNames(seen)).not.toMatch(/deploy|lint/);
    expect(seen.outcome).toBe(0);
  });

  it('is not queried with git, whatever the settings of the user', async () => {
    const config = { ...CONFIG, git: { auto_commit: true, context: true } };
    expect((await run(undefined, { ...WRITE, config })).gitCommands).toEqual([]);
  });

  it('is described in the chat with its parts without effect', async () => {
    const chat: RunScript = {
      typed: ['n'],
      run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
    };
    expect((await run(undefined, chat)).screen).toContain(
      'project not trusted, so these have no effect: git.auto_commit, models.active, tools.external of .ybs.json; 3 files that may become tools; the state of git. Trust it with: ybs trust\n',
    );
    expect((await run(store({ ...PARTS, 'tools/lint': digest('') }), chat)).screen).toContain(
      'project no longer trusted (tools/lint has changed), so',
    );
    expect((await run(store(PARTS), chat)).screen).not.toContain('\nproject ');
  });

  it('offers no tool that is a link out of the project', async () => {
    const { seen } = await session(undefined, {
      programs: { '/usr/bin/reboot': '' },
      prepare: (volume) => {
        volume.unlinkSync('/work/tools/lint');
        volume.unlinkSync('/work/tools/lint.tool.json');
        volume.rmdirSync('/work/tools');
        volume.symlinkSync('/usr/bin', '/work/tools');
      },
    });
    expect(seen).toEqual(['deploy unavailable', 'reboot unavailable']);
  });
});

/** The tools of a session in the project. */
async function session(
  trust: string | undefined,
  script: RunScript = {},
  use?: (session: OpenSession) => Promise<void>,
) {
  let seen: readonly string[] = [];
  const observed = await run(trust, {
    ...script,
    async run(wiring, _user, options) {
      const opened = await wiring.openSession(await wiring.loadSettings(options), {
        decide: async () => ({ type: 'once' }),
      });
      seen = opened.agent.externalTools.map(({ name, type }) => `${name} ${type}`);
      await use?.(opened);
      await opened.close();
    },
  });
  return { ...observed, seen };
}

describe('a trusted project', () => {
  it('may choose a profile, is described by git and may commit', async () => {
    const seen = await run(store(PARTS), WRITE);
    expect(seen.requests.map(({ body }) => body['model'])).toEqual(['other', 'other']);
    expect(seen.gitCommands.some((command) => command.includes('status --porcelain'))).toBe(true);
    expect(seen.gitCommands.some((command) => command.startsWith('check-attr'))).toBe(true);
    expect(toolNames(seen)).toMatch(/"deploy".*"lint"/);
  });

  it.each([
    ['has not changed', () => {}, 'ok'],
    [
      'has changed since the session began',
      (volume: Volume) => volume.writeFileSync('/work/tools/lint', '#!/bin/evil\n'),
      'failed',
    ],
  ] as const)('decides whether to start a tool that %s', async (_name, change, outcome) => {
    const outcomes: string[] = [];
    let volume: Volume | undefined;
    const script: RunScript = {
      answers: [call('lint', {}), { text: 'Done.' }],
      commands: [{ command: '/work/tools/lint {}', input: '{}', steps: [{ stdout: '{"result": "fine"}' }] }],
      prepare: (disk) => {
        volume = disk;
      },
    };
    const { seen } = await session(store(PARTS), script, async ({ agent }) => {
      if (volume !== undefined) change(volume);
      for await (const event of agent.run('lint', new AbortController().signal)) {
        if (event.type === 'tool_result') outcomes.push(`${event.outcome} ${event.content}`);
      }
    });
    expect(seen).toEqual(['deploy available', 'lint available']);
    expect(outcomes).toEqual([outcome === 'ok' ? 'ok fine' : expect.stringContaining('its content is not trusted')]);
  });
});

describe('trust.json', () => {
  it.each([
    [{}, '/home/ada/.config/ybs/trust.json'],
    [{ XDG_CONFIG_HOME: '/data/xdg' }, '/data/xdg/ybs/trust.json'],
  ])('is not accessible to the tools with %o', async (environment, file) => {
    const config = { safety: { sandbox_allowed_paths: ['/data', '~'], permission_mode: 'full-access' } };
    const { screen } = await readAs('check', { environment, config }, new Map([['write', [file]]]));
    expect(screen).toMatch(/^deny\n {2}rule {5}directory of ybs/);
  });
});
