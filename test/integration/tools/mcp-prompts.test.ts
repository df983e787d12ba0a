import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPromptArguments, withPrompts } from '../../../src/app/mcp/prompt-commands.ts';
import { computeDigest } from '../../../src/node/system.ts';
import type { McpServer } from '../../../src/tools/mcp/server.ts';
import { openServer, serverOf, signal } from '../../support/mcp/open-server.ts';

const script = path.join(import.meta.dirname, '../../support/mcp/full-server.mjs');
const open = (revision: string, home?: string) => {
  const args = [script, ...(revision === '2025-11-25' ? ['older'] : [])];
  return openServer({ entry: { command: process.execPath, args }, ...(home !== undefined && { home }) });
};

const NONE = { agents: [], commands: [], unusedCommands: new Map(), problems: [] };
const commandsOf = (server: McpServer) => withPrompts(NONE, [server], computeDigest).commands;

describe.each(['2025-11-25', '2026-07-28'])('the prompts of a server of %s', (revision) => {
  it('are commands that are remembered, with sanitized texts', async () => {
    const { server, home } = await open(revision);
    expect(commandsOf(server)).toEqual([]);
    await server.listTools(signal);
    await server.close();
    const again = await open(revision, home);
    const commands = commandsOf(again.server);
    expect(commands).toMatchObject([
      { name: expect.stringMatching(/^srv__greet_me_[0-9a-f]{8}$/), description: 'Greet', argument: undefined },
      {
        name: 'srv__review',
        description: 'Review a file',
        argument: '<file> [focus]',
      },
    ]);
    expect(commands[1]?.complete?.(['file=x'])).toEqual(['focus=']);
    expect(again.server.state.type).toBe('not started');
    expect(await commands[1]?.expand?.('src/a.ts focus="the names"', signal)).toBe(
      'Review src/a.ts, mostly the names.\n\n[an answer that the prompt gives]\nI will.\n\n[resource x://rules]\nBe kind.',
    );
    expect(await commands[0]?.expand?.('', signal)).toBe('Say hello.');
    await expect(commands[1]?.expand?.('focus=names', signal)).rejects.toThrow('The prompt review needs file=….');
  });
});

it.each(['2025-11-25', '2026-07-28'])(
  'a new tool of a server of %s is found, and the others remain',
  async (revision) => {
    const { server, tools, call } = await open(revision);
    await server.listTools(signal);
    const names = () => tools().map(({ definition }) => definition.name);
    const before = tools();
    expect(names()).not.toContain('srv__added');
    await call('srv__grow');
    await expect.poll(async () => (await server.listTools(signal)).tools.map(({ name }) => name)).toContain('added');
    // The conversation keeps the tools with which it began.
    expect(before.map(({ definition }) => definition.name)).not.toContain('srv__added');
    expect(names()).toContain('srv__added');
    expect(await call('srv__added')).toMatchObject({ content: 'added' });
  },
);

it.each([
  ['prompts', ['srv__first', 'srv__second']],
  ['no-prompts', []],
])('a hostile list of %s loses no tool', async (mode, names) => {
  const { server } = await serverOf(mode);
  const { tools } = await server.listTools(signal);
  expect(tools.map(({ name }) => name)).toEqual(['read_resource', 't']);
  expect(commandsOf(server).map(({ name }) => name)).toEqual(names);
});

it.each([
  ['resources', ['r://0', 'r://1', 'r://2', 'r://3']],
  ['no-templates', ['r://0', 'r://1', 'r://2', 'r://3']],
])('all pages of %s are listed', async (mode, uris) => {
  const { server, call } = await serverOf(mode);
  await server.listTools(signal);
  const { content } = await call('srv__read_resource');
  expect(content.split('\n').map((line) => line.split(': ')[0])).toEqual(uris);
});

describe('the arguments of a prompt', () => {
  const prompt = {
    ...{ name: 'p', description: '' },
    arguments: [
      { name: 'file', required: true },
      { name: 'text', required: false },
    ],
  };
  it.each<readonly [string, Record<string, string>]>([
    ['a.ts', { file: 'a.ts' }],
    ['a.ts some words', { file: 'a.ts', text: 'some words' }],
    ['"a b.ts" \'c d\'', { file: 'a b.ts', text: 'c d' }],
    ['file= a.ts text= "b c"', { file: 'a.ts', text: 'b c' }],
    ['text=x a.ts', { text: 'x', file: 'a.ts' }],
    ['file="a b" other=1', { file: 'a b', text: 'other=1' }],
  ])('%s', (written, expected) => {
    expect(readPromptArguments(prompt, written)).toEqual(expected);
  });

  it('are rejected if the prompt has none', () => {
    expect(() => readPromptArguments({ ...prompt, arguments: [] }, 'x')).toThrow('takes no arguments');
  });
});
