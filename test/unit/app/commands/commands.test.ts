import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/agent/errors.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import type { ToolDefinition } from '../../../../src/agent/ports/tool.ts';
import { EMPTY_SESSION } from '../../../../src/agent/session-state.ts';
import type { ChatCommand } from '../../../../src/app/commands/chat-command.ts';
import {
  type ChatInput,
  COMMANDS,
  chatHelp,
  readChatInput,
  unknownCommand,
} from '../../../../src/app/commands/commands.ts';
import { describeRestored } from '../../../../src/app/commands/session/session-commands.ts';
import { toolList } from '../../../../src/app/commands/tool-commands.ts';
import type { Agent } from '../../../../src/app/session.ts';
import type { LogReading } from '../../../../src/session/log/read-log.ts';
import type { ResumedSession } from '../../../../src/session/log/restored-notes.ts';
import { createTestStore } from '../../../support/agent/session-store.ts';
import { COMMAND_CONTEXT as CONTEXT, commandText } from '../../../support/commands/command-text.ts';
import { SLASH_COMMANDS } from '../../../support/commands/other-agents.ts';
import { createFakeAgent, EMPTY_READING, NO_EXTENSIONS } from '../../../support/fakes/fake-agent.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const USER = (content: string): Message => ({ role: 'user', content });
const ANSWER = (content: string): Message => ({ role: 'assistant', content, toolCalls: [] });

/** A session in the directory `/work`, which is continued if its log was read. */
const resumed = (restored: LogReading | undefined): ResumedSession => ({
  record: { name: 's', restored },
  workspace: '/work',
  permissionMode: 'ask',
  chosen: undefined,
});

function commandNamed(name: string): ChatCommand {
  const found = COMMANDS.find((row) => row.name === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found;
}

const refused = (message: string): ChatInput => ({ type: 'refused', message });
const command = (name: string, argument = ''): ChatInput => ({
  type: 'command',
  command: commandNamed(name),
  argument,
});
const prompt = (text: string): ChatInput => ({ type: 'prompt', text });

const other = (name: string, argument = '') => ({ type: 'other_command', name, argument }) as const;

const MESSAGES: readonly (readonly [string, ChatInput])[] = [
  ['', { type: 'empty' }],
  ['  \t', { type: 'empty' }],
  ['fix the test', prompt('fix the test')],
  ['  indented\n  text', prompt('  indented\n  text')],
  ['/help', command('help')],
  [' /quit ', command('quit')],
  ['/exit', command('exit')],
  ['/tools', command('tools')],
  ['/HELP', command('help')],
  ['/Quit', command('quit')],
  ['/Clear all', refused('/clear takes no arguments.')],
  ['/clear', command('clear')],
  ['/clear all', refused('/clear takes no arguments.')],
  ['/load 3', command('load', '3')],
  ['/load  my session ', command('load', 'my session')],
  ['/load', command('load')],
  ['/resume', command('resume')],
  ['/save', command('save')],
  ['/save fix-1', command('save', 'fix-1')],
  ['/hepl', other('hepl')],
  ['/dev:Plan  a b ', other('dev:Plan', 'a b')],
  ['/', other('')],
  ['/etc/hosts is wrong', prompt('/etc/hosts is wrong')],
  ['!ls -l', { type: 'shell', command: 'ls -l', forModel: true }],
  ['! ls', { type: 'shell', command: 'ls', forModel: true }],
  ['!!ls', { type: 'shell', command: 'ls', forModel: false }],
  [' !! ls', { type: 'shell', command: 'ls', forModel: false }],
  ['! !ls', { type: 'shell', command: '!ls', forModel: true }],
  ['!!', refused('Type a command after the !, for example !git status')],
  ['!', refused('Type a command after the !, for example !git status')],
  ['@!ls -la', { type: 'shell', command: 'ls -la', forModel: true }],
  ['@! ls', { type: 'shell', command: 'ls', forModel: true }],
  ['@!!ls', { type: 'shell', command: 'ls', forModel: false }],
  ['@!', refused('Type a command after the !, for example !git status')],
  ['look at @!ls', prompt('look at @!ls')],
  ['wow!', prompt('wow!')],
  [' exit ', command('quit', '')],
  [':q', command('quit', '')],
  ['?', command('help', '')],
  ['exit code?', prompt('exit code?')],
];

describe('a message in the chat', () => {
  it.each(MESSAGES)('%j is parsed', (message, input) => {
    expect(readChatInput(message)).toEqual(input);
  });
});

it('the help lists the commands in Markdown files, except those hidden by a built-in one', async () => {
  const command = { description: 'Plan it', argument: '<topic>', body: 'x', path: 'x' };
  const extensions = {
    ...NO_EXTENSIONS,
    commands: ['dev:plan', 'help', 'Quit', 'x'].map((name) => ({ ...command, name })),
    problems: ['a.md: it is not text in UTF-8'],
  };
  const agent = { ...createFakeAgent([]), extensions: async () => extensions };
  const text = (await commandText(commandNamed('help'), agent)) ?? '';
  expect(text).toMatch(/^\/dev:plan <topic> +Plan it$/m);
  expect(text.match(/Plan it/g)).toHaveLength(2);
  expect(text).toMatch(/\n! a\.md: it is not text in UTF-8$/);
});

it('the help lists commands and keys', () => {
  expect(chatHelp()).toMatchInlineSnapshot(`
    "/help                        Show this help
    /tools                       List the tools the model can use, and external tools that it cannot
    /skills                      List the skills that the model can read, and what is wrong with others
    /mcp                         Show the servers of the Model Context Protocol, their tools and errors
    /reload-tools                Find new, changed and removed external tools
    /mode [name]                 Show or change the permission mode of this session, such as plan
    /permissions [tool level]    Show the level of each tool and your approvals, set a level, or revoke approvals
    /approvals [clear [number]]  List what you have allowed at questions, or clear all of it or one entry
    /tasks                       Show the list of tasks that the model keeps
    /clear                       Begin a new session, without the conversation and the permissions given in it
    /compact                     Replace the older part of the conversation by a summary
    /effort [level]              Set how long the model thinks (none, low, medium, high), or show it
    /config [key]                Show the configuration, or one key or section of it, with the origin of each value
    /model [name]                Use another model of the same provider, or choose it from a list
    /provider [name] [model]     List the providers, or use another one and one of its models; also /provider current
    /context                     Show what fills the context window
    /agent [name]                Use the instructions of an agent, list the agents, or leave one with /agent none
    /cost                        Show the tokens that this session has used, and their price if it is known
    /copy [number] [code]        Copy the last answer, an earlier one, or its last code to the clipboard, also over SSH
    /diff                        Show how the files that this session has written differ from what they were before
    /undo [number]               Put the files back that the last run wrote, or all from a checkpoint on
    /checkpoints [number]        List the calls that wrote files, or show the files as they were before one of them
    /rewind [number [files]]     List your messages, or go back to before one of them; with files, also put back the files changed since
    /session                     Show the name of this session, its number of prompts and its file
    /sessions                    List the stored sessions, the one used last first
    /load [name|number]          Continue a stored session: its name, the start of it, its number in /sessions, or from a list
    /resume [name|number]        The same as /load
    /save [name]                 Copy this session under a name; copies are never removed
    /export [file]               Write this session as Markdown to a new file, without secrets
    /quit                        Leave
    /exit                        Leave
    @file:path                   In a message: give the file to the model with it, also @path and @file:"a path with spaces"
    @agent:name                  In a message: work by the instructions of an agent from now on
    !command                     Run a command here and give its output to the model; also @!command
    !!command                    Run a command here and keep it from the model
    Enter                        Send the message; during a run with its next request
    Ctrl-Q                       Send the message after the run
    Alt-Enter                    Begin a new line; so does a backslash before Enter
    Shift-Tab                    Go to the next permission mode: ask, accept-edits, plan
    Ctrl-R                       Search in earlier messages
    Ctrl-G                       Write the message in $EDITOR
    Ctrl-O                       Show all lines of a long paste, or of the last output or diff that was shortened
    Esc                          Stop the run
    Ctrl-C                       Stop the run; at the prompt, clear the line; twice at an empty prompt, leave
    Ctrl-D                       Leave"
  `);
});

it('the list of tools is sorted by name and shows the first sentence of each description', () => {
  const tool = { parameters: {}, effect: 'read' } as const;
  const tools = [
    { ...tool, name: 'run', description: 'no full stop\n`and` more.' },
    { ...tool, name: 'read_file', description: 'Reads a file, e.g. a.txt. Then more.' },
  ];
  expect(toolList(tools)).toBe('read_file  Reads a file, e.g. a.txt.\nrun        no full stop');
  expect(toolList([])).toBe('');
});

it('the list of tools shows a name, a path and a reason on one line', () => {
  const unavailable = { type: 'unavailable', name: 'x\n! y', path: '/w/x\n! y', reason: 'a\nb' } as const;
  expect(toolList([], [{ ...unavailable, isProblem: true }])).toBe(
    '\nNot available:\nx\\u{a}! y  /w/x\\u{a}! y: a\\u{a}b',
  );
});

describe('the external tools', () => {
  const own = { name: 'read_file', description: 'Read a file.', parameters: {}, effect: 'read' } as const;
  const search = { name: 'search', description: 'Search. Then more.', parameters: {}, effect: 'execute' } as const;
  const found = { type: 'available', name: 'search', path: '~/bin/search', description: 'Search.' } as const;
  const broken = {
    type: 'unavailable',
    name: 'x',
    path: '~/bin/x',
    reason: 'it is not executable',
    isProblem: true,
  } as const;
  const listed = {
    ...broken,
    name: 'deploy',
    path: '/w/tools/deploy',
    reason: 'it is inside the project',
    isProblem: false,
  };

  it('are listed with their paths, and unavailable ones with the reasons', () => {
    expect(toolList([search, own], [found, broken, listed])).toBe(
      [
        'read_file  Read a file.',
        'search     Search. [~/bin/search]',
        '',
        'Not available:',
        'x          ~/bin/x: it is not executable',
        'deploy     /w/tools/deploy: it is inside the project',
      ].join('\n'),
    );
  });

  it('are counted in a project with hundreds of scripts', () => {
    const text = toolList(
      [own],
      Array.from({ length: 300 }, () => listed),
    );
    expect(text.split('\n')).toHaveLength(24);
    expect(text).toMatch(/\n… and 280 more$/);
  });

  /** The text of /reload-tools for an agent whose tools change in this way. */
  function reload(before: readonly ToolDefinition[], after: Partial<Agent>): Promise<string | undefined> {
    let current: Partial<Agent> = { tools: before, externalTools: [] };
    const agent: Agent = {
      ...createFakeAgent([]),
      get tools() {
        return current.tools ?? [];
      },
      get externalTools() {
        return current.externalTools ?? [];
      },
      async reloadTools() {
        current = after;
        await after.reloadTools?.();
      },
    };
    return commandText(commandNamed('reload-tools'), agent);
  }

  it('are reported after a reload as new, changed, removed or broken', async () => {
    const older = { ...search, description: 'Search. Differently.' };
    const removed = { ...search, name: 'old' };
    const same = { ...search, name: 'same' };
    const fresh = { ...search, name: 'fresh' };
    const tools = [own, search, same, fresh];
    const externalTools = [found, { ...found, name: 'same' }, { ...found, name: 'fresh' }, broken, listed];
    expect(await reload([own, older, removed, same], { tools, externalTools })).toBe(
      [
        'Tool reload complete!',
        '   Built-in tools: 1',
        '   External tools: 3',
        '   Total: 4 tools available',
        '',
        'External tools loaded:',
        '  • search: Search. (changed)',
        '  • same: Search.',
        '  • fresh: Search. (new)',
        '',
        'Removed: old',
        'The tool x (~/bin/x) is not available: it is not executable.',
      ].join('\n'),
    );
  });

  it('are counted as 0 if there are none', async () => {
    expect(await reload([own], { tools: [own], externalTools: [] })).toBe(
      'Tool reload complete!\n   Built-in tools: 1\n   External tools: 0\n   Total: 1 tool available',
    );
  });

  it('remain unchanged when the configuration cannot be used', async () => {
    const reloadTools = () => Promise.reject(new UsageError('config.json: invalid JSON.'));
    expect(await reload([own], { reloadTools })).toBe('The tools stay as they are. config.json: invalid JSON.');
    const bug = reload([own], { reloadTools: () => Promise.reject(new Error('bug')) });
    await expect(bug).rejects.toThrow('bug');
  });
});

describe('a command', () => {
  it.each([
    ['help', { type: 'text', text: chatHelp() }],
    ['tools', { type: 'text', text: 'read_file  Reads a file.\n1 tool' }],
    ['clear', { type: 'text', text: 'Cleared the conversation, the list of files read and the permissions given.' }],
    ['quit', { type: 'leave' }],
    ['exit', { type: 'leave' }],
  ])('/%s returns its result', async (name, result) => {
    const agent = createFakeAgent([]);
    expect(await commandNamed(name).run(async () => agent, '', CONTEXT)).toEqual(result);
    expect(agent.inputs).toEqual(name === 'clear' ? ['/clear'] : []);
  });

  it.each([
    ['', undefined, 'The effort is the default of the model.', []],
    ['', 'low', 'The effort is low.', []],
    ['High', undefined, 'The effort is high from the next request on.', ['/effort high']],
    ['max', undefined, '/effort cannot be "max". Choose one of none, low, medium, high.', []],
    ['none', 'refuses', 'Set it elsewhere.', []],
  ] as const)('/effort %s with the effort %s returns its result', async (argument, effort, text, inputs) => {
    const fake = createFakeAgent([]);
    const setEffort = () => Promise.reject(new UsageError('Set it elsewhere.'));
    const agent = effort === 'refuses' ? { ...fake, setEffort } : { ...fake, effort };
    const isRefused = ['max', 'none'].includes(argument);
    expect(await commandNamed('effort').run(async () => agent, argument, CONTEXT)).toEqual({
      ...{ type: 'text', text },
      ...(isRefused && { isRefused }),
    });
    expect(agent.inputs).toEqual(inputs);
  });

  it.each([
    [[], 'The model keeps no list of tasks.'],
    [[{ content: 'Fix', status: 'pending' }], '[ ] Fix\n0/1'],
  ] as const)('/tasks shows %j', async (tasks, text) => {
    const agent = { ...createFakeAgent([]), tasks };
    expect(await commandNamed('tasks').run(async () => agent, '', CONTEXT)).toEqual({ type: 'text', text });
  });

  it('/effort rethrows an unexpected error', async () => {
    const agent = { ...createFakeAgent([]), setEffort: () => Promise.reject(new Error('broken')) };
    await expect(commandNamed('effort').run(async () => agent, 'low', CONTEXT)).rejects.toThrow('broken');
  });

  it('does not wait for the agent unless it needs it', async () => {
    const never = () => new Promise<never>(() => {});
    expect(await commandNamed('quit').run(never, '', CONTEXT)).toEqual({ type: 'leave' });
  });
});

describe('a command of sessions', () => {
  /** An agent whose open session is one of two in the store. */
  async function twoSessions() {
    const { fileSystem } = createMemoryFileSystem({ '/work/a': '' });
    const sessions = createTestStore(fileSystem);
    const record = await sessions.create('one');
    await record.append({ type: 'user_message', text: 'first prompt' }, '');
    const other = await sessions.create('two');
    await other.append({ type: 'user_message', text: 'a file', reminder: true, file: 'a.txt' }, '');
    await other.append({ type: 'user_message', text: 'second prompt' }, '');
    const message = { role: 'assistant', content: 'Yes.', toolCalls: [] } as const;
    await other.append({ type: 'assistant_message', message, finish: 'stop' }, '');
    await other.close();
    const fake = createFakeAgent([]);
    const agent = { ...fake, sessions, record };
    const run = async (message: string) => {
      const input = readChatInput(message);
      if (input.type !== 'command') throw new Error(`not a command: ${message}`);
      return input.command.run(async () => agent, input.argument, CONTEXT);
    };
    const type = async (message: string) => {
      const result = await run(message);
      return result.type === 'text' ? result.text : result.type;
    };
    return { type, run, inputs: fake.inputs };
  }

  it('shows, lists, saves and exports sessions', async () => {
    const { type } = await twoSessions();
    expect(await type('/session')).toMatch(/^one \(0+-[-0-9]+\)\n1 prompt\n\/sessions\/one\.jsonl$/);
    expect(await type('/sessions')).toMatch(
      /- 1 prompt: first prompt\n.*- 1 prompt: second prompt|- 1 prompt: second prompt\n.*- 1 prompt: first prompt/s,
    );
    expect(await type('/save kept')).toBe('Saved a copy of this session: /sessions/kept.jsonl');
    expect(await type('/export one.md')).toBe('Exported this session to /work/one.md');
    expect(await type('/export one.md')).toBe('/work/one.md exists already. Choose another name.');
  });

  it.each([
    ['/load one', 'one is the session that is open.'],
    ['/load three', 'There is no session "three". ybs --resume, or /sessions in the chat, lists them.'],
    ['/load 9', 'There is no session 9 in the list. See /sessions.'],
    ['/save ../x', expect.stringMatching(/^A session cannot be named "\.\.\/x"\./)],
    ['/save two', 'There is a session two already. Choose another name.'],
  ])('refuses %s', async (message, text) => {
    const { type, inputs } = await twoSessions();
    expect(await type(message)).toEqual(text);
    expect(inputs).toEqual([]);
  });

  it('offers the other sessions to choose from', async () => {
    const { run } = await twoSessions();
    const answers = [{ value: 'two', label: expect.stringMatching(/^second prompt {2}\(.*, 1 prompt\) two$/) }];
    const text = 'There is 1 other stored session; /load NAME continues one.';
    for (const message of ['/load', '/resume']) {
      expect(await run(message)).toEqual({ type: 'text', text, choices: { prompt: 'session> ', answers } });
    }
  });

  it('loads a session', async () => {
    const { type, inputs } = await twoSessions();
    await type('/load tw');
    expect(inputs).toEqual(['/load two']);
  });

  it('reports restored messages, skipped lines, a torn end and interrupted calls', () => {
    const start = {
      type: 'session_start',
      sessionId: 'i',
      time: 't',
      model: 'm',
      workspace: '/old',
      permissionMode: 'ask',
    } as const;
    const damage = Array.from({ length: 7 }, (_, index) => ({ line: index + 2, reason: 'not JSON' }));
    const result = { type: 'warning', code: 'x', message: 'y' } as const;
    const restored = {
      ...EMPTY_READING,
      ...{
        state: { ...EMPTY_SESSION, agent: 'reviewer' },
        start,
        interrupted: [result],
        running: ['run make\n! x', 'y'.repeat(201)],
        damage,
      },
      ...{
        permissionMode: 'accept-edits' as const,
        messageCount: 9,
        promptCount: 3,
        ending: { size: 1, rest: new Uint8Array(3) },
      },
    };
    expect(describeRestored(resumed(restored))).toMatchInlineSnapshot(`
      "Loaded s: restored 3 prompts.
      Skipped damaged lines: line 2 (not JSON), line 3 (not JSON), line 4 (not JSON), line 5 (not JSON), line 6 (not JSON) and 2 more.
      Cut an incomplete last line; it is kept in s.jsonl.torn.
      Interrupted in the last run, effects possible: run make\\u{a}! x, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy….
      This session began in /old; the tools now work in /work.
      The permission mode is ask now; it was accept-edits.
      The agent reviewer no longer exists, so the session continues without it."
    `);
    const stopped = {
      ...restored,
      damage: [],
      ending: EMPTY_READING.ending,
      interrupted: [],
      running: [],
      stopped: 'x\ny',
    };
    expect(describeRestored(resumed(stopped))).toMatch(
      /^Loaded s: restored 3 prompts\.\nThe last run was interrupted x\\u\{a\}y\.\nThis session began/,
    );
    const forged = { ...restored, state: { ...restored.state, agent: 'a\n! b' } };
    expect(describeRestored(resumed(forged))).toContain('The agent a\\u{a}! b no longer exists');
    const same = { permissionMode: 'accept-edits', chosen: { name: 'reviewer' } } as const;
    expect(describeRestored({ ...resumed(restored), ...same })).not.toMatch(/reviewer|permission mode/);
    expect(describeRestored(resumed(undefined))).toBe('New session s');
  });

  it.each<[string, readonly Message[], string]>([
    ['a short one', [USER('one'), ANSWER('1'), USER('two'), ANSWER('2')], '    > two\n    2'],
    [
      'a long one',
      [USER('a\n\nb\nc'), ANSWER('1\n2\n\n3\n4\n5\n▌ 6'), ANSWER(' ')],
      '    > a\n      b\n      …\n    …\n    2\n    3\n    4\n    5\n    ▌ 6',
    ],
    ['long lines', [USER('x'.repeat(300))], `    > ${'x'.repeat(200)}…`],
    [
      'one without an answer',
      [
        USER('one'),
        ANSWER('1'),
        USER('[Shell command output]\nCommand: ls\na'),
        { role: 'user', content: 'note', reminder: true },
      ],
      '    > !ls',
    ],
  ])('shows the end of the conversation: %s', (_name, messages, expected) => {
    const restored = { ...EMPTY_READING, promptCount: 2, state: { ...EMPTY_SESSION, messages } };
    expect(describeRestored(resumed(restored))).toBe(`Loaded s: restored 2 prompts.\n${expected}`);
  });
});

describe('an unknown command', () => {
  it.each([
    ['toosl', 'Did you mean /tools?'],
    ['new', 'Did you mean /clear?'],
    ['plan', 'Did you mean /mode plan?'],
    ['continue', 'Did you mean /resume?'],
    ['TODOS', 'Did you mean /tasks?'],
    ['Q', 'Did you mean /quit?'],
    ['frobnicate', 'See /help.'],
  ])('/%s: %s', (word, hint) => {
    expect(unknownCommand(word, [])).toBe(`Unknown command /${word}. ${hint}`);
  });

  it.each(
    SLASH_COMMANDS.trim()
      .split(/\s+/)
      .flatMap((word) => (word === 'init' || word === 'review' ? [] : [word])),
  )('of another agent, /%s, exists, or is answered with a command that exists or with advice', (word) => {
    if (readChatInput(`/${word}`).type !== 'other_command') return;
    const answer = unknownCommand(word, []);
    const [, meant] = /^Unknown command \/\S+\. Did you mean (\/.*)\?$/.exec(answer) ?? [];
    if (meant === undefined) expect(answer).toMatch(new RegExp(`^There is no /${word}\\. [A-Z].+$`));
    const named = [meant, ...(answer.match(/(?<=[,.:] )\/[a-z]+/g) ?? [])].filter((name) => name !== undefined);
    for (const name of named) {
      if (name !== '/review') expect(readChatInput(name)).toMatchObject({ type: 'command' });
    }
  });
});
