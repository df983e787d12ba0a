import { describe, expect, it } from 'vitest';
import { startHostBin } from '../support/host-bin.ts';
import { serveScenarios } from '../support/serve-scenarios.ts';
import { finishYume, yumePlace, yumeResults } from '../support/yume-host.ts';

const say = (name: string, trigger: string, content: string) => ({ name, trigger, steps: [{ response: { content } }] });
const server = serveScenarios([
  say('hello', 'say hello', 'Hello — 😀.'),
  say('again', 'say it again', 'Hello again.'),
  {
    name: 'wait',
    trigger: 'wait for me',
    steps: [{ intent: 'shell', command: 'sleep 60' }, { response: { content: 'Waited.' } }],
  },
  { name: 'print', trigger: 'print much', steps: [{ response: { content: 'much '.repeat(3_000) } }] },
]);

const user = (content: string) => ({ type: 'user', content });
const isStop = ({ type }: Readonly<Record<string, unknown>>): boolean => type === 'message_stop';

const place = () => yumePlace(server.url, startHostBin);

describe('one process for each message', () => {
  it('answers, and goes on with the session in the next process', async () => {
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
});

describe('one process for a session', () => {
  it('changes the mode, interrupts a command and goes on', async () => {
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

  it('ends when its reader leaves, and on SIGTERM', async () => {
    const { persist } = place();
    const bin = persist('--permission-mode', 'auto', '--no-sandbox');
    bin.send(user('wait for me'));
    await bin.waitFor(({ type }) => type === 'tool_use');
    bin.signal('SIGTERM');
    expect(await bin.ended).toMatchObject({ signal: null });
    const left = persist();
    left.send(user('print much'));
    await left.waitFor(({ type }) => type === 'text');
    left.hangUp();
    expect(await left.ended).toMatchObject({ signal: null });
  });

  it('waits for a slow reader', async () => {
    const { persist } = place();
    const bin = persist();
    const goOn = bin.pause();
    bin.send(user('print much'));
    bin.end();
    await new Promise<void>((resolve) => setImmediate(resolve));
    goOn();
    await finishYume(bin);
    expect(yumeResults(bin)).toEqual(['much '.repeat(3_000)]);
  });
});
