import { describe, expect, it } from 'vitest';
import type { ChatCommand } from '../../../src/app/chat-command.ts';
import { type ChatInput, COMMANDS, chatHelp, readChatInput, toolList } from '../../../src/app/commands.ts';
import { createFakeAgent } from '../../support/fake-agent.ts';

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
  ['/load', refused('/load needs an argument: /load <name|number>')],
  ['/save', command('save')],
  ['/save fix-1', command('save', 'fix-1')],
  ['/hepl', refused('Unknown command /hepl. Did you mean /help?')],
  ['/xxxxxxxxx', refused('Unknown command /xxxxxxxxx. See /help.')],
  ['/', refused('Unknown command /. See /help.')],
  ['/etc/hosts is wrong', prompt('/etc/hosts is wrong')],
  ['!ls -l', { type: 'shell', command: 'ls -l' }],
  ['! ls', { type: 'shell', command: 'ls' }],
  ['!', refused('Type a command after the !, for example !git status')],
  ['wow!', prompt('wow!')],
];

describe('a message in the chat', () => {
  it.each(MESSAGES)('is parsed: %j', (message, input) => {
    expect(readChatInput(message)).toEqual(input);
  });
});

it('the help lists commands and keys', () => {
  expect(chatHelp()).toMatchInlineSnapshot(`
    "/help                Show this help
    /tools               List the tools the model can use
    /clear               Begin a new session, without the conversation and the permissions given in it
    /compact             Replace the older part of the conversation by a summary
    /session             Show the name of this session, its number of messages and its file
    /sessions            List the stored sessions, the one used last first
    /load <name|number>  Go on with a stored session: its name, the start of it, or its number in /sessions
    /save [name]         Copy this session under a name; copies are never removed
    /export [file]       Write this session as Markdown to a new file, without secrets
    /quit                Leave
    /exit                Leave
    !command             Run a command here and give its output to the model
    Ctrl-C               Stop the run; at the prompt, clear the line; twice at an empty prompt, leave
    Ctrl-D               Leave"
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

describe('a command', () => {
  it.each([
    ['help', { type: 'text', text: chatHelp() }],
    ['tools', { type: 'text', text: 'read_file  Reads a file.' }],
    ['clear', { type: 'text', text: 'Cleared the conversation, the list of files read and the permissions given.' }],
    ['quit', { type: 'leave' }],
    ['exit', { type: 'leave' }],
  ])('/%s returns its result', async (name, result) => {
    const agent = createFakeAgent([]);
    expect(await commandNamed(name).run(async () => agent, '')).toEqual(result);
    expect(agent.inputs).toEqual(name === 'clear' ? ['/clear'] : []);
  });

  it('does not wait for the agent unless it needs it', async () => {
    const never = () => new Promise<never>(() => {});
    expect(await commandNamed('help').run(never, '')).toEqual({ type: 'text', text: chatHelp() });
    expect(await commandNamed('quit').run(never, '')).toEqual({ type: 'leave' });
  });
});
