import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runChat } from '../../../src/cli/run-chat.ts';
import { readAs } from '../../support/agent/config-command.ts';
import { configuredRun, MODEL, type ObservedRun, type RunScript } from '../../support/agent/configured-run.ts';
import { withoutMarks } from '../../support/agent/without-marks.ts';
import type { ScriptedAnswer } from '../../support/fakes/scripted-model.ts';
import type { ScriptedCommand } from '../../support/fakes/scripted-shell.ts';

/**
 * A sample of the two specifications: one row for each sentence that a user can touch, with the section that it is from.
 * `ybs` is the specification of the command, `ayna` the decision record 0006 about native tools. A row plays a run – a
 * chat, if the user types in it, or else one prompt – and reads a part of it. The keys of the configuration have a table
 * of their own, test/integration/app/every-key.test.ts; every blocked command, special path and text of a refusal has a
 * row in test/behaviour/decisions, the commands of the chat are in test/e2e/terminal, external tools in
 * test/e2e/external-tools.test.ts, and the errors of edits in test/unit/tools/files/edit-file.test.ts.
 */
type Row = readonly [
  section: string,
  sentence: string,
  script: RunScript,
  part: Part,
  ...expected: readonly Expected[],
];

/** A text that the part contains, or does not contain (`not`), a pattern that it matches, or a value that it equals. */
type Expected = string | RegExp | { readonly not: string } | { readonly is: unknown };

type Part = keyof typeof PARTS;

const messages = (request: ObservedRun['requests'][number] | undefined): string =>
  JSON.stringify(request?.body['messages'] ?? '');

/** The parts of a run that a row can read. */
const PARTS = {
  /** The messages of the last request: the knowledge of the model at the end. */
  messages: ({ requests }: ObservedRun) => messages(requests.at(-1)),
  system: ({ requests }: ObservedRun) => messages(requests[0]).split('"role":"user"')[0],
  tools: ({ requests }: ObservedRun) => JSON.stringify(requests[0]?.body['tools'] ?? []),
  model: ({ requests }: ObservedRun) => requests[0]?.body['model'],
  url: ({ requests }: ObservedRun) => requests[0]?.url,
  requests: ({ requests }: ObservedRun) => requests.length,
  screen: ({ screen, warnings }: ObservedRun) => `${warnings.join('\n')}\n${withoutMarks(screen)}`,
  outcome: ({ outcome }: ObservedRun) => outcome,
  files: ({ listFiles }: ObservedRun) => listFiles('/work'),
  times: ({ commandTimes }: ObservedRun) => commandTimes,
  git: ({ gitCommands }: ObservedRun) => gitCommands.join(),
  readme: ({ readFile }: ObservedRun) => readFile('/work/README.md'),
  log: ({ listFiles, readFile }: ObservedRun) =>
    listFiles('/s')
      .flatMap((name) => (name.endsWith('.jsonl') ? [readFile(`/s/${name}`)] : []))
      .join(),
} as const;

const call = (name: string, args: object): ScriptedAnswer => ({
  calls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }],
});
const calling = (name: string, args: object): readonly ScriptedAnswer[] => [call(name, args), { text: 'Done.' }];
const FULL = { safety: { permission_mode: 'full-access' } };
const EDITS = { safety: { permission_mode: 'accept-edits' } };

const write = (file: string) => call('write_file', { path: file, content: 'a\n' });
const WRITE: RunScript = { answers: [write('a.txt'), { text: 'Done.' }] };
const shell = (command: string, others: Partial<ScriptedCommand>, args: object = {}): RunScript => ({
  answers: calling('run_shell', { command, ...args }),
  commands: [{ command, ...others }],
  config: FULL,
});
const typing = (...typed: readonly string[]) => ({ typed });
const permissions = (levels: object, others: object = {}) => ({ safety: { permissions: levels, ...others } });

const BUILD = { command: 'build', steps: [{ stdout: 'out\n' }, { stderr: 'err\n' }], end: 2 } as const;
const LONG = { command: 'x', steps: [{ stdout: `${'y'.repeat(99)}\n`.repeat(100) }] };
const TASKS = ['completed', 'in_progress', 'pending'].map((status) => ({ content: status, status }));
const PROJECT: RunScript = {
  options: { trusted: true },
  files: { '/work/go.mod': '', '/work/AGENTS.md': 'Use tabs.', '/work/cart.go': '', '/work/.git/config': '' },
  runGit: async () => ({ type: 'ended', exitCode: 0, stdout: '# branch.head my-branch\0', stderr: '' }),
};

const ROWS: readonly Row[] = [
  ['ybs 2.2', '--model overrides the model', { options: { model: 'other' } }, 'model', { is: 'other' }],
  [
    'ybs 2.2',
    '--provider',
    { options: { provider: 'lmstudio', model: 'm' } },
    'url',
    /^http:\/\/(?:localhost|127\.0\.0\.1):1234\//,
  ],
  [
    'ybs 2.2',
    '--endpoint',
    { options: { endpoint: 'http://127.0.0.1:7/v1' } },
    'url',
    { is: 'http://127.0.0.1:7/v1/chat/completions' },
  ],
  ['ybs 2.2', '--dry-run shows the calls', { ...WRITE, options: { dryRun: true } }, 'screen', 'create a.txt'],
  ['ybs 2.2', '--dry-run executes none', { ...WRITE, options: { dryRun: true } }, 'files', { is: ['README.md'] }],
  [
    'ybs 2.3',
    'a wrong type names file, position and key',
    { config: { llm: { ...MODEL, max_tokens: 'x' } } },
    'outcome',
    /^\/home\/ada\/\.ybs\.json:\d+:\d+: llm\.max_tokens must be /,
  ],

  [
    'ybs 5.3',
    'a model gets tools in the format of OpenAI',
    {},
    'tools',
    /^\[\{"type":"function","function":\{"name":"\w+","description":".+?","parameters":\{"type":"object","properties":\{.*?"required":\[/,
  ],

  ['ybs 6.3', 'a command is not sent to the model', typing('/help', '/tools'), 'requests', { is: 0 }],
  [
    'ybs 6.4',
    '! gives both streams to the model',
    { ...typing('!build'), commands: [BUILD] },
    'messages',
    /\[Shell command output\]\\nCommand: build\\nexit_code: 2\\n.*out\\n\[stderr\]\\nerr/,
  ],
  ...(['screen', 'messages'] as const).map(
    (part): Row => [
      'ybs 6.4',
      `a command that cannot be started is reported: ${part}`,
      { ...typing('!x'), commands: [{ command: 'x', end: { failedToStart: 'ENOENT' } }] },
      part,
      part === 'screen' ? 'could not be started: ENOENT' : '[Shell command failed]',
    ],
  ),
  [
    'ybs 6.4',
    'a command has 60 s by default',
    { ...typing('!x'), commands: [{ command: 'x' }] },
    'times',
    { is: [60_000] },
  ],
  ['ybs 6.4', 'a blocked command is refused', typing('!sudo ls'), 'screen', /Not run: the rule ".*sudo.*" blocks/],
  ['ybs 6.4', 'a refused command asks no model', typing('!sudo ls'), 'requests', { is: 0 }],
  [
    'ybs 6.4',
    'the user gets all of the output',
    { ...typing('!x'), commands: [LONG], config: { context: { max_tool_output_chars: 1_000 } } },
    'screen',
    /(?:y{99}\n){100}/,
  ],
  ...['$ls -la', '`ls -la`'].map((typed): Row => ['ybs 6.4', `${typed} is a prompt`, typing(typed), 'messages', typed]),

  [
    'ybs 11.2',
    '/diff shows what has changed',
    { ...WRITE, ...typing('go', '/diff'), config: FULL },
    'screen',
    'new  a.txt (+1 −0)',
  ],
  [
    'ybs 11.4',
    'a file that was read may be edited twice',
    {
      answers: [
        call('read_file', { path: 'README.md' }),
        ...[
          ['shop', 'store'],
          ['store', 'market'],
        ].map(([from, to]) => call('edit_file', { path: 'README.md', old_text: from, new_text: to })),
        { text: 'Done.' },
      ],
      config: EDITS,
    },
    'readme',
    { is: 'A market.\n' },
  ],

  ...(['screen', 'files'] as const).map(
    (part): Row => [
      'ayna 2',
      `ask_once asks once in a session: ${part}`,
      {
        ...typing('go', 'a'),
        answers: [write('a.txt'), write('b.txt'), { text: 'Done.' }],
        config: permissions({ write_file: 'ask_once' }),
      },
      part,
      part === 'screen'
        ? /^(?:(?!yes, once)[\s\S])*yes, once(?:(?!yes, once)[\s\S])*$/
        : { is: ['README.md', 'a.txt', 'b.txt'] },
    ],
  ),
  [
    'ayna 2',
    'ask_always asks about each call',
    {
      ...typing('go', 'y', 'y'),
      answers: [...calling('run_shell', { command: 'one' }).slice(0, 1), ...calling('run_shell', { command: 'one' })],
      commands: [{ command: 'one' }, { command: 'one' }],
      config: permissions({ run_shell: 'ask_always' }),
    },
    'screen',
    /yes, once[\s\S]*yes, once/,
    { not: 'for the rest of this session' },
  ],
  [
    'ayna 2',
    'an unknown level is read as ask_always',
    { ...typing('/permissions'), config: permissions({ run_shell: 'maybe' }) },
    'screen',
    'unknown level "maybe"',
    /run_shell +ask_always/,
  ],
  ['ayna 3', 'a removal in the project is not blocked', shell('rm -rf ./build', {}), 'messages', 'exit_code: 0'],
  [
    'ayna 5',
    'a question names the tool and shows the change',
    { ...WRITE, ...typing('go', 'n') },
    'screen',
    '+++ b/a.txt',
    '+a',
    'write_file: create a.txt (+1)',
  ],
  [
    'ayna 5',
    'a denial is an error for the model',
    { ...WRITE, ...typing('go', 'n') },
    'messages',
    /The user did not allow|denied/i,
  ],
  [
    'ayna 5',
    'one answer can allow all writes in a directory',
    { ...WRITE, ...typing('go', 'n') },
    'screen',
    'yes, and for the rest of this session: every write of a new file',
  ],
  [
    'ayna 5',
    'an answer can hold for later sessions',
    { ...WRITE, ...typing('go', 'n'), config: { safety: { persist_approvals: true } } },
    'screen',
    'for the rest of this session and later ones: every write',
  ],
  [
    'ayna 6',
    'the levels of the tools',
    typing('/permissions'),
    'screen',
    ...['read_file', 'list_files', 'search_files'].map((name) => new RegExp(`^${name} +automatic `, 'm')),
    ...['write_file', 'edit_file', 'run_shell'].map((name) => new RegExp(`^${name} +ask_once `, 'm')),
  ],
  [
    'ayna 7',
    'a missing file is named, with similar ones',
    { answers: calling('read_file', { path: 'cart.ts' }), files: { '/work/cart.js': '' } },
    'messages',
    'Did you mean cart.js?',
  ],
  [
    'ayna 7',
    'a failed command has its exit code and output',
    shell('x', { steps: [{ stderr: 'boom\n' }], end: 3 }),
    'messages',
    /exit_code: 3.*boom/,
  ],
  [
    'ayna 10',
    'the user sees the list of tasks',
    { ...typing('go', '/tasks'), answers: calling('update_tasks', { tasks: TASKS }) },
    'screen',
    /\[x\] completed\n.*\[>\] in_progress\n.*\[ \] pending\n.*1\/3/,
  ],
  [
    'ayna 10',
    'the list is stored with the session',
    { answers: calling('update_tasks', { tasks: TASKS }), config: { session: { storage_path: '/s' } } },
    'log',
    /"type":"tasks".*"createdAt":"\d{4}-/,
  ],
  [
    'ayna 12',
    'the project is described to the model',
    PROJECT,
    'system',
    'go test',
    'Use tabs.',
    'cart.go',
    'my-branch',
  ],
];

/** Plays a chat, if the user types, or one prompt. */
function play(script: RunScript): Promise<ObservedRun> {
  const run: RunScript['run'] = (wiring, user, options) => runChat(options, wiring, user, async () => []);
  const config = { llm: MODEL, ui: { color: false }, ...script.config };
  return configuredRun({ ...(script.typed !== undefined && { run }), ...script, config });
}

const CASES = ROWS.map(([section, sentence, script, part, ...expected]) => ({
  ...{ name: `${section}: ${sentence}`, script, part, expected },
}));

it.each(CASES)('$name', async ({ script, part, expected }) => {
  const found = PARTS[part](await play(script));
  expect(expected.length).toBeGreaterThan(0);
  for (const each of expected) {
    if (typeof each === 'string') expect(found).toContain(each);
    else if (each instanceof RegExp) expect(found).toMatch(each);
    else if ('not' in each) expect(found).not.toContain(each.not);
    else expect(found).toEqual(each.is);
  }
});

describe('ybs 2.1: the files of the configuration override each other', () => {
  const PLACES = [
    '/etc/ybs/config.json',
    '/home/ada/.config/ybs/config.json',
    '/home/ada/.ybs.json',
    '/work/.ybs.json',
  ];
  // Each file lowers the limit, because a project that is not trusted cannot raise it.
  it.each([1, 2, 3, 4, 5])('the last of %i', async (count) => {
    const places = [...PLACES, '/work/mine.json'].slice(0, count);
    const text = (index: number) => JSON.stringify({ agent: { max_iterations: 9 - index } });
    const files = Object.fromEntries(places.map((place, index) => [place, text(index)]));
    const options = count === 5 ? { config: 'mine.json' } : {};
    const { screen } = await readAs('config agent.max_iterations', { config: {}, files, options });
    expect(screen.trim().replaceAll(/ {2,}/g, ' ')).toBe(`agent.max_iterations ${10 - count} (${places.at(-1)})`);
  });
});

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

it('ybs 4.3: examples of the recommended tools are included', () => {
  for (const file of ['web-search.mjs', 'web-fetch.mjs', 'git-status.sh', 'run-tests.sh'])
    expect(read(`examples/tools/${file}`)).toContain('--schema');
});

/** Parts left out on purpose, by the section that names them, with the beginning of their row in docs/not-included.md. */
const LEFT_OUT: readonly (readonly [section: string, feature: string])[] = [
  ['ybs 2.2', 'The provider `apple`'],
  ['ybs 6.4', 'The prefixes `$` and backquotes'],
  ['ybs 11.3', 'A repository map from tree-sitter'],
  ['ybs 11.5', 'Other tools for other kinds of projects'],
  ['ayna 3', 'A vector index'],
  ['ayna, alternatives', 'Sub-agents'],
];

it.each(LEFT_OUT)('%s: %s is left out on purpose, for a documented reason', (_section, feature) => {
  const rows = read('docs/not-included.md').split('\n');
  const row = rows.find((line) => line.startsWith(`| ${feature}`));
  const [, , reason = ''] = row?.split('|') ?? [];
  expect(reason.trim()).toMatch(/^[A-Z`].{30,}\.$/);
});
