import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import { runChat } from '../../../src/cli/run-chat.ts';
import { runPrompt } from '../../../src/cli/run-prompt.ts';
import { readAs } from '../../support/agent/config-command.ts';
import { configuredRun, MODEL, type RunScript } from '../../support/agent/configured-run.ts';

const STORE = '/home/ada/.config/ybs/trust.json';
const QUESTION = 'Do you trust the project in /work?';
const DAMAGED = '{';
const TOOL = { '/work/tools/lint': '#!/bin/sh\n' };
const ON = { type: 'on', program: 'bubblewrap' } as const;
const stored = (content: object) => ({ [STORE]: JSON.stringify({ version: 1, projects: {}, ...content }) });
/** The text without the marks and ends of rows. */
const flat = (screen: string) => screen.replaceAll(/\n<cyan>▌<\/cyan> +/gu, ' ');

async function observe(script: RunScript) {
  const run = await configuredRun({
    ...{ sandbox: ON, ...script, config: { llm: MODEL, ...script.config } },
    prepare: (volume) => {
      if (volume.existsSync(STORE)) volume.chmodSync(STORE, 0o600);
      script.prepare?.(volume);
    },
  });
  const isStored = run.listFiles('/home/ada/.config/ybs').includes('trust.json') && run.readFile(STORE) !== DAMAGED;
  const { projects, declined } = JSON.parse(isStored ? run.readFile(STORE) : '{}');
  return { ...run, screen: flat(run.screen), projects, declined };
}

const chat = (typed: readonly string[], script: RunScript = {}) =>
  observe({ ...script, typed, run: (wiring, user, options) => runChat(options, wiring, user, async () => []) });

describe('the first chat in a project', () => {
  it('asks, trusts the current state of the project after a yes, and uses its settings in the same session', async () => {
    const { screen, projects, declined } = await chat(['y'], { files: { ...TOOL, '/work/.git/HEAD': 'x' } });
    expect(screen).toContain(QUESTION);
    expect(screen).toContain('tools/lint  becomes a tool if it is executable');
    expect(screen).toContain(
      'With yes, these files take effect, commands that only read, such as cat, run in the sandbox without a question, and ybs asks git for its state.',
    );
    expect(Object.keys(projects['/work'].parts)).toEqual(['tools/lint']);
    expect(declined).toBeUndefined();
    expect(screen).not.toContain('Trust it with: ybs trust');
  });

  it.each(['n', 'no', ''])('remembers the answer %j, and lists the parts without effect', async (answer) => {
    const { screen, projects, declined } = await chat([answer], { files: TOOL });
    expect(screen).toContain('not trusted, so these have no effect: a file that may become tools');
    expect(projects).toEqual({});
    expect(declined).toEqual({ '/work': expect.stringMatching(/^\d{4}-/u) });
  });

  it.each([
    ['n', 0, true],
    ['y', 'trust.json cannot be written: the disk is full.', false],
  ])('goes on after a no that cannot be stored, and not after a yes: %s', async (answer, expected, isOpen) => {
    const fails = async () => {
      throw new UsageError('trust.json cannot be written: the disk is full.');
    };
    const { screen, outcome } = await observe({
      ...{ files: TOOL, typed: [answer] },
      run(wiring, user, options) {
        const openProject: typeof wiring.openProject = async (given) => ({
          ...(await wiring.openProject(given)),
          ...{ trust: fails, decline: fails },
        });
        return runChat(options, { ...wiring, openProject }, user, async () => []);
      },
    });
    expect(outcome).toBe(expected);
    expect(screen.includes('! trust.json cannot be written: the disk is full. ybs will ask again.')).toBe(isOpen);
    expect(screen.includes('/help for help')).toBe(isOpen);
  });

  it('asks again after an invalid answer, and ends without an answer', async () => {
    const { screen, outcome, projects } = await chat(['maybe']);
    expect(screen).toContain('Type y to trust /work, or n.');
    expect(screen).not.toContain('/help for help');
    expect([outcome, projects]).toEqual([130, undefined]);
  });

  it('names twelve parts and counts the rest', async () => {
    const files = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`/work/tools/t${index + 10}`, 'x']));
    const { screen } = await chat(['n'], { files });
    expect(screen).toContain('tools/t21');
    expect(screen).not.toContain('tools/t22');
    expect(screen).toContain('2 more: ybs trust --dry-run');
  });

  it('reports that a trusted project has changed, and trusts it again', async () => {
    const old = { trusted_at: '2026-11-01T10:00:00.000Z', parts: { 'tools/lint': 'a'.repeat(64) } };
    const { screen, projects } = await chat(['yes'], {
      files: { ...TOOL, ...stored({ projects: { '/work': old }, declined: { '/other': '2026' } }) },
    });
    expect(screen).toContain('You trusted it before, and it has changed.');
    expect(projects['/work'].parts['tools/lint']).not.toBe('a'.repeat(64));
  });

  it.each<readonly [string, RunScript]>([
    ['the project is declined', { files: { ...TOOL, ...stored({ declined: { '/work': '2026' } }) } }],
    ['the project is trusted', { files: stored({ projects: { '/work': { trusted_at: '2026', parts: {} } } }) }],
    ['the answers are damaged', { files: { ...TOOL, [STORE]: DAMAGED } }],
    ['nothing depends on it: no sandbox', { sandbox: { type: 'off', reason: 'none' } }],
    ['nothing depends on it: full access', { config: { safety: { permission_mode: 'full-access' } } }],
    ['the run is a dry run', { files: TOOL, options: { dryRun: true } }],
    ['the project cannot be trusted', { files: { ...TOOL, '/work/.ybs.json': '{' } }],
  ])('does not ask if %s', async (_name, script) => {
    const { screen, outcome } = await chat([], script);
    expect(screen).not.toContain(QUESTION);
    expect(outcome).toBe(0);
  });
});

describe('a single run', () => {
  const once = (script: RunScript) =>
    observe({ ...script, run: (wiring, user, options) => runPrompt('go', options, wiring, user) });

  it('asks at a terminal', async () => {
    const { screen, outcome, projects } = await once({ typed: ['y'] });
    expect(screen).toMatch(/Do you trust[\s\S]*Done\./u);
    expect([outcome, Object.keys(projects)]).toEqual([0, ['/work']]);
    expect((await once({ typed: [] })).outcome).toBe(130);
  });

  it.each<readonly [string, RunScript]>([
    ['without a terminal', { files: TOOL }],
    ['for a program', { files: TOOL, typed: ['y'], options: { outputFormat: 'json' } }],
    ['with --quiet', { files: TOOL, typed: ['y'], options: { quiet: true } }],
  ])('does not ask %s', async (_name, script) => {
    const { screen, projects } = await once(script);
    expect(screen).not.toContain(QUESTION);
    expect(projects).toBeUndefined();
  });
});

describe('ybs web', () => {
  const script = { sandbox: ON, config: { llm: MODEL }, files: TOOL };

  it('asks at a terminal before it serves, and ends without an answer', async () => {
    const { screen, outcome } = await readAs('web', { ...script, typed: [] });
    expect([flat(screen).includes(QUESTION), outcome]).toEqual([true, 130]);
  });

  it('does not ask without a terminal', async () => {
    const port = new Map([['port', ['none']]]);
    const { screen, outcome } = await readAs('web', script, port);
    expect([screen.includes('Do you trust'), String(outcome)]).toEqual([false, expect.stringContaining('--port')]);
  });
});
