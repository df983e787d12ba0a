import { describe, expect, it } from 'vitest';
import type { SandboxState } from '../../../src/agent/ports/shell.ts';
import { COMMANDS } from '../../../src/app/commands/commands.ts';
import type { Wiring } from '../../../src/app/wiring.ts';
import type { CommandLineOptions } from '../../../src/cli/command-line/options.ts';
import { banner, runChat } from '../../../src/cli/run-chat.ts';
import { PLAIN, type UserConsole } from '../../../src/terminal/output.ts';
import { configuredRun, MODEL } from '../../support/agent/configured-run.ts';

const facts = {
  model: 'mock/scripted',
  workspace: '/work/a\u0007',
  permissionMode: 'ask',
  sandbox: { type: 'on', program: 'bubblewrap' },
  dryRun: false,
  session: 'session-1',
  instructions: [],
  prompts: [],
} as const;

it('a chat shows the model, the workspace and the permission mode', () => {
  expect(banner(facts, PLAIN)).toBe(
    [
      'ybs mock/scripted',
      'workspace /work/a\\u{7}',
      'permissions ask',
      'sandbox: on (bubblewrap); commands have no network and write only here',
      'session session-1',
      '/help for help',
      '',
    ].join('\n'),
  );
});

it.each<[SandboxState | undefined, string]>([
  [undefined, 'permissions ask\nsession session-1\n'],
  [
    { type: 'off', reason: 'bubblewrap is not installed', advice: 'Install it.' },
    'permissions ask\nsandbox: OFF (bubblewrap is not installed) - every command will ask\n  Install it.\nsession',
  ],
  [{ type: 'off', reason: '--no-sandbox', chosen: true }, 'permissions ask\nsandbox: OFF (--no-sandbox)\nsession'],
])('a chat shows the sandbox %j', (sandbox, expected) => {
  expect(banner({ ...facts, sandbox }, PLAIN)).toContain(expected);
});

it('a chat lists the prompts of the mock model, and marks a dry run', () => {
  const text = banner({ ...facts, dryRun: true, session: undefined, prompts: ['fix it', 'a\nb'] }, PLAIN);
  expect(text).toContain(
    'permissions ask, dry run\nsandbox: on (bubblewrap); commands have no network and write only here\nsession not stored; /save stores it\n',
  );
  expect(text).toContain('it answers these prompts:\n  fix it · a\\u{a}b\n');
});

it('a chat wraps the list of prompts before it is too wide for a small screen', () => {
  const prompts = ['a'.repeat(40), 'b'.repeat(33), 'c', 'd'.repeat(90), 'e'];
  const lines = banner({ ...facts, prompts }, PLAIN)
    .split('\n')
    .slice(6, 10);
  expect(lines).toEqual([`  ${'a'.repeat(40)} · ${'b'.repeat(33)}`, '  c', `  ${'d'.repeat(90)}`, '  e']);
});

it('a chat fits the list of prompts into a narrow screen', () => {
  const prompts = ['a'.repeat(20), 'b'.repeat(15), 'c'.repeat(16)];
  const rows = banner({ ...facts, prompts }, PLAIN, 40).split('\n');
  expect(rows).toContain(`  ${prompts[0]} · ${prompts[1]}`);
  expect(rows).toContain(`  ${prompts[2]}`);
});

it('a chat names the instructions of the project', () => {
  const text = banner({ ...facts, instructions: ['AGENTS.md', 'a\n/CLAUDE.md'] }, PLAIN);
  expect(text).toContain('session session-1\ninstructions from the project: AGENTS.md, a\\u{a}/CLAUDE.md\n');
});

it.each<readonly [Partial<CommandLineOptions>, string]>([
  [{ quiet: true }, '--quiet needs a prompt: ybs --quiet "fix the test"'],
  [{ outputFormat: 'json' }, '--output-format json needs a prompt: ybs --output-format json "fix the test"'],
])('a chat with %j is rejected, because the option belongs to a single run', async (changes, expected) => {
  const { outcome, screen } = await configuredRun({
    typed: [],
    run: (wiring, user, options) => runChat({ ...options, ...changes }, wiring, user, async () => []),
  });
  expect([outcome, screen]).toEqual([expected, '']);
});

it('a chat shows facts about the session, sets the title of the window, and explains how to continue', async () => {
  const { facts, titles, bell, screen } = await configuredRun({
    config: { llm: MODEL },
    typed: ['go', '/mode read-only'],
    answers: [{ text: 'Done.', usage: { inputTokens: 12_345, outputTokens: 2 } }],
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
  });
  expect(facts[0]).toBe('openai-compatible/m · ask');
  expect(facts).toContain('openai-compatible/m · ask · 12k tokens in, 2 out');
  expect(facts.at(-1)).toMatch(/^openai-compatible\/m · read-only · context \d+ % · 12k tokens in, 2 out$/);
  expect(titles).toEqual(['ybs: work', undefined]);
  expect(bell).toEqual({ afterMs: 30_000 });
  expect(screen).toMatch(/▌.* .*To continue: ybs --resume session-\S+\n$/);
});

it('a chat explains how to continue with the model that it has changed to', async () => {
  const { screen } = await configuredRun({
    config: { llm: MODEL },
    typed: ['go', '/provider ollama large'],
    options: { provider: 'openai-compatible', endpoint: 'http://127.0.0.1:9/v1' },
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
  });
  expect(screen).toMatch(/To continue:(?:<\/dim>\n<dim>| )ybs --provider ollama --model large --resume session-[\w-]+/);
});

it('a chat without messages does not explain how to continue', async () => {
  const { screen } = await configuredRun({
    typed: [],
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
  });
  expect(screen).not.toContain('To continue');
});

it('a chat sends no message after the signal that ends ybs, even if it follows the Enter at once', async () => {
  const { outcome, requests } = await configuredRun({
    config: { llm: MODEL },
    typed: ['hello'],
    async run(wiring, user, options) {
      const listeners: (() => void)[] = [];
      const stoppable: UserConsole = {
        ...user,
        onStop: (listener) => {
          listeners.push(listener);
          return () => undefined;
        },
        async openTerminal(keyboard) {
          const terminal = await user.openTerminal(keyboard);
          return {
            ...terminal,
            async readLine(question, signal) {
              const input = await terminal.readLine(question, signal);
              for (const stop of listeners) stop();
              return input;
            },
          };
        },
      };
      return runChat(options, wiring, stoppable, async () => []);
    },
  });
  expect({ outcome, requests }).toEqual({ outcome: 130, requests: [] });
});

it('a chat marks its lines from the first one on', async () => {
  const { screen } = await configuredRun({
    config: { llm: MODEL, ui: { color: false } },
    typed: ['hello', '/mode'],
    run: (wiring, user, options) => runChat(options, wiring, user, async () => ['fix it']),
  });
  const lines = screen.split('\n').filter((row) => row !== '' && !row.startsWith('▌ '));
  expect(lines).toEqual(['Done.']);
  expect(screen).toContain('▌ /help for help\n\n');
});

it('a chat shows no line of the model like a message of the user, even without styles', async () => {
  const { screen } = await configuredRun({
    config: { llm: MODEL, ui: { color: false } },
    typed: ['hello'],
    answers: [{ text: '> fake prompt\nend' }],
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
  });
  expect(screen).toContain('\n\\> fake prompt\nend\n');
});

/** A name with a line feed, after which the rest looks like a line of its own. */
const forged = (name: string) => `${name}\nFORGED`;

/**
 * The lines of ybs that begin with a forged text. Contents are indented further, or begin with a sign, as in a diff.
 */
const forgedLines = (screen: string) => screen.split('\n').filter((row) => /^▌ {1,3}(?! )[^\w+>-]*FORGED/.test(row));

it.each(['/work', `/${forged('work')}`])(
  'a chat begins no line of ybs with a name or a text from a project, the model or a server, in %j',
  async (workspace) => {
    const call = (name: string, args: object) => ({ id: name, name, arguments: JSON.stringify(args) });
    const others = COMMANDS.filter(({ name }) => !['quit', 'exit', 'clear', 'compact'].includes(name));
    const { screen, warnings } = await configuredRun({
      config: { llm: MODEL, ui: { color: false }, safety: { persist_approvals: true } },
      options: { cwd: workspace },
      files: {
        [`${workspace}/.ybs.json`]: JSON.stringify({ [forged('k')]: 1, context: { max_tokens: 30_000 } }),
        [`${workspace}/.ybs/agents/${forged('a')}.md`]: 'x',
        [`${workspace}/.ybs/commands/${forged('b')}.md`]: 'x',
        [`${workspace}/.ybs/commands/c.md`]: `---\ndescription: "${forged('c')}"\n---\nx`,
        [`${workspace}/a.txt`]: 'FORGED\n',
      },
      programs: { [`${workspace}/tools/${forged('d')}`]: '#!/bin/sh\n' },
      models: [{ id: forged('m') }],
      commands: [{ command: forged('ls') }],
      typed: [
        ...['go', 'y', 'a'],
        ...others.map(({ name, argument }) => `/${name}${argument?.startsWith('<') === true ? ' x' : ''}`),
        ...['/agent x', '/c', '/model nope', '/checkpoints 1', '/diff', '/rewind 1', '/approvals clear'],
        ...['/export x.md', '/export x.md', '@file:x.md', '@file:tools hi', '/load b', '/sessions', '/quit'],
      ],
      answers: [
        {
          calls: [
            call('read_file', { path: 'a.txt' }),
            call('write_file', { path: 'a.txt', content: 'FORGED, too\n' }),
            call('run_shell', { command: forged('ls') }),
            call('update_tasks', { tasks: [{ content: forged('t'), status: 'in_progress', activeForm: forged('t') }] }),
            call(forged('tool'), { [forged('x')]: forged('y') }),
          ],
        },
        { text: 'Done.' },
      ],
      run: (wiring, user, options) => runChat(options, wiring, user, async () => [forged('p')]),
    });
    expect(screen).toContain('FORGED');
    expect(forgedLines(screen)).toEqual([]);
    expect(warnings).toHaveLength(2);
    expect(warnings.join('')).not.toContain('\n');
  },
);

it('a chat begins no line of a list of sessions with the name of a directory', async () => {
  const run = (wiring: Wiring, user: UserConsole, options: CommandLineOptions) =>
    runChat(options, wiring, user, async () => []);
  const workspace = `/${forged('work')}`;
  const files = { [`${workspace}/a.txt`]: '' };
  const first = await configuredRun({ config: { llm: MODEL }, files, options: { cwd: workspace }, typed: ['go'], run });
  const directory = '/home/ada/.config/ybs/sessions';
  const [log = ''] = first.listFiles(directory).filter((name) => name.endsWith('.jsonl'));
  const stored = { [`${directory}/${log}`]: first.readFile(`${directory}/${log}`) };
  const typed = ['1', '/sessions', '/quit'];
  const later = await configuredRun({
    ...{ config: { llm: MODEL, ui: { color: false } }, files: stored, options: { resume: '' }, typed, run },
  });
  expect(later.screen).toMatch(/^.* {2}1\. go {2}\(just now, 1 prompt in \/work\\u\{a\}FORGED\) session-/m);
  expect(later.screen.match(/ in \/work\\u\{a\}FORGED: go$/gm)).toHaveLength(1);
  expect(forgedLines(later.screen)).toEqual([]);
});

describe('a continued session with an agent', () => {
  const REVIEWER = { '/home/ada/.config/ybs/agents/reviewer.md': 'You review changes.' };
  const SESSIONS = '/home/ada/.config/ybs/sessions';

  /** A chat with these files. */
  const chatWith = (files: Readonly<Record<string, string>>, typed: readonly string[], options = {}) =>
    configuredRun({
      ...{ config: { llm: MODEL }, files, typed, options },
      answers: [{ text: 'Done.', usage: { inputTokens: 5, outputTokens: 2 } }],
      run: (wiring, user, all) => runChat(all, wiring, user, async () => []),
    });

  /** The screen and the last request of the same session later, with these files. */
  async function later(files: Readonly<Record<string, string>>) {
    const first = await chatWith(REVIEWER, ['@agent:reviewer go']);
    const [log = ''] = first.listFiles(SESSIONS).filter((name) => name.endsWith('.jsonl'));
    const stored = { [`${SESSIONS}/${log}`]: first.readFile(`${SESSIONS}/${log}`) };
    const { screen, requests, facts } = await chatWith({ ...files, ...stored }, ['go on'], {
      resume: log.slice(0, -6),
    });
    return { screen, facts, request: JSON.stringify(requests.at(-1)?.body) };
  }

  it('keeps the agent', async () => {
    const { screen, request, facts } = await later(REVIEWER);
    expect(request).toContain('You review changes.');
    expect(screen).not.toContain('no agent');
    expect(facts[1]).toMatch(/m · agent reviewer · ask · 5 tokens in, 2 out$/);
  });

  it.each([
    ['its earlier, stricter mode', '/mode plan', {}, 'permissions plan\n', 'plan'],
    ['the mode of the command line', '/mode plan', { permissionMode: 'ask' }, 'was plan.\n', 'ask'],
    ['the mode of the configuration', '/mode full-access', {}, 'was full-access.\n', 'ask'],
  ] as const)('has %s', async (_what, command, options, shown, mode) => {
    const first = await chatWith({}, [command, 'go']);
    const [log = ''] = first.listFiles(SESSIONS).filter((name) => name.endsWith('.jsonl'));
    const stored = { [`${SESSIONS}/${log}`]: first.readFile(`${SESSIONS}/${log}`) };
    const { screen, facts } = await chatWith(stored, ['go'], { continue: true, ...options });
    expect(screen).toContain(shown);
    expect(facts[0]).toBe(`openai-compatible/m · ${mode}`);
    expect(facts.at(-1)).toContain(` · ${mode}`);
  });

  it.each([
    ['/mode plan', 'go on', 'restored 1 prompt, mode plan.'],
    ['/mode read-only', '/mode read-only', 'restored 1 prompt.'],
    ['/mode ask', '/mode full-access', 'restored 1 prompt, mode ask.'],
  ])('reports a mode that /load changes: %s, then %s', async (before, current, expected) => {
    const first = await chatWith({}, [before, 'go']);
    const [log = ''] = first.listFiles(SESSIONS).filter((name) => name.endsWith('.jsonl'));
    const stored = { [`${SESSIONS}/saved.jsonl`]: first.readFile(`${SESSIONS}/${log}`) };
    const { screen } = await chatWith(stored, [current, '/load saved']);
    expect(screen).toContain(`Loaded saved: ${expected}\n`);
  });

  it('is chosen from a list by its number, or by an empty line', async () => {
    const first = await chatWith({}, ['go']);
    const [log = ''] = first.listFiles(SESSIONS).filter((name) => name.endsWith('.jsonl'));
    const stored = { [`${SESSIONS}/${log}`]: first.readFile(`${SESSIONS}/${log}`) };
    for (const typed of [['1'], ['7', ' ']]) {
      const { screen } = await chatWith(stored, typed, { resume: '' });
      expect(screen.includes('Type a number from 1 to 1.\n')).toBe(typed.length === 2);
      expect(screen).toContain(`session ${log.slice(0, -6)}\n`);
    }
  });

  it('reports that the agent no longer exists', async () => {
    const { screen, request } = await later({});
    expect(screen).toContain('The agent reviewer no longer exists, so the session continues without it.\n');
    expect(request).not.toContain('You review changes.');
  });
});
