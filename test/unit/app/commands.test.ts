import { describe, expect, it } from 'vitest';
import { type ChatInput, chatHelp, readChatInput, toolList } from '../../../src/app/commands.ts';

const refused = (message: string): ChatInput => ({ type: 'refused', message });
const prompt = (text: string): ChatInput => ({ type: 'prompt', text });

const MESSAGES: readonly (readonly [string, ChatInput])[] = [
  ['', { type: 'empty' }],
  ['  \t', { type: 'empty' }],
  ['fix the test', prompt('fix the test')],
  ['  indented\n  text', prompt('  indented\n  text')],
  ['/help', { type: 'command', name: 'help' }],
  [' /quit ', { type: 'command', name: 'quit' }],
  ['/exit', { type: 'command', name: 'exit' }],
  ['/tools', { type: 'command', name: 'tools' }],
  ['/clear', { type: 'command', name: 'clear' }],
  ['/clear all', refused('/clear takes nothing after it.')],
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
  it.each(MESSAGES)('%j', (message, input) => {
    expect(readChatInput(message)).toEqual(input);
  });
});

it('lists commands and keys', () => {
  expect(chatHelp()).toMatchInlineSnapshot(`
    "/help     Show this help
    /tools    List the tools the model can use
    /clear    Forget the conversation and what was allowed in it
    /quit     Leave
    /exit     Leave
    !command  Run a command here and give its output to the model
    Ctrl-C    Stop the run; at the prompt clear the line, twice at an empty one to leave
    Ctrl-D    Leave"
  `);
});

it('lists tools with the first sentence of what the model is told', () => {
  const tool = { parameters: {}, effect: 'read' } as const;
  const tools = [
    { ...tool, name: 'read_file', description: 'Reads a file, e.g. a.txt. Then more.' },
    { ...tool, name: 'run', description: 'no full stop\n`and` more.' },
  ];
  expect(toolList(tools)).toBe('read_file  Reads a file, e.g. a.txt.\nrun        no full stop');
  expect(toolList([])).toBe('');
});
