import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readChatInput } from '../../../src/app/commands/commands.ts';
import { findProjectTypes } from '../../../src/app/prompt/project-type.ts';
import { runChat } from '../../../src/cli/run-chat.ts';
import { checkCommand, parseBlockList } from '../../../src/policy/shell/shell-policy.ts';
import { createEditFile } from '../../../src/tools/files/edit-file.ts';
import { createReadFile } from '../../../src/tools/files/read-file.ts';
import { readAs } from '../../support/agent/config-command.ts';
import { configuredRun, MODEL, type ObservedRun, type RunScript } from '../../support/agent/configured-run.ts';
import { withoutMarks } from '../../support/agent/without-marks.ts';
import type { ScriptedAnswer } from '../../support/fakes/scripted-model.ts';
import type { ScriptedCommand } from '../../support/fakes/scripted-shell.ts';
import { call as callTool, fileWorkspace } from '../../support/tools/file-tools.ts';

/**
 * A sample of the two specifications: one row for each sentence that a user can touch, with the section that it is from.
 * `ybs` is the specification of the command, `ayna` the decision record 0006 about native tools. The keys of the
 * configuration have a table of their own, test/integration/app/every-key.test.ts.
 */
type Row = readonly [section: string, sentence: string, check: () => Promise<void>];

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const call = (name: string, args: object): ScriptedAnswer => ({
  calls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }],
});
const DONE: ScriptedAnswer = { text: 'Done.' };
const WRITE = [call('write_file', { path: 'a.txt', content: 'a\n' }), DONE];

/** A chat at a terminal in which the user types these lines. The screen is without the marks of the lines of ybs. */
async function chat(typed: readonly string[], { config = {}, ...script }: RunScript = {}): Promise<ObservedRun> {
  const run = await configuredRun({
    config: { llm: MODEL, ui: { color: false }, ...config },
    typed,
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
    ...script,
  });
  return { ...run, screen: withoutMarks(run.screen) };
}

/** One prompt on the command line; nobody can be asked. */
function prompt({ config = {}, ...script }: RunScript = {}): Promise<ObservedRun> {
  return configuredRun({ config: { llm: MODEL, ...config }, ...script });
}

/** The value and the origin of a key, as `ybs config` prints them. */
async function valueIn(key: string, files: Readonly<Record<string, object>>, options: RunScript['options'] = {}) {
  const texts = Object.entries(files).map(([file, content]) => [file, JSON.stringify(content)]);
  const run = await readAs(`config ${key}`, { config: {}, files: Object.fromEntries(texts), options });
  return run.screen.trim().replaceAll(/ {2,}/g, ' ');
}

const messagesOf = (run: ObservedRun): string => JSON.stringify(run.requests.at(-1)?.body['messages']);
const systemOf = (run: ObservedRun): string =>
  JSON.stringify(run.requests[0]?.body['messages']).split('"role":"user"')[0] ?? '';
const toolsOf = (run: ObservedRun): string => JSON.stringify(run.requests[0]?.body['tools'] ?? []);

const shown = async (run: Promise<ObservedRun>, ...texts: readonly (string | RegExp)[]): Promise<void> => {
  const { screen, warnings } = await run;
  for (const text of texts)
    expect(`${warnings.join('\n')}\n${screen}`).toMatch(typeof text === 'string' ? escaped(text) : text);
};
const escaped = (text: string): RegExp => new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));

/** The verdict on a command: `allowed`, `blocked` or `unclear`. */
function verdict(command: string): string {
  const places = { workspace: '/w', workingDirectory: '/w', home: '/home/u', platform: 'posix' } as const;
  return checkCommand(command, parseBlockList(['rm -rf /', 'sudo', 'chmod 777']), places).type;
}

/** A row for each command that is always blocked. */
const blocked = (...commands: readonly string[]): readonly Row[] =>
  commands.map((command) => [
    'ayna 3',
    `${command} is denied even with an approval`,
    async () => expect(verdict(command)).toBe('blocked'),
  ]);

/** Edits `a.txt`; the result for the model, and the file afterwards. */
async function edit(
  content: string | Uint8Array,
  oldText: string,
  newText: string,
): Promise<readonly [string, string]> {
  const world = fileWorkspace({ 'a.txt': content });
  const report = await callTool(createEditFile(world.ports), { path: 'a.txt', old_text: oldText, new_text: newText });
  return [report, world.text('a.txt')];
}

const TOOL = '#!/bin/sh\n';
const SCHEMA = JSON.stringify({
  name: 'greet',
  description: 'Greet.',
  parameters: { who: { type: 'string', required: true } },
});
const GREET = {
  programs: { '/home/ada/.ybs/tools/greet': TOOL },
  commands: [{ command: '/home/ada/.ybs/tools/greet --schema', steps: [{ stdout: SCHEMA }] }],
};
/** A chat in which the model calls the external tool `greet`, whose program ends like this. */
const greeting = (program: Partial<ScriptedCommand>, config: object = {}, timePasses = false) =>
  chat(['greet Ada'], {
    ...GREET,
    timePasses,
    config: { safety: { permission_mode: 'full-access' }, ...config },
    commands: [...GREET.commands, { command: '/home/ada/.ybs/tools/greet', ...program }],
    answers: [call('greet', { who: 'Ada' }), DONE],
  });

const HOME = '/home/ada/.ybs.json';
const USER = '/home/ada/.config/ybs/config.json';
const PROJECT = '/work/.ybs.json';

const ROWS: readonly Row[] = [
  // 2 Configuration
  [
    'ybs 2.1',
    'the system-wide file applies',
    async () =>
      expect(await valueIn('llm.max_tokens', { '/etc/ybs/config.json': { llm: { max_tokens: 1 } } })).toBe(
        'llm.max_tokens 1 (/etc/ybs/config.json)',
      ),
  ],
  [
    'ybs 2.1',
    'the file of the user overrides the system-wide one',
    async () =>
      expect(
        await valueIn('llm.max_tokens', {
          '/etc/ybs/config.json': { llm: { max_tokens: 1 } },
          [USER]: { llm: { max_tokens: 2 } },
        }),
      ).toBe(`llm.max_tokens 2 (${USER})`),
  ],
  [
    'ybs 2.1',
    'the file in the home directory overrides that in ~/.config',
    async () =>
      expect(
        await valueIn('llm.max_tokens', { [USER]: { llm: { max_tokens: 2 } }, [HOME]: { llm: { max_tokens: 3 } } }),
      ).toBe(`llm.max_tokens 3 (${HOME})`),
  ],
  [
    'ybs 2.1',
    'the file of the project overrides those of the user',
    async () =>
      expect(
        await valueIn('agent.max_iterations', {
          [HOME]: { agent: { max_iterations: 9 } },
          [PROJECT]: { agent: { max_iterations: 4 } },
        }),
      ).toBe(`agent.max_iterations 4 (${PROJECT})`),
  ],
  [
    'ybs 2.1',
    '--config overrides every other file',
    async () =>
      expect(
        await valueIn(
          'agent.max_iterations',
          { [PROJECT]: { agent: { max_iterations: 4 } }, '/work/mine.json': { agent: { max_iterations: 7 } } },
          { config: 'mine.json' },
        ),
      ).toBe('agent.max_iterations 7 (/work/mine.json)'),
  ],
  [
    'ybs 2.2',
    '--model overrides the model of the configuration',
    async () => expect((await prompt({ options: { model: 'other' } })).requests[0]?.body['model']).toBe('other'),
  ],
  [
    'ybs 2.2',
    '--provider overrides the provider',
    async () =>
      expect((await prompt({ options: { provider: 'lmstudio', model: 'm' } })).requests[0]?.url).toMatch(
        /^http:\/\/(?:localhost|127\.0\.0\.1):1234\//,
      ),
  ],
  [
    'ybs 2.2',
    '--endpoint overrides the address',
    async () =>
      expect((await prompt({ options: { endpoint: 'http://127.0.0.1:7/v1' } })).requests[0]?.url).toBe(
        'http://127.0.0.1:7/v1/chat/completions',
      ),
  ],
  [
    'ybs 2.2',
    '--dry-run shows the calls of tools and executes none',
    async () => {
      const run = await prompt({ answers: WRITE, options: { dryRun: true } });
      expect(run.screen).toContain('create a.txt');
      expect(run.listFiles('/work')).not.toContain('a.txt');
    },
  ],
  [
    'ybs 2.3',
    'tools.builtin.NAME.enabled removes a tool',
    async () =>
      expect(
        toolsOf(await prompt({ config: { tools: { builtin: { run_shell: { enabled: false } } } } })),
      ).not.toContain('run_shell'),
  ],
  [
    'ybs 2.3',
    'a tool in require_confirmation asks',
    async () =>
      expect(
        (
          await prompt({
            answers: WRITE,
            config: { safety: { permission_mode: 'accept-edits', require_confirmation: ['write_file'] } },
          })
        ).outcome,
      ).toBe(3),
  ],
  [
    'ybs 2.3',
    'a wrong type names file, position and key, and ends with 2',
    async () =>
      expect((await prompt({ config: { llm: { ...MODEL, max_tokens: 'x' } } })).outcome).toMatch(
        /^\/home\/ada\/\.ybs\.json:\d+:\d+: llm\.max_tokens must be /,
      ),
  ],

  // 4 External tools
  [
    'ybs 4.1',
    'a tool gets a single JSON argument',
    async () => {
      const run = await chat(['greet Ada'], {
        programs: GREET.programs,
        config: {
          safety: { permission_mode: 'full-access' },
          tools: {
            search_paths: [],
            external: [
              { name: 'greet', path: '~/.ybs/tools/greet', description: 'Greet.', parameters: {}, input: 'argument' },
            ],
          },
        },
        commands: [
          {
            command: '/home/ada/.ybs/tools/greet {"who":"Ada"}',
            steps: [{ stdout: '{"success":true,"result":"Hello!"}' }],
          },
        ],
        answers: [call('greet', { who: 'Ada' }), DONE],
      });
      expect(messagesOf(run)).toContain('Hello!');
    },
  ],
  [
    'ybs 4.1',
    'a tool prints JSON to standard output',
    async () =>
      expect(messagesOf(await greeting({ steps: [{ stdout: '{"success":true,"results":["found it"]}' }] }))).toContain(
        'found it',
      ),
  ],
  [
    'ybs 4.1',
    'an exit code other than 0 is a failure',
    async () =>
      expect(messagesOf(await greeting({ steps: [{ stderr: 'no network' }], end: 7 }))).toMatch(
        /greet failed: exit code 7.*no network/,
      ),
  ],
  [
    'ybs 4.1',
    'a tool must end within its time',
    async () => {
      const entry = { name: 'greet', path: '~/.ybs/tools/greet', timeout_seconds: 2 };
      const run = await greeting({ end: 'never' }, { tools: { external: [entry] } }, true);
      expect(messagesOf(run)).toContain('did not end within 2 s');
    },
  ],
  [
    'ybs 4.2',
    'an entry defines name, path, description and parameters, and asks for no schema',
    async () => {
      const entry = {
        name: 'web_search',
        type: 'executable',
        path: '~/x',
        description: 'Search the web.',
        parameters: { query: { type: 'string', required: true } },
        timeout_seconds: 30,
        enabled: true,
      };
      const run = await prompt({ programs: { '/home/ada/x': TOOL }, config: { tools: { external: [entry] } } });
      expect(toolsOf(run)).toContain('"required":["query"]');
    },
  ],
  [
    'ybs 4.2',
    'an entry that is not enabled is no tool',
    async () =>
      expect(
        toolsOf(
          await prompt({
            programs: { '/home/ada/x': TOOL },
            config: {
              tools: { external: [{ name: 'greet', path: '~/x', description: 'x', parameters: {}, enabled: false }] },
            },
          }),
        ),
      ).not.toContain('greet'),
  ],
  [
    'ybs 4.3',
    'examples of the recommended tools come with ybs',
    async () => {
      for (const file of ['web-search.mjs', 'web-fetch.mjs', 'git-status.sh', 'run-tests.sh'])
        expect(read(`examples/tools/${file}`)).toContain('--schema');
    },
  ],
  [
    'ybs 4.4',
    'six tools are built in',
    async () => {
      const offered = toolsOf(await prompt());
      for (const name of ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'run_shell'])
        expect(offered).toContain(`"name":"${name}"`);
    },
  ],

  // 5 Discovery
  [
    'ybs 5.1',
    'a tool of the user cannot replace one of ybs',
    async () => {
      const run = await prompt({
        programs: { '/home/ada/x': TOOL },
        config: { tools: { external: [{ name: 'read_file', path: '~/x', description: 'Evil.', parameters: {} }] } },
      });
      expect(toolsOf(run)).not.toContain('Evil.');
      expect(run.warnings.join()).toContain('ybs has a tool of this name');
    },
  ],
  [
    'ybs 5.2',
    'an executable in a search path becomes a tool at the start',
    async () => expect(toolsOf(await prompt(GREET))).toContain('"name":"greet"'),
  ],
  [
    'ybs 5.2',
    'the first of two tools of one name wins',
    async () => {
      const other = '/home/ada/.config/ybs/tools/greet';
      const run = await chat(['/tools'], {
        programs: { ...GREET.programs, [other]: TOOL },
        commands: [{ command: `${other} --schema`, steps: [{ stdout: SCHEMA }] }, ...GREET.commands],
      });
      expect(run.screen).toContain('greet         Greet. [~/.config/ybs/tools/greet]');
    },
  ],
  [
    'ybs 5.2',
    'tools.search_paths replaces the directories',
    async () =>
      expect(
        toolsOf(
          await prompt({
            programs: { '/home/ada/bin/greet': TOOL },
            commands: [{ command: '/home/ada/bin/greet --schema', steps: [{ stdout: SCHEMA }] }],
            config: { tools: { search_paths: ['~/bin'] } },
          }),
        ),
      ).toContain('greet'),
  ],
  [
    'ybs 5.2',
    'a program of ./tools is listed and never started',
    async () =>
      shown(chat(['/tools'], { programs: { '/work/tools/deploy': TOOL } }), /deploy +.*it is inside the project/),
  ],
  [
    'ybs 5.2',
    'a tool gets JSON on standard input and prints JSON',
    async () =>
      expect(
        messagesOf(
          await greeting({ input: '{"who":"Ada"}', steps: [{ stdout: '{"success":true,"result":"Hello!"}' }] }),
        ),
      ).toContain('Hello!'),
  ],
  [
    'ybs 5.2',
    '/reload-tools reports the numbers of tools and the external ones',
    async () =>
      shown(
        chat(['/reload-tools'], { ...GREET, commands: [...GREET.commands, ...GREET.commands] }),
        /Tool reload complete!\n {3}Built-in tools: \d\n {3}External tools: 1\n {3}Total: \d tools available\n\nExternal tools loaded:\n {2}• greet: Greet\./,
      ),
  ],
  [
    'ybs 5.3',
    'a model gets tools in the format of OpenAI',
    async () => {
      const [tool] = JSON.parse(toolsOf(await prompt()));
      expect(tool).toMatchObject({
        type: 'function',
        function: {
          name: expect.any(String),
          description: expect.any(String),
          parameters: { type: 'object', properties: expect.any(Object), required: expect.any(Array) },
        },
      });
    },
  ],

  // 6.3 Commands of the chat
  [
    'ybs 6.3',
    'a command is not sent to the model',
    async () => expect((await chat(['/help', '/tools'])).requests).toEqual([]),
  ],
  [
    'ybs 6.3',
    '/help shows commands, !command and their use',
    async () => shown(chat(['/help']), '/tools ', '/quit ', '!command'),
  ],
  [
    'ybs 6.3',
    '/tools lists the tools by name, with descriptions',
    async () => {
      const names = (await chat(['/tools'])).screen.match(/^[a-z_]+(?= {2,}[A-Z])/gm);
      expect(names).toEqual([
        'edit_file',
        'list_files',
        'read_file',
        'run_shell',
        'search_files',
        'update_tasks',
        'write_file',
      ]);
    },
  ],
  ...['/quit', '/exit', '/QUIT'].map(
    (typed): Row => [
      'ybs 6.3',
      `${typed} ends the chat`,
      async () => expect(await chat([typed, 'never sent'])).toMatchObject({ outcome: 0, requests: [] }),
    ],
  ),
  [
    'ybs 6.3',
    'an unknown command is named, with help',
    async () => shown(chat(['/frobnicate']), 'Unknown command /frobnicate. See /help.'),
  ],

  // 6.4 Commands of the shell
  [
    'ybs 6.4',
    '! runs the rest of the line in the shell',
    async () => expect(readChatInput('!ls -la')).toEqual({ type: 'shell', command: 'ls -la', forModel: true }),
  ],
  [
    'ybs 6.4',
    'the output of both streams is given to the model, which answers',
    async () => {
      const run = await chat(['!build'], {
        commands: [{ command: 'build', steps: [{ stdout: 'out\n' }, { stderr: 'err\n' }], end: 2 }],
      });
      expect(messagesOf(run)).toMatch(
        /\[Shell command output\]\\nCommand: build\\nexit_code: 2\\n.*out\\n\[stderr\]\\nerr/,
      );
      expect(run.screen).toContain('Done.');
    },
  ],
  [
    'ybs 6.4',
    'the user sees the output and the exit code before the model does',
    async () => {
      const { screen } = await chat(['!build'], {
        commands: [{ command: 'build', steps: [{ stdout: 'out\n' }], end: 2 }],
      });
      expect(screen).toContain('out\nexit code 2 after 0.0 s\nDone.');
    },
  ],
  ['ybs 6.4', '! without a command explains its use', async () => shown(chat(['!']), 'Type a command after the !')],
  [
    'ybs 6.4',
    'a command runs in the directory of the user',
    async () =>
      expect((await chat(['!pwd'], { commands: [{ command: 'pwd', workingDirectory: '/work' }] })).outcome).toBe(0),
  ],
  [
    'ybs 6.4',
    'a command that cannot be started is reported to the user and the model',
    async () => {
      const run = await chat(['!x'], { commands: [{ command: 'x', end: { failedToStart: 'ENOENT' } }] });
      expect(run.screen).toContain('could not be started: ENOENT');
      expect(messagesOf(run)).toContain('[Shell command failed]');
    },
  ],
  [
    'ybs 6.4',
    'a command has 60 s by default',
    async () => expect((await chat(['!x'], { commands: [{ command: 'x' }] })).commandTimes).toEqual([60_000]),
  ],
  [
    'ybs 6.4',
    'a blocked command is refused',
    async () =>
      expect(await chat(['!sudo ls'])).toMatchObject({
        requests: [],
        screen: expect.stringMatching(/Not run: the rule ".*sudo.*" blocks/),
      }),
  ],
  [
    'ybs 6.4',
    'the model gets at most max_tool_output_chars of the output',
    async () => {
      const run = await chat(['!x'], {
        config: { context: { max_tool_output_chars: 1_000 } },
        commands: [{ command: 'x', steps: [{ stdout: `${'y'.repeat(99)}\n`.repeat(100) }] }],
      });
      expect(messagesOf(run)).toContain('omitted');
      expect(messagesOf(run).split('yyyyyyyyyy').length).toBeLessThan(130);
      expect(run.screen.split('\n').filter((line) => line === 'y'.repeat(99))).toHaveLength(100);
    },
  ],
  ...['$ls -la', '`ls -la`'].map(
    (typed): Row => [
      'ybs 6.4',
      `${typed} is a prompt, because only ! is a prefix`,
      async () => expect(readChatInput(typed).type).toBe('prompt'),
    ],
  ),

  // 11 What the specification leaves to later
  [
    'ybs 11.2',
    'git.auto_commit is off by default',
    async () =>
      expect(
        (await prompt({ answers: WRITE, config: { safety: { permission_mode: 'full-access' } } })).gitCommands.join(),
      ).not.toContain('commit-tree'),
  ],
  [
    'ybs 11.2',
    '/diff shows what has changed',
    async () =>
      shown(
        chat(['go', '/diff'], { answers: WRITE, config: { safety: { permission_mode: 'full-access' } } }),
        'new  a.txt (+1 −0)',
      ),
  ],
  [
    'ybs 11.3',
    'the model gets the files of the project as a tree',
    async () => expect(systemOf(await prompt({ files: { '/work/src/cart.js': '' } }))).toContain('cart.js'),
  ],
  [
    'ybs 11.4',
    'a file that was read may be edited without reading it again',
    async () => {
      const answers = [
        call('read_file', { path: 'README.md' }),
        ...['shop', 'store'].map((word, index) =>
          call('edit_file', { path: 'README.md', old_text: word, new_text: index === 0 ? 'store' : 'market' }),
        ),
        DONE,
      ];
      const run = await prompt({ answers, config: { safety: { permission_mode: 'accept-edits' } } });
      expect(run.readFile('/work/README.md')).toBe('A market.\n');
    },
  ],
  ...(
    [
      ['package.json', 'Node'],
      ['Cargo.toml', 'Rust'],
      ['go.mod', 'Go'],
      ['pyproject.toml', 'Python'],
      ['Package.swift', 'Swift'],
    ] as const
  ).map(
    ([file, name]): Row => [
      'ybs 11.5',
      `${file} makes a project one of ${name}`,
      async () => {
        const [type] = findProjectTypes({ names: new Set([file]), texts: new Map([[file, '{}']]) });
        expect(type?.name).toContain(name);
      },
    ],
  ),

  // Permissions
  [
    'ayna 2',
    'automatic runs without a question',
    async () =>
      expect(
        await prompt({ answers: WRITE, config: { safety: { permissions: { write_file: 'automatic' } } } }),
      ).toMatchObject({ outcome: 0 }),
  ],
  [
    'ayna 2',
    'ask_once asks once in a session',
    async () => {
      const answers = [
        call('write_file', { path: 'a.txt', content: 'a' }),
        call('write_file', { path: 'b.txt', content: 'b' }),
        DONE,
      ];
      const { screen, listFiles } = await chat(['go', 'a'], {
        answers,
        config: { safety: { permissions: { write_file: 'ask_once' } } },
      });
      expect(screen.match(/yes, once/g)).toHaveLength(1);
      expect(listFiles('/work')).toEqual(['README.md', 'a.txt', 'b.txt']);
    },
  ],
  [
    'ayna 2',
    'ask_always asks about each call',
    async () => {
      const answers = [call('run_shell', { command: 'one' }), call('run_shell', { command: 'one' }), DONE];
      const { screen } = await chat(['go', 'y', 'y'], {
        answers,
        commands: [{ command: 'one' }, { command: 'one' }],
        config: { safety: { permissions: { run_shell: 'ask_always' } } },
      });
      expect(screen.match(/yes, once/g)).toHaveLength(2);
      expect(screen).not.toContain('for the rest of this session');
    },
  ],
  [
    'ayna 2',
    'denied never runs',
    async () =>
      expect(
        messagesOf(
          await prompt({
            answers: WRITE,
            config: { safety: { permission_mode: 'full-access', permissions: { write_file: 'denied' } } },
          }),
        ),
      ).toContain('The user has denied write_file'),
  ],
  [
    'ayna 2',
    'an unknown level is read as ask_always, with a warning',
    async () =>
      shown(
        chat(['/permissions'], { config: { safety: { permissions: { run_shell: 'maybe' } } } }),
        'unknown level "maybe"',
        /run_shell +ask_always/,
      ),
  ],

  // The sandbox of the shell
  ...blocked(
    'sudo ls',
    'doas ls',
    'pkexec ls',
    'rm -rf /',
    'rm -rf ~',
    'rm -rf .',
    'chmod 777 x',
    'chmod -R 777 x',
    'echo x > /dev/sda',
    'dd if=/dev/zero of=/dev/sda',
    'mkfs.ext4 /dev/sda',
    ':(){ :|:& };:',
  ),
  ...blocked('git status; rm -rf /', 'git status && sudo ls', 'false || sudo ls', 'ls | sudo tee x'),
  [
    'ayna 3',
    'rm -rf of a directory in the project is not blocked',
    async () => expect(verdict('rm -rf ./build')).not.toBe('blocked'),
  ],

  // Paths
  ...(
    [
      '~/.ssh/id_rsa',
      '~/.aws/credentials',
      '~/.gnupg/x',
      '~/.kube/config',
      '~/.docker/config.json',
      '~/.config/x',
    ] as const
  ).map(
    (file): Row => [
      'ayna 4',
      `${file} cannot be read in any mode`,
      async () => {
        const run = await prompt({
          answers: [call('read_file', { path: file }), DONE],
          files: { '/home/ada/.ssh/id_rsa': 'KEY', '/other': 'KEY' },
          config: { safety: { permission_mode: 'full-access' } },
        });
        expect(messagesOf(run)).toMatch(/is blocked/);
      },
    ],
  ),
  ...['/etc/passwd', '../other'].map(
    (file): Row => [
      'ayna 4',
      `${file} is not read without an approval`,
      async () => {
        const run = await prompt({
          answers: [call('read_file', { path: file }), DONE],
          files: { '/etc/passwd': 'KEY', '/other': 'KEY' },
        });
        expect(messagesOf(run)).toMatch(/outside the workspace, so reading it always needs your approval/);
        expect(messagesOf(run)).not.toMatch(/KEY/);
      },
    ],
  ),
  ...(['.env', '.git/config'] as const).map(
    (file): Row => [
      'ayna 4',
      `${file} is read only after an approval, and not written even in full access`,
      async () => {
        const permissions = { write_file: 'automatic', read_file: 'automatic' };
        const read = await prompt({
          answers: [call('read_file', { path: file }), DONE],
          files: { [`/work/${file}`]: 'KEY' },
          config: { safety: { permission_mode: 'accept-edits', permissions } },
        });
        expect(read.outcome).toBe(3);
        expect(messagesOf(read)).not.toContain('KEY');
        const written = await prompt({
          answers: [call('write_file', { path: file, content: 'x' }), DONE],
          config: { safety: { permission_mode: 'full-access', permissions } },
        });
        expect(messagesOf(written)).toContain('is blocked (file with secrets)');
      },
    ],
  ),

  // The question
  [
    'ayna 5',
    'a question names the tool and shows the change',
    async () => shown(chat(['go', 'n'], { answers: WRITE }), '+++ b/a.txt', '+a', 'write_file: create a.txt (+1)'),
  ],
  [
    'ayna 5',
    'a question about a command shows the command and its directory',
    async () =>
      shown(
        chat(['go', 'n'], { answers: [call('run_shell', { command: 'npm test' }), DONE] }),
        '$ npm test',
        'in /work',
      ),
  ],
  [
    'ayna 5',
    'a denial is an error for the model',
    async () =>
      expect(messagesOf(await chat(['go', 'n'], { answers: WRITE }))).toMatch(/The user did not allow|denied/i),
  ],
  [
    'ayna 5',
    'one answer can allow all writes in a directory',
    async () => {
      await shown(chat(['go', 'n'], { answers: WRITE }), /yes, and for the rest of this session: write_file/);
      const config = { safety: { persist_approvals: true } };
      await shown(
        chat(['go', 'n'], { answers: WRITE, config }),
        /for the rest of this session and later ones: write_file/,
      );
    },
  ],

  // Tools
  ...(['read_file', 'list_files', 'search_files'] as const).map(
    (name): Row => [
      'ayna 6',
      `${name} needs no approval`,
      async () => shown(chat(['/permissions']), new RegExp(`^${name} +automatic `, 'm')),
    ],
  ),
  ...(['write_file', 'edit_file', 'run_shell'] as const).map(
    (name): Row => [
      'ayna 6',
      `${name} needs an approval`,
      async () => shown(chat(['/permissions']), new RegExp(`^${name} +ask_once `, 'm')),
    ],
  ),
  [
    'ayna 6',
    'edit_file needs a text that occurs exactly once',
    async () => expect(await edit('a a', 'a', 'b')).toEqual([expect.stringMatching(/^edit_ambiguous: /), 'a a']),
  ],
  [
    'ayna 6',
    'edit_file matches byte for byte, white space included',
    async () => expect((await edit('a  b', 'a b', 'c'))[0]).toMatch(/^edit_not_found: /),
  ],
  [
    'ayna 6',
    'edit_file refuses an empty text to find',
    async () => expect((await edit('a', '', 'b'))[0]).toMatch(/^invalid_arguments: old_text is empty/),
  ],
  [
    'ayna 6',
    'edit_file deletes the text that an empty one replaces',
    async () => expect((await edit('a b', ' b', ''))[1]).toBe('a'),
  ],
  [
    'ayna 6',
    'edit_file changes nothing if both texts are equal',
    async () => expect(await edit('a', 'a', 'a')).toEqual([expect.stringContaining('was not changed'), 'a']),
  ],
  [
    'ayna 6',
    'edit_file refuses a binary file',
    async () => expect((await edit(new Uint8Array([0, 1, 2]), 'a', 'b'))[0]).toMatch(/^binary_file: /),
  ],

  // Errors that a model can act on
  [
    'ayna 7',
    'a missing file is named, with similar ones',
    async () => {
      const { ports } = fileWorkspace({ 'cart.js': '' });
      expect(await callTool(createReadFile(ports), { path: 'cart.ts' })).toMatch(
        /^not_found: .*Did you mean cart\.js\?/,
      );
    },
  ],
  [
    'ayna 7',
    'a failed command has its exit code and its output',
    async () =>
      expect(
        messagesOf(
          await prompt({
            answers: [call('run_shell', { command: 'x' }), DONE],
            commands: [{ command: 'x', steps: [{ stderr: 'boom\n' }], end: 3 }],
            config: { safety: { permission_mode: 'full-access' } },
          }),
        ),
      ).toMatch(/exit_code: 3.*boom/),
  ],
  [
    'ayna 7',
    'a command that takes too long says so',
    async () =>
      expect(
        messagesOf(
          await prompt({
            answers: [call('run_shell', { command: 'x', timeout: 2 }), DONE],
            commands: [{ command: 'x', end: 'never' }],
            timePasses: true,
            config: { safety: { permission_mode: 'full-access' } },
          }),
        ),
      ).toContain('timed out after 2 s'),
  ],
  [
    'ayna 7',
    'a blocked command is refused with the rule',
    async () =>
      expect(
        messagesOf(
          await prompt({
            answers: [call('run_shell', { command: 'sudo ls' }), DONE],
            config: { safety: { permission_mode: 'full-access' } },
          }),
        ),
      ).toContain('sudo'),
  ],

  // The loop
  [
    'ayna 9',
    'a run has at most 25 requests, or as many as are configured',
    async () => {
      const answers = Array.from({ length: 9 }, (_, index) => call('list_files', { pattern: `${index}` }));
      expect(await prompt({ answers, config: { agent: { max_iterations: 3 } } })).toMatchObject({
        outcome: 4,
        requests: { length: 3 },
      });
      expect(await valueIn('agent.max_iterations', {})).toBe('agent.max_iterations 25 (default)');
    },
  ],

  // Tasks
  [
    'ayna 10',
    'the model keeps a list of tasks that the user sees with its progress',
    async () => {
      const tasks = [
        { content: 'Read', status: 'completed' },
        { content: 'Fix', status: 'in_progress' },
        { content: 'Test', status: 'pending' },
      ];
      await shown(
        chat(['go', '/tasks'], { answers: [call('update_tasks', { tasks }), DONE] }),
        /\[x\] Read\n.*\[>\] Fix\n.*\[ \] Test\n.*1\/3/,
      );
    },
  ],
  [
    'ayna 10',
    'the list is stored with the session',
    async () => {
      const run = await prompt({
        answers: [call('update_tasks', { tasks: [{ content: 'Fix', status: 'pending' }] }), DONE],
        config: { session: { storage_path: '/s' } },
      });
      const [log = ''] = run.listFiles('/s').filter((name) => name.endsWith('.jsonl'));
      expect(run.readFile(`/s/${log}`)).toMatch(/"type":"tasks".*"createdAt":"\d{4}-/);
    },
  ],

  // The project
  ...(['AGENTS.md', 'CLAUDE.md', '.cursorrules'] as const).map(
    (file): Row => [
      'ayna 11',
      `${file} is given to the model`,
      async () => expect(systemOf(await prompt({ files: { [`/work/${file}`]: 'Use tabs.' } }))).toContain('Use tabs.'),
    ],
  ),
  [
    'ayna 11',
    'the kind of the project is given to the model',
    async () => expect(systemOf(await prompt({ files: { '/work/go.mod': '' } }))).toContain('go test'),
  ],
  [
    'ayna 12',
    'the branch is given to the model',
    async () =>
      expect(
        systemOf(
          await prompt({
            options: { trusted: true },
            files: { '/work/.git/config': '' },
            runGit: async () => ({ type: 'ended', exitCode: 0, stdout: '# branch.head main\0', stderr: '' }),
          }),
        ),
      ).toContain('main'),
  ],

  // The settings
  [
    'ayna 13',
    'tools.enabled turns all tools off',
    async () => expect(toolsOf(await prompt({ config: { tools: { enabled: false } } }))).toBe('[]'),
  ],
  [
    'ayna 13',
    'blocked_commands adds commands that never run',
    async () =>
      expect(
        messagesOf(
          await prompt({
            answers: [call('run_shell', { command: 'git push' }), DONE],
            config: { safety: { permission_mode: 'full-access', blocked_commands: ['git push'] } },
          }),
        ),
      ).toContain('git push'),
  ],
  [
    'ayna 13',
    'context.exclude_patterns hides files from the tree',
    async () => {
      const files = { '/work/dist/cart.js': '', '/work/src/a.js': '' };
      expect(systemOf(await prompt({ files, config: { context: { exclude_patterns: ['dist'] } } }))).not.toContain(
        'cart.js',
      );
    },
  ],
  ...(
    [
      ['context', 'project_type', 'go test'],
      ['context', 'instructions', 'Use tabs.'],
      ['context', 'file_tree', 'cart.go'],
      ['git', 'context', 'my-branch'],
    ] as const
  ).map(
    ([section, name, text]): Row => [
      'ayna 13',
      `${section}.${name} turns a part of the context off`,
      async () => {
        const script: RunScript = {
          options: { trusted: true },
          files: { '/work/go.mod': '', '/work/AGENTS.md': 'Use tabs.', '/work/cart.go': '', '/work/.git/config': '' },
          runGit: async () => ({ type: 'ended', exitCode: 0, stdout: '# branch.head my-branch\0', stderr: '' }),
        };
        expect(systemOf(await prompt(script))).toContain(text);
        expect(systemOf(await prompt({ ...script, config: { [section]: { [name]: false } } }))).not.toContain(text);
      },
    ],
  ),
  [
    'ayna 13',
    'the time of a tool can be set',
    async () =>
      expect(
        (
          await prompt({
            answers: [call('run_shell', { command: 'x' }), DONE],
            commands: [{ command: 'x' }],
            config: {
              safety: { permission_mode: 'full-access' },
              tools: { builtin: { run_shell: { timeout_seconds: 9 } } },
            },
          })
        ).commandTimes,
      ).toEqual([9_000]),
  ],
];

it.each(ROWS)('%s: %s', async (_section, _sentence, check) => {
  expect.hasAssertions();
  await check();
});

it('the table has rows of every section that a user can touch', () => {
  const sections = [...new Set(ROWS.map(([section]) => section))];
  expect(sections).toEqual([
    ...['ybs 2.1', 'ybs 2.2', 'ybs 2.3', 'ybs 4.1', 'ybs 4.2', 'ybs 4.3', 'ybs 4.4', 'ybs 5.1', 'ybs 5.2', 'ybs 5.3'],
    ...['ybs 6.3', 'ybs 6.4', 'ybs 11.2', 'ybs 11.3', 'ybs 11.4', 'ybs 11.5', 'ayna 2', 'ayna 3', 'ayna 4', 'ayna 5'],
    ...['ayna 6', 'ayna 7', 'ayna 9', 'ayna 10', 'ayna 11', 'ayna 12', 'ayna 13'],
  ]);
});

/** Parts left out on purpose, by the section that names them, with the beginning of their row in docs/not-included.md. */
const LEFT_OUT: readonly (readonly [section: string, feature: string])[] = [
  ['ybs 2.2', 'The provider `apple`'],
  ['ybs 6.4', 'The prefixes `$` and backquotes'],
  ['ybs 11.1', 'MCP servers'],
  ['ybs 11.3', 'A repository map from tree-sitter'],
  ['ybs 11.5', 'Other tools for other kinds of projects'],
  ['ayna 3', 'A vector index'],
  ['ayna, alternatives', 'Sub-agents'],
];

it.each(LEFT_OUT)('%s: %s is left out on purpose, and the page says why', (_section, feature) => {
  const rows = read('docs/not-included.md').split('\n');
  const row = rows.find((line) => line.startsWith(`| ${feature}`));
  const [, , reason = ''] = row?.split('|') ?? [];
  expect(reason.trim()).toMatch(/^[A-Z`].{30,}\.$/);
});
