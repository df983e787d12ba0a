import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHostMain } from '../../support/hosts/host-main.ts';
import { finishYume, yumePlace, yumeResults } from '../../support/hosts/yume-host.ts';
import { writeFiles } from '../../support/processes/temporary-directory.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const say = (name: string, trigger: string, content: string) => ({ name, trigger, steps: [{ response: { content } }] });
const server = serveScenarios([
  say('hello', 'say hello', 'Hello — 😀.'),
  say('again', 'say it again', 'Hello again.'),
  say('last', 'say goodbye', 'Goodbye.'),
  {
    name: 'wait',
    trigger: 'wait for me',
    steps: [{ intent: 'shell', command: 'sleep 60' }, { response: { content: 'Waited.' } }],
  },
  {
    name: 'write',
    trigger: 'write the file',
    steps: [{ intent: 'write_file', path: 'a.txt', content: 'one\n' }, { response: { content: 'Written.' } }],
  },
  {
    name: 'plan',
    trigger: 'plan the file',
    steps: [
      { response: { tool_calls: [{ name: 'ExitPlanMode', arguments: { plan: '1. Write a.txt.' } }] } },
      { intent: 'write_file', path: 'a.txt', content: 'one\n' },
      { response: { content: 'Carried out.' } },
    ],
  },
]);

const user = (content: string) => ({ type: 'user', content });
const isStop = ({ type }: Readonly<Record<string, unknown>>): boolean => type === 'message_stop';
const A_TXT = /[\\/]a\.txt$/;
const isQuestion = ({ type }: Readonly<Record<string, unknown>>): boolean => type === 'approval_request';

const place = () => yumePlace(server.url, startHostMain);

describe('one process for each message', () => {
  it('answers, and continues the session in the next process', async () => {
    const { turn } = place();
    const first = turn('say hello');
    expect(await finishYume(first)).toMatchObject({
      code: 0,
      stderr: '',
      kinds: expect.stringMatching(/^system text /),
    });
    expect(first.lines[0]).toMatchObject({
      subtype: 'init',
      tools: expect.arrayContaining(['Read', 'MultiEdit', 'Bash']),
    });
    const id = String(first.lines[0]?.['session_id']);
    const second = turn('say it again', '--resume', id);
    await finishYume(second);
    expect([yumeResults(first), yumeResults(second)]).toEqual([['Hello — 😀.'], ['Hello again.']]);
    expect(second.lines[0]).toMatchObject({ subtype: 'init', session_id: id });
  });

  it('asks no questions, and reports denied calls', async () => {
    const { turn, directory } = place();
    const bin = turn('write the file');
    await finishYume(bin);
    expect(bin.lines.find(({ type }) => type === 'tool_use')).toMatchObject({
      name: 'Write',
      input: { file_path: expect.stringMatching(A_TXT) },
    });
    expect(bin.lines.find(({ type }) => type === 'tool_result')).toMatchObject({ is_error: true });
    expect(existsSync(path.join(directory, 'a.txt'))).toBe(false);
  });

  it('allows all calls with --permission-mode auto', async () => {
    const { turn, directory } = place();
    expect(await finishYume(turn('write the file', '--permission-mode=auto'))).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(directory, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('begins with the conversation of a history file', async () => {
    const { turn, directory } = place();
    const history = [
      { role: 'user', content: 'say goodbye' },
      { role: 'assistant', content: [{ type: 'text', text: 'Bye.' }] },
      { role: 'tool', content: 7 },
    ];
    writeFiles(directory, { 'history.json': JSON.stringify({ messages: history }), 'broken.json': '{"messages": 1}' });
    const bin = turn('and now?', '--history-file', 'history.json');
    await finishYume(bin);
    expect(yumeResults(bin)).toEqual(['Goodbye.']);
    const broken = turn('and now?', '--history-file', 'broken.json');
    expect(await broken.ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('broken.json cannot be used'),
    });
  });

  it('reports a missing session or provider', async () => {
    const { turn } = place();
    const bin = turn('say hello', '--resume', 'none');
    expect((await finishYume(bin)).code).toBe(2);
    expect(bin.lines.at(-2)).toMatchObject({ type: 'result', is_error: true, result: expect.stringContaining('none') });
    const keyless = turn('say hello', '--provider', 'openai', '--api-base', 'https://api.openai.com/v1');
    expect((await finishYume(keyless)).code).toBe(2);
    expect(keyless.lines[0]).toMatchObject({ subtype: 'error', message: expect.stringContaining('OPENAI_API_KEY') });
  });

  it('reports an invalid command line', async () => {
    const bin = place().turn('say hello', '--permission-mode', 'yolo');
    expect(await finishYume(bin)).toMatchObject({ code: 2, kinds: 'system result message_stop' });
    expect(bin.lines[0]).toMatchObject({ subtype: 'error', message: expect.stringContaining('yolo') });
  });
});

describe('one process for a session', () => {
  it('changes the mode, interrupts a command and continues', async () => {
    const { persist } = place();
    const bin = persist('--no-sandbox');
    bin.send({ type: 'set_permission_mode', mode: 'auto' }, user('wait for me'));
    await bin.waitFor(({ type }) => type === 'tool_use');
    bin.send({ type: 'interrupt' });
    await bin.waitFor(isStop);
    bin.send(user('say hello'));
    await bin.waitFor(isStop);
    bin.end();
    expect((await finishYume(bin)).kinds).toContain('interrupt result message_stop');
    expect(yumeResults(bin).at(-1)).toBe('Hello — 😀.');
  });

  it('runs queued messages in order and ends after the end of the input', async () => {
    const { persist } = place();
    const bin = persist('--session-id', 'my-session');
    bin.send(user('say hello'), user('say it again'), user('say goodbye'));
    bin.end();
    expect(await finishYume(bin)).toMatchObject({ code: 0, stderr: '' });
    expect(yumeResults(bin)).toEqual(['Hello — 😀.', 'Hello again.', 'Goodbye.']);
    expect(bin.lines[0]).toMatchObject({ subtype: 'init', session_id: 'my-session' });
  });

  it.each<readonly [string, object, string | undefined]>([
    ['yes', { approved: true }, 'one\n'],
    ['yes to another input', { approved: true, input: { file_path: 'a.txt', content: 'two\n' } }, 'two\n'],
    ['no', { approved: false, message: 'Not now.' }, undefined],
  ])('asks, and reads %s', async (_name, answer, expected) => {
    const { persist, directory } = place();
    const bin = persist();
    bin.send(user('write the file'));
    const { id, ...question } = await bin.waitFor(isQuestion);
    expect(question).toMatchObject({
      name: 'Write',
      input: { file_path: expect.stringMatching(A_TXT), content: 'one\n' },
    });
    bin.send({ type: 'tool_approval', id: 'another', approved: true }, { type: 'tool_approval', id, ...answer });
    bin.end();
    await finishYume(bin);
    const file = path.join(directory, 'a.txt');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(expected);
    expect(bin.lines.filter(({ subtype }) => subtype === 'error')).toHaveLength(1);
  });

  it('asks for approval of a plan, and carries it out after a yes', async () => {
    const { persist, directory } = place();
    const bin = persist('--permission-mode', 'default');
    bin.send({ type: 'set_permission_mode', mode: 'plan' }, user('plan the file'));
    const plan = await bin.waitFor(isQuestion);
    expect(plan).toMatchObject({ name: 'ExitPlanMode', input: { plan: '1. Write a.txt.' } });
    expect(bin.lines).toContainEqual(expect.objectContaining({ subtype: 'permission_mode', permissionMode: 'plan' }));
    bin.send({ type: 'tool_approval', id: plan['id'], approved: true });
    const write = await bin.waitFor((line) => isQuestion(line) && line['name'] === 'Write');
    bin.send({ type: 'tool_approval', id: write['id'], approved: true });
    await bin.waitFor(isStop);
    bin.end();
    expect((await finishYume(bin)).code).toBe(0);
    expect(yumeResults(bin)).toEqual(['Carried out.']);
    expect(existsSync(path.join(directory, 'a.txt'))).toBe(true);
  });
});
