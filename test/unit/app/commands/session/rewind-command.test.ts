import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../../src/agent/ports/events.ts';
import { applyEvent, EMPTY_SESSION } from '../../../../../src/agent/session-state.ts';
import { REWIND_COMMAND } from '../../../../../src/app/commands/session/rewind-command.ts';
import { promptPoints } from '../../../../../src/session/prompt-points.ts';
import { said } from '../../../../support/agent/session-events.ts';
import { createTestStore } from '../../../../support/agent/session-store.ts';
import { COMMAND_CONTEXT, commandText } from '../../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../../support/fakes/fake-agent.ts';
import { createMemoryFileSystem } from '../../../../support/fakes/memory-file-system.ts';

const prompt = (text: string): AgentEvent => ({ type: 'user_message', text });
const named = (file: string): AgentEvent => ({ type: 'user_message', text: `@file:${file}`, reminder: true, file });
const reminder: AgentEvent = { type: 'user_message', text: 'remember', reminder: true };

/** A session with these events, in a store in memory. */
async function sessionOf(events: readonly AgentEvent[]) {
  const { fileSystem, volume } = createMemoryFileSystem({ '/work/a.md': 'new' });
  const record = await createTestStore(fileSystem).create('one');
  let state = EMPTY_SESSION;
  const tell = async (event: AgentEvent) => {
    await record.append(event, '');
    state = applyEvent(state, event);
  };
  for (const event of events) await tell(event);
  const undone: (number | undefined)[] = [];
  const fake = createFakeAgent([]);
  const agent = {
    ...fake,
    record,
    tell,
    get messages() {
      return state.messages;
    },
    get tasks() {
      return state.tasks;
    },
    async undo(from?: number) {
      undone.push(from);
      return fake.undo(from);
    },
  };
  const run = (argument: string) => REWIND_COMMAND.run(async () => agent, argument, COMMAND_CONTEXT);
  const type = (argument: string) => commandText(REWIND_COMMAND, agent, argument);
  /** The text that the command puts into the input line. */
  const lineAfter = async (argument: string) => {
    const result = await run(argument);
    return result.type === 'text' ? result.line : undefined;
  };
  /** The texts of the command and of the log about the message to which the user goes back. */
  const placesAfter = async (argument: string) => {
    const result = await run(argument);
    let stored: unknown;
    for await (const line of record.lines()) stored = JSON.parse(line).rewind ?? stored;
    return [result.type === 'text' ? result.rewind : undefined, stored];
  };
  const texts = () => state.messages.map(({ content }) => content.replace(/<reminder>.*/s, '<reminder>'));
  const tasks = () => state.tasks;
  return { type, lineAfter, placesAfter, texts, tasks, agent, record, undone, volume };
}

const EVENTS = [prompt('one'), said('1'), named('a.md'), prompt('two\nlines'), said('2'), reminder, prompt('three')];

describe('/rewind', () => {
  it.each([
    ['1', []],
    ['2', [{ content: 'first', status: 'pending' }]],
    ['3', [{ content: 'second', status: 'completed' }]],
  ] as const)('restores the tasks before message %s', async (number, expected) => {
    const listed = (content: string, status: 'pending' | 'completed'): AgentEvent => ({
      type: 'tasks',
      tasks: [{ content, status }],
    });
    const { type, tasks } = await sessionOf([
      prompt('one'),
      listed('first', 'pending'),
      said('1'),
      prompt('two'),
      listed('second', 'completed'),
      said('2'),
      prompt('three'),
    ]);
    await type(number);
    expect(tasks()).toEqual(expected);
  });

  it('lists the messages of the user', async () => {
    const { type } = await sessionOf(EVENTS);
    expect(await type('')).toBe(
      '1  one\n2  two …\n3  three\n/rewind NUMBER goes back to before that message and keeps the files; /rewind NUMBER files also puts them back.',
    );
  });

  it('counts a message that was sent during a run as part of that run', async () => {
    const steered: AgentEvent = { type: 'user_message', text: 'and this', steered: true };
    const { type } = await sessionOf([prompt('one'), said('1'), steered, said('2'), prompt('two'), said('3')]);
    expect(await type('')).toMatch(/^1 {2}one\n2 {2}two\n/);
  });

  it('shows the commands of the user as they were typed', async () => {
    const { type } = await sessionOf([prompt('[Shell command output]\nCommand: echo hi\nhi')]);
    expect(await type('')).toMatch(/^1 {2}!echo hi\n/);
    expect(await type('1')).toMatch(/^The conversation is as it was before "!echo hi"\.\n/);
  });

  it('puts the message back into the input line, where it can be edited', async () => {
    const { lineAfter } = await sessionOf(EVENTS);
    expect(await lineAfter('')).toBeUndefined();
    expect(await lineAfter('7')).toBeUndefined();
    expect(await lineAfter('2')).toBe('two\nlines');
  });

  it.each([
    ['names files', [named('a.md'), named('b.md')], 'compare @file:a.md with @file:b.md'],
    ['begins with a path', [], '/etc/hosts is wrong'],
  ])('puts a message that %s back into the input line', async (_name, files, text) => {
    const { lineAfter } = await sessionOf([...files, prompt(text)]);
    expect(await lineAfter('1')).toBe(text);
  });

  it.each([
    '[Shell command output]\nCommand: cat a.md\nhello',
    '[Shell command failed]\nCommand: cat a.md\nhello',
    'read @file:key.txt',
    'read @file:',
    'ask @agent:other about it',
    '!rm a.md',
    ' @!rm a.md',
    '/quit',
  ])('leaves the input line empty after a message that was typed differently: %j', async (text) => {
    const { lineAfter, texts } = await sessionOf([prompt(text)]);
    expect(await lineAfter('1')).toBeUndefined();
    expect(texts()).toEqual(['<reminder>']);
  });

  it('removes a message with the files that it names, tells the model, and keeps the log', async () => {
    const { type, texts, record, undone } = await sessionOf(EVENTS);
    expect(await type('2')).toBe('The conversation is as it was before "two".\nThe files stay as they are.');
    expect(texts()).toEqual(['one', '1', '<reminder>']);
    expect(undone).toEqual([]);
    let state = EMPTY_SESSION;
    const types: string[] = [];
    for await (const line of record.lines()) types.push(JSON.parse(line).type);
    expect(types.slice(-4)).toEqual(['user', 'user', 'user_action', 'compaction']);
    expect(types).toHaveLength(EVENTS.length + 3);
    state = applyEvent(state, prompt('x'));
    expect(state.messages).toHaveLength(1);
  });

  it('logs the prompt to which the user goes back', async () => {
    const { placesAfter, agent } = await sessionOf(EVENTS);
    expect(await placesAfter('')).toEqual([undefined, undefined]);
    expect(await placesAfter('2')).toEqual([{ prompt: 1 }, { prompt: 1 }]);
    await agent.tell(prompt('four'));
    expect(await placesAfter('2')).toEqual([{ prompt: 3 }, { prompt: 3 }]);
    const compaction: AgentEvent = {
      ...{ type: 'compaction', tokensBefore: 2, tokensAfter: 1 },
      messages: [{ role: 'user', content: 'o … e' }],
    };
    await agent.tell(compaction);
    expect(await placesAfter('1')).toEqual([{}, {}]);
  });

  it('restores the files that were changed since that message', async () => {
    const { type, agent, undone } = await sessionOf(EVENTS);
    const write = async (run: number, call: string) => {
      await agent.record.writes.start({ run, call, path: '/work/a.md' });
      const state = { type: 'file', digest: String(run).repeat(64), mode: 0o644, size: 3 } as const;
      await agent.record.writes.note({ type: 'after', run, call, path: '/work/a.md', state });
    };
    await write(0, 'a');
    await write(2, 'b');
    await write(6, 'c');
    expect(await type('2 files')).toContain('The files are already as they were before checkpoint 2.');
    expect(undone).toEqual([2]);
  });

  it('reports that no file was changed since', async () => {
    const { type, undone } = await sessionOf(EVENTS);
    expect(await type('3 files')).toBe('The conversation is as it was before "three".\nNo file was changed since.');
    expect(undone).toEqual([]);
  });

  it('does not guess the changes since a message that a compaction has altered', async () => {
    const compaction: AgentEvent = {
      ...{ type: 'compaction', tokensBefore: 2, tokensAfter: 1 },
      messages: [{ role: 'user', content: 'o … e' }],
    };
    const { type, texts } = await sessionOf([...EVENTS, compaction]);
    expect(await type('1 files')).toBe(
      'The log does not tell which files were changed since. /checkpoints lists them for /undo.',
    );
    expect(texts()).toEqual(['o … e']);
  });

  it.each([
    ['4', 'There is no message 4: /rewind lists 1 to 3.'],
    ['0', 'There is no message 0: /rewind lists 1 to 3.'],
    ['x', 'There is no message x: /rewind lists 1 to 3.'],
    ['1 all', 'Type /rewind 1, or /rewind 1 files to put the files back as well.'],
    ['1 files now', 'Type /rewind 1, or /rewind 1 files to put the files back as well.'],
  ])('refuses %j', async (argument, problem) => {
    const { type, texts } = await sessionOf(EVENTS);
    expect(await type(argument)).toBe(problem);
    expect(texts()).toHaveLength(EVENTS.length);
  });

  it('reports that a new session has no messages', async () => {
    expect(await (await sessionOf([])).type('')).toBe('There is no message to go back to.');
  });
});

it('the positions of prompts in the log survive a compaction and a rewind', async () => {
  const { agent, type, record } = await sessionOf([prompt('same'), said('1'), prompt('same'), said('2')]);
  await type('2');
  await agent.tell(prompt('same'));
  const points = await promptPoints(agent.messages, record.lines());
  expect(points).toEqual([
    { text: 'same', files: [], index: 0, run: 0, prompt: 0, tasks: [] },
    { text: 'same', files: [], index: 3, run: 4, prompt: 2, tasks: [] },
  ]);
});
