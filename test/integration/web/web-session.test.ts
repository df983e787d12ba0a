import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { MockScenario } from '../../../mock-llm-server/testing.ts';
import { longSessionLog } from '../../support/agent/long-session.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { askPage, chatOf, framesOf, readAll, readUntil, type StreamFrame } from '../../support/screens/web-client.ts';
import { startTestPage, type TestPage } from '../../support/screens/web-page.ts';

const SCENARIOS: readonly MockScenario[] = [
  { name: 'chat', trigger: 'how are you', steps: [{ response: { content: "I'm doing well." } }] },
  {
    name: 'write',
    trigger: 'hello world',
    steps: [
      {
        response: {
          content: 'I write it.',
          tool_calls: [{ name: 'write_file', arguments: { path: 'hello.txt', content: 'Hello\n' } }],
        },
      },
      { response: { content: 'Done!' } },
    ],
  },
  {
    name: 'slow',
    trigger: 'wait',
    steps: [{ response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'sleep 30' } }] } }],
  },
];

function textOf(frames: readonly StreamFrame[]): string {
  return frames.flatMap(({ event, data }) => (event === 'text' ? [String(data['content'])] : [])).join('');
}

const typesOf = (frames: readonly StreamFrame[]) => [...new Set(frames.map(({ event }) => event))];
const isEvent = (type: string) => (frame: StreamFrame) => frame.data['type'] === type;
/** The last state; a state before the history has no number. */
const isState = (frame: StreamFrame) => isEvent('state')(frame) && frame.id !== undefined;

/** Follows the session from its start. */
async function follow(page: TestPage, after = '0'): Promise<AsyncGenerator<StreamFrame, void, void>> {
  return framesOf(await askPage(page, `/events?after=${after}`));
}

it('a web session streams the answer to a message', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const frames = await chatOf(page, 'how are you');
  expect(textOf(frames)).toBe("I'm doing well.");
  expect(typesOf(frames)).toEqual(['text', 'usage', 'done']);
  expect(frames.at(-1)?.data).toEqual({});
});

it('a web session asks about a call, and runs it after a yes to exactly this question', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const frames: StreamFrame[] = [];
  for await (const frame of framesOf(await askPage(page, '/chat', { message: 'hello world' }))) {
    frames.push(frame);
    if (frame.event !== 'approval') continue;
    const { id, digest } = frame.data;
    const answer = (given: object) => askPage(page, '/approval', { id, digest, answer: { type: 'once' }, ...given });
    expect((await answer({ digest: 'sha256:other' })).status).toBe(409);
    expect((await answer({ id: 'other' })).status).toBe(409);
    expect((await answer({ answer: { type: 'all' } })).status).toBe(409);
    expect((await answer({ answer: { type: 'whatever' } })).status).toBe(400);
    expect((await answer({})).status).toBe(200);
    expect((await answer({})).status).toBe(409);
  }
  expect(typesOf(frames)).toEqual(['text', 'usage', 'tool', 'diff', 'approval', 'done']);
  expect(frames.find(({ event }) => event === 'tool')?.data).toEqual({
    name: 'write_file',
    input: { path: 'hello.txt', content: 'Hello\n' },
  });
  expect(textOf(frames)).toContain('Done!');
  expect(readFileSync(path.join(page.workspace, 'hello.txt'), 'utf8')).toBe('Hello\n');
});

it('a web session denies a call without an answer in time', async () => {
  await using page = await startTestPage({
    scenarios: SCENARIOS,
    config: { safety: { approval_timeout_seconds: 1 } },
  });
  const frames = await chatOf(page, 'hello world');
  expect(frames.find(({ event }) => event === 'error')?.data).toMatchObject({ code: 'denied' });
});

it('a web session queues a message that arrives during a run, and removes it on demand', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const [first, second, third] = await Promise.all([
    askPage(page, '/chat', { message: 'hello world' }),
    askPage(page, '/chat', { message: 'how are you' }),
    askPage(page, '/chat', { message: 'never' }),
  ]);
  const states = await readUntil(await follow(page), isEvent('question'));
  const state = states.findLast(isState)?.data;
  expect(state?.['queue']).toMatchObject([{ text: 'how are you' }, { text: 'never' }]);
  const queue = JSON.parse(JSON.stringify(state?.['queue']));
  expect((await askPage(page, '/unqueue', { id: queue[1].id })).status).toBe(200);
  expect((await askPage(page, '/unqueue', { id: queue[1].id })).status).toBe(409);
  await askPage(page, '/stop', {});
  expect((await readAll(framesOf(first))).at(-2)?.data).toMatchObject({ code: 'aborted' });
  expect(textOf(await readAll(framesOf(second)))).toBe("I'm doing well.");
  expect(await readAll(framesOf(third))).toEqual([{ event: 'done', id: undefined, data: {} }]);
});

it('a web session puts the queued messages back into their tabs when a tab stops the run', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const ofTab = async (tab: string) => {
    return readUntil(
      await follow(page, `0&tab=${tab}`),
      ({ data }) => data['type'] === 'put_back' && data['tab'] === tab,
    );
  };
  const running = askPage(page, '/chat', { message: 'hello world', tab: 'one' });
  const tabs = [ofTab('one'), ofTab('two')];
  await readUntil(await follow(page), isEvent('question'));
  const sent = [
    { message: 'first', tab: 'one' },
    { message: 'second', tab: 'closed' },
    { message: 'third', tab: 'one' },
    { message: 'fourth' },
  ];
  for (const body of sent) await askPage(page, '/chat', body);
  await askPage(page, '/stop', { tab: 'two' });
  await readAll(framesOf(await running));
  const texts = (await Promise.all(tabs)).map((frames) => frames.at(-1)?.data['texts']);
  expect(texts).toEqual([
    ['first', 'third'],
    ['second', 'fourth'],
  ]);
  const state = (await readUntil(await follow(page), isState)).at(-1)?.data;
  expect(state).toMatchObject({ queue: [] });
  expect(JSON.stringify(page.llm.requests)).not.toMatch(/first|second|third|fourth/);
});

it('a web session puts a message back into its tab if it cannot be sent, or if the user goes back to it', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const putBack = async (message: string) => {
    await readAll(framesOf(await askPage(page, '/chat', { message, tab: 'one' })));
    const frames = await readUntil(await follow(page), isState);
    return frames.findLast(isEvent('put_back'))?.data['texts'];
  };
  expect(await putBack('how are you')).toBeUndefined();
  expect(await putBack('read @file:missing.md')).toEqual(['read @file:missing.md']);
  expect(await putBack('/nonsense')).toEqual(['/nonsense']);
  expect(await putBack('/rewind 1')).toEqual(['how are you']);
});

it('a web session tells every tab to which message the user has gone back, even after a restart', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  for (const message of ['how are you', 'how are you', '/rewind 2']) await chatOf(page, message);
  const wayBack = async (shown: TestPage) => {
    const frames = await readUntil(await follow(shown), isState);
    return frames.filter((frame) => isEvent('rewind')(frame) || isEvent('compaction')(frame)).map(({ data }) => data);
  };
  expect(await wayBack(page)).toEqual([{ type: 'rewind', prompt: 1 }]);
  await page.close();
  const { workspace, home } = page;
  await using next = await startTestPage({ scenarios: SCENARIOS, workspace, home, options: { continue: true } });
  expect(await wayBack(next)).toEqual([{ type: 'rewind', prompt: 1 }]);
});

it('a web session continues after the last event that a tab has read, without losing or repeating one', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const first = await readUntil(await follow(page), (frame) => frame.event === 'ready');
  expect(first.map(({ event }) => event)).toEqual(['reset', 'message', 'ready']);
  const all: StreamFrame[] = [];
  const watching = follow(page).then(async (frames) => {
    for await (const frame of frames) {
      all.push(frame);
      if (frame.data['type'] === 'message_end') return;
    }
  });
  await chatOf(page, 'how are you');
  await watching;
  const numbers = all.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  for (const { id } of all) {
    if (id === undefined || id === String(numbers.at(-1))) continue;
    const rest = await readUntil(await follow(page, id), isEvent('message_end'));
    expect(rest.every((frame) => frame.event === 'message' && Number(frame.id) > Number(id))).toBe(true);
    expect(
      rest.some(isEvent('assistant_message')) || all.find((frame) => frame.id === id)?.data['type'] !== 'text_delta',
    ).toBe(true);
  }
});

it('a web session sends a new tab all its events, including those before a restart', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  await chatOf(page, 'how are you');
  await page.close();
  const { workspace, home } = page;
  await using next = await startTestPage({ scenarios: SCENARIOS, workspace, home, options: { continue: true } });
  const frames = await readUntil(await follow(next), isState);
  const messages = frames.filter((frame) => isEvent('user_message')(frame) || isEvent('assistant_message')(frame));
  expect(messages.map(({ data }) => data['type'])).toEqual(['user_message', 'assistant_message']);
  await chatOf(next, 'how are you');
  const longer = await readUntil(await follow(next), isState);
  expect(longer.filter(isEvent('assistant_message'))).toHaveLength(2);
});

it('a web session first reports that the project is not trusted, and its parts without effect', async () => {
  const workspace = temporaryDirectory();
  writeFiles(workspace, { '.ybs.json': JSON.stringify({ llm: { model: 'other' } }) });
  await using page = await startTestPage({ scenarios: SCENARIOS, workspace });
  const frames = await readUntil(await follow(page), isEvent('note'));
  expect(frames.at(-1)?.data['text']).toMatch(/^This project is not trusted, .*llm\.model.* ybs trust$/);
});

it('a web session is replaced by a new one with Clear, even during a run', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS, options: { permissionMode: 'full-access' } });
  const running = chatOf(page, 'wait');
  const tab = await follow(page);
  await readUntil(tab, isEvent('tool_call'));
  expect(await (await askPage(page, '/clear', {})).json()).toEqual({ status: 'ok' });
  await running;
  const frames = await readUntil(await follow(page), isState);
  expect(frames.map(({ event, data }) => data['type'] ?? event)).toEqual(['reset', 'state', 'ready', 'state']);
});

it('a web session runs commands of the chat and of the user', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  expect(textOf(await chatOf(page, '/mode plan'))).toContain('The permission mode is plan');
  expect(textOf(await chatOf(page, '/nonsense'))).toContain('Unknown command /nonsense');
  expect(textOf(await chatOf(page, '!!echo typed'))).toContain('typed\n');
  expect(textOf(await chatOf(page, '/quit'))).toContain('Close the tab');
  const [state] = (await readUntil(await follow(page), isState)).slice(-1);
  expect(state?.data['session']).toMatchObject({ mode: 'plan' });
});

it('a web session lists sessions and settings, and changes them', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  await chatOf(page, 'how are you');
  const read = async (path: string, body?: unknown): Promise<unknown> => (await askPage(page, path, body)).json();
  const sessions = async () => Sessions.parse(await read('/sessions'));
  const first = await sessions();
  expect(first.sessions).toMatchObject([{ name: first.current, firstPrompt: 'how are you', prompts: 1 }]);
  await read('/clear', {});
  expect((await sessions()).current).not.toBe(first.current);
  expect(await read('/load', { name: first.current })).toEqual({ status: 'ok' });
  expect((await sessions()).current).toBe(first.current);
  for (const name of ['missing', `../sessions/${first.current}`]) {
    const refused = await askPage(page, '/load', { name });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('There is no session') } });
  }
  expect(await read('/load', { name: first.current })).toMatchObject({
    error: { message: `${first.current} is the session that is open.` },
  });

  const settings = await read('/settings');
  expect(settings).toMatchObject({ mode: 'ask', approvals: [] });
  const provider = { name: 'llm.provider', value: 'mock', origin: 'command line' };
  expect(settings).toMatchObject({ values: expect.arrayContaining([provider]) });
  const change = { command: 'permissions', argument: 'run_shell denied' };
  expect(await read('/setting', change)).toEqual({
    text: expect.stringContaining('run_shell is denied for this session'),
  });
  const denied = { name: 'run_shell', level: 'denied', origin: '/permissions, for this session' };
  expect(await read('/settings')).toMatchObject({ tools: expect.arrayContaining([denied]) });
});

it('a web session lists the sessions of other directories after those of its own', async () => {
  const [home, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
  await using page = await startTestPage({ scenarios: SCENARIOS, home });
  await chatOf(page, 'how are you');
  writeFiles(home, { '.config/ybs/sessions/session-20260101-000000-0000.jsonl': longSessionLog(elsewhere, 10) });
  const { workspace, sessions } = Sessions.parse(await (await askPage(page, '/sessions')).json());
  expect(sessions.map((session) => session.workspace)).toEqual([workspace, elsewhere]);
});

it.each([
  ['quit', 'x', 'Invalid option'],
  ['mode', 'x', '/mode cannot be "x". Choose one of ask,'],
  ['permissions', 'nothing denied', 'There is no tool nothing'],
  ['permissions', 'run_shell x', 'The level cannot be "x". Choose one of automatic,'],
  ['approvals', 'x', 'Type /approvals'],
  ['approvals', 'clear x', 'Give the number of an entry'],
  ['approvals', 'clear 1', 'There is no entry 1'],
])('a web session rejects the setting %s %s', async (command, argument, message) => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const answer = await askPage(page, '/setting', { command, argument });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
});

it('a web session does not open another session during a run', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  await chatOf(page, 'how are you');
  const { current } = Sessions.parse(await (await askPage(page, '/sessions')).json());
  await askPage(page, '/clear', {});
  const running = chatOf(page, 'hello world');
  await readUntil(await follow(page), isEvent('question'));
  const refused = await askPage(page, '/load', { name: current });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('Stop it') } });
  await askPage(page, '/stop', {});
  await running;
  expect((await askPage(page, '/load', { name: current })).status).toBe(200);
});

it('a web session lists its own keys in the help', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  const help = textOf(await chatOf(page, '/help'));
  expect(help).toMatch(/^Shift-Enter +Begin a new line$/m);
  expect(help).toMatch(/^!command +/m);
  expect(help).not.toContain('Ctrl-Q');
});

it.each([
  ['steer', 'Enter', 'Ctrl-Enter'],
  ['queue', 'Ctrl-Enter', 'Enter'],
])('a web session with Enter as %s names the keys for a message during a run', async (setting, next, later) => {
  await using page = await startTestPage({ scenarios: SCENARIOS, config: { ui: { enter_during_run: setting } } });
  const help = textOf(await chatOf(page, '/help'));
  const nameOf = (use: RegExp) =>
    help
      .split('\n')
      .find((line) => use.test(line))
      ?.split(' ', 1)
      .join('');
  expect([nameOf(/with its next request/), nameOf(/after the run/)]).toEqual([next, later]);
});

const Sessions = z.object({
  current: z.string(),
  workspace: z.string(),
  sessions: z.array(z.looseObject({ name: z.string(), workspace: z.string() })),
});

it('a web session sends the files that a message names, and no message if one is missing', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  writeFiles(page.workspace, { 'notes.md': 'Remember the milk.\n' });
  const frames = await chatOf(page, 'how are you @file:notes.md');
  expect(textOf(frames)).toContain('@file:notes.md (1 line');
  expect(JSON.stringify(page.llm.requests.at(-1))).toContain('how are you');
  const missing = await chatOf(page, 'how are you @file:other.md');
  expect(missing[0]?.data).toMatchObject({ message: expect.stringContaining('does not exist') });
  expect(page.llm.requests).toHaveLength(1);
  const messages = await readUntil(await follow(page), isState);
  expect(messages.filter(isEvent('user_message'))).toHaveLength(1);
});

it('a web session completes commands, agents and paths in a message', async () => {
  await using page = await startTestPage({ scenarios: SCENARIOS });
  writeFiles(page.workspace, { 'notes.md': '', 'notes/a.md': '' });
  const complete = async (text: string, cursor = text.length) => askPage(page, '/complete', { text, cursor });
  expect(await (await complete('/mo')).json()).toMatchObject({
    ...{ from: 0, to: 3, items: ['/mode', '/model'] },
    notes: [expect.stringContaining('mode'), expect.stringContaining('model')],
  });
  expect(await (await complete('see @file:no, please', 12)).json()).toEqual({
    from: 4,
    to: 12,
    items: ['@file:notes.md', '@file:notes/'],
  });
  expect(await (await complete('nothing')).json()).toMatchObject({ items: [] });
  expect((await complete('/mo', 4)).status).toBe(400);
});
