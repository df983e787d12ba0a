import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { applyEvent, EMPTY_SESSION } from '../../../src/core/session-state.ts';
import type { AgentEvent } from '../../../src/ports/events.ts';
import type { SessionRecord } from '../../../src/session/session-record.ts';
import type { StoreOptions } from '../../../src/session/session-store.ts';
import { crashAt } from '../../support/crashing-file-system.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../support/memory-file-system.ts';
import { createTestStore, fakeProcesses } from '../../support/session-store.ts';

const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'm' };
const call = (id: string, text = '{"path":"a.txt"}') => ({ id, name: 'read_file', arguments: text });
const answer = (content: string, ...calls: ReturnType<typeof call>[]): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', content, toolCalls: calls },
  finish: calls.length === 0 ? 'stop' : 'tool_calls',
});
const called = (id: string, type: 'allow' | 'ask'): AgentEvent => ({
  type: 'tool_call',
  call: call(id),
  effect: { summary: 'read a.txt', paths: [{ requested: 'a.txt', realPath: '/w/a.txt', access: 'read' }] },
  permission: type === 'allow' ? { type, rule: 'mode' } : { type, rule: 'mode', reason: 'why' },
});
const result = (callId: string): Extract<AgentEvent, { type: 'tool_result' }> => ({
  type: 'tool_result',
  callId,
  toolName: 'read_file',
  outcome: 'ok',
  content: 'lines 1–1 of 1\n1\tone',
  summary: 'lines 1–1 of 1',
  files: [{ realPath: '/w/a.txt', digest: 'd1' }],
  durationMs: 3,
});

const START: AgentEvent = {
  type: 'session_start',
  sessionId: 'id',
  time: '2026-11-20T09:00:00.000Z',
  model: 'mock/m',
  workspace: '/w',
  permissionMode: 'ask',
};

/** Events of every type that a log keeps. */
const EVENTS: readonly AgentEvent[] = [
  START,
  { type: 'user_message', text: 'read a.txt\nwith "quotes" and \u2028' },
  { type: 'turn_start', turn: 1, model: MODEL },
  { type: 'retry', attempt: 1, delayMs: 5, code: 'overloaded', message: 'busy' },
  { type: 'usage', model: MODEL, inputTokens: 100, outputTokens: 7 },
  answer('I look.', call('a'), call('b', '{ "path" : 1.0 }'), call('c', 'not JSON')),
  called('a', 'allow'),
  result('a'),
  called('b', 'ask'),
  {
    type: 'approval_request',
    request: { callId: 'b', toolName: 'read_file', effect: { summary: 's', paths: [] }, reason: 'r' },
  },
  { type: 'approval_decision', callId: 'b', decision: { type: 'session' }, added: { type: 'edit_read_files' } },
  result('b'),
  { type: 'tool_call', call: call('c', 'not JSON') },
  { ...result('c'), outcome: 'failed' },
  { type: 'tasks', tasks: [{ content: 'fix', status: 'pending' }] },
  { type: 'warning', code: 'repetition', message: 'again' },
  { type: 'turn_end', turn: 1 },
  { type: 'compaction', tokensBefore: 900, tokensAfter: 90, messages: [{ role: 'user', content: 'short' }] },
  answer('Done.'),
  { type: 'turn_end', turn: 2 },
  { type: 'run_end', outcome: 'done', message: 'Done.' },
];

function stateOf(events: readonly AgentEvent[]) {
  return { ...events.reduce(applyEvent, EMPTY_SESSION), started: false, rules: [] };
}

async function write(record: SessionRecord, events: readonly AgentEvent[]): Promise<void> {
  for (const event of events) await record.append(event, 'the system prompt');
}

function setUp(options: Partial<StoreOptions> = {}, memory: MemoryFileSystem = createMemoryFileSystem()) {
  const store = createTestStore(memory.fileSystem, options);
  const read = (name: string): string => memory.volume.readFileSync(`/sessions/${name}`, 'utf8').toString();
  return { ...memory, store, read, list: () => memory.volume.readdirSync('/sessions').map(String) };
}

const FIRST = 'session-20261120-090000-0001';

describe('a stored session', () => {
  it('restores the state of its events exactly, without permission rules', async () => {
    const { store } = setUp();
    const record = await store.create();
    await write(record, EVENTS);
    await record.close();
    const { restored } = await store.open(record.name);
    expect(restored?.state).toEqual(stateOf(EVENTS));
    expect(restored).toMatchObject({ damage: [], interrupted: [], messageCount: 6, start: { sessionId: 'id' } });
    expect([...(restored?.files ?? [])]).toEqual([['/w/a.txt', 'd1']]);
  });

  it('restores the last usage with the messages before it', async () => {
    const { store } = setUp();
    const record = await store.create();
    const events = EVENTS.filter(({ type }) => type !== 'compaction');
    await write(record, events);
    await record.close();
    expect((await store.open(record.name)).restored?.state).toEqual(stateOf(events));
    expect(stateOf(events).counted?.messages).toHaveLength(1);
  });

  it('has the line types of the specification, one line per event, and nothing of deltas and live output', async () => {
    const { store, read } = setUp();
    const record = await store.create();
    await write(record, [
      ...EVENTS,
      { type: 'text_delta', text: 'x' },
      { type: 'reasoning_delta', text: 'x' },
      { type: 'tool_output', callId: 'a', stream: 'stdout', text: 'x' },
    ]);
    await record.close();
    const lines = read(`${FIRST}.jsonl`)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(EVENTS.length + 3);
    const timestamp = '2026-11-20T09:00:00.000Z';
    const find = (type: string) => lines.find((line) => line.type === type);
    expect(lines[0]).toEqual({ timestamp, type: 'version', version: 1 });
    expect(find('session_start')).toMatchObject({
      timestamp,
      sessionId: 'id',
      config: { provider: 'mock', model: 'm' },
    });
    expect(find('system')).toEqual({ timestamp, type: 'system', content: 'the system prompt' });
    expect(find('user')).toMatchObject({ content: 'read a.txt\nwith "quotes" and \u2028' });
    expect(find('assistant')).toMatchObject({ content: 'I look.', finish: 'tool_calls' });
    expect(lines.filter((line) => line.type === 'tool_call').map((line) => line.arguments)).toEqual([
      { path: 'a.txt' },
      { path: 'a.txt' },
      'not JSON',
    ]);
    expect(find('tool_result')).toMatchObject({ id: 'a', success: true, output: 'lines 1–1 of 1\n1\tone' });
    expect(lines.at(-1)).toEqual({ timestamp, type: 'session_end', reason: 'user_exit', message_count: 6 });
  });

  it('is readable for its owner only', async () => {
    const { store, volume } = setUp();
    const record = await store.create();
    await write(record, EVENTS);
    const mode = (path: string): number => volume.statSync(path).mode & 0o777;
    expect([mode('/sessions'), mode(`/sessions/${FIRST}.jsonl`), mode(`/sessions/${FIRST}.lock`)]).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });

  it('leaves nothing behind without an event', async () => {
    const { store, list } = setUp();
    await (await store.create()).close();
    expect(list()).toEqual([]);
  });

  it('has another name if its own is taken', async () => {
    const { store, volume } = setUp();
    volume.mkdirSync('/sessions');
    volume.writeFileSync('/sessions/wanted.jsonl', '');
    expect((await store.create('wanted')).name).toBe(FIRST);
  });

  it('goes on in its file after it was opened again', async () => {
    const { store, read } = setUp();
    const record = await store.create();
    await write(record, EVENTS);
    await record.close();
    const before = read(`${FIRST}.jsonl`);
    const again = await store.open(FIRST);
    await write(again, [START, { type: 'user_message', text: 'more' }]);
    await again.close();
    expect(read(`${FIRST}.jsonl`).startsWith(before)).toBe(true);
    const { restored } = await store.open(FIRST);
    expect(restored?.state.messages.at(-1)).toEqual({ role: 'user', content: 'more' });
    expect(restored?.messageCount).toBe(7);
  });

  it('has its secrets redacted, except for what refers to other lines', async () => {
    const { store, read } = setUp({ redact: (text) => text.replaceAll('hunter2', '[redacted]') });
    const record = await store.create();
    const state = { model: 'm', items: [{ text: 'hunter2' }] };
    await write(record, [
      { type: 'user_message', text: 'my password is hunter2' },
      {
        type: 'assistant_message',
        message: {
          role: 'assistant',
          content: '',
          toolCalls: [call('hunter2', '{"id":"hunter2"}')],
          providerState: state,
        },
        finish: 'stop',
      },
      { type: 'tool_call', call: call('hunter2', '{ "id": "hunter2" }') },
      { ...result('hunter2'), content: 'hunter2' },
    ]);
    await record.close();
    const text = read(`${FIRST}.jsonl`);
    expect(text.match(/hunter2/g)).toHaveLength(3);
    const { restored } = await store.open(FIRST);
    expect(restored?.state.messages).toEqual([
      { role: 'user', content: 'my password is [redacted]' },
      { role: 'assistant', content: '', toolCalls: [call('hunter2', '{"id":"[redacted]"}')] },
      { role: 'tool', toolCallId: 'hunter2', content: '[redacted]', isError: false },
    ]);
  });

  it.each([
    ['a call that was allowed', [called('a', 'allow')], 1],
    [
      'a call that the user allowed',
      [called('a', 'ask'), { type: 'approval_decision', callId: 'a', decision: { type: 'once' } }],
      1,
    ],
    ['a call that nobody has allowed yet', [called('a', 'ask')], 0],
    [
      'a call that was denied',
      [called('a', 'ask'), { type: 'approval_decision', callId: 'a', decision: { type: 'deny' } }],
      0,
    ],
    ['a call that has ended', [called('a', 'allow'), result('a')], 0],
  ] as const)('says that %s was interrupted %#', async (_name, events, count) => {
    const { store } = setUp();
    const record = await store.create();
    await write(record, [START, answer('', call('a')), ...events]);
    await record.close();
    const again = await store.open(FIRST);
    expect(again.restored?.interrupted).toHaveLength(count);
    await again.close();
    const { restored } = await store.open(FIRST);
    expect(restored?.interrupted).toEqual([]);
    const last = restored?.state.messages.at(-1);
    if (count === 1) expect(last).toMatchObject({ role: 'tool', toolCallId: 'a', isError: true });
  });
});

describe('the log of a session', () => {
  async function damaged(change: (text: string) => string) {
    const { store, volume, read, list } = setUp();
    const record = await store.create();
    await write(record, EVENTS);
    await record.close();
    const before = read(`${FIRST}.jsonl`);
    volume.writeFileSync(`/sessions/${FIRST}.jsonl`, change(before));
    return { store, before, read, list };
  }

  it('loses a torn last line, which is kept aside', async () => {
    const { store, before, read } = await damaged((text) => `${text}{"timestamp":"2026","type":"us`);
    const record = await store.open(FIRST);
    expect(record.restored?.state).toEqual(stateOf(EVENTS));
    expect(read(`${FIRST}.jsonl`)).toBe(before);
    expect(read(`${FIRST}.jsonl.torn`)).toBe('{"timestamp":"2026","type":"us');
  });

  it('loses NUL bytes at its end', async () => {
    const { store, before, read } = await damaged((text) => `${text}${'\0'.repeat(100)}`);
    await store.open(FIRST);
    expect(read(`${FIRST}.jsonl`)).toBe(before);
  });

  it('keeps a last line that only lacks its line feed', async () => {
    const { store, before, read, list } = await damaged((text) => text.slice(0, -1));
    const record = await store.open(FIRST);
    expect(record.restored?.state).toEqual(stateOf(EVENTS));
    expect(read(`${FIRST}.jsonl`)).toBe(before);
    expect(list()).not.toContain(`${FIRST}.jsonl.torn`);
  });

  it('is read without its damaged lines, which are reported', async () => {
    const { store } = await damaged((text) => {
      const lines = text.split('\n');
      return [
        ...lines.slice(0, 4),
        '{"type":',
        '\0\0',
        '[]',
        '{"type":"user"}',
        '{"type":"later","x":1}',
        ...lines.slice(4),
      ].join('\n');
    });
    const { restored } = await store.open(FIRST);
    expect(restored?.state).toEqual(stateOf(EVENTS));
    expect(restored?.damage).toEqual([
      { line: 5, reason: 'not JSON' },
      { line: 6, reason: 'not JSON' },
      { line: 7, reason: 'not an object with a type' },
      { line: 8, reason: 'not a complete user_message' },
    ]);
  });

  it('of a newer version is not opened, and stays free', async () => {
    const { store, list } = await damaged((text) => text.replace('"version":1', '"version":2'));
    await expect(store.open(FIRST)).rejects.toThrow(/was written by a newer ybs \(version 2 of the format/);
    expect(list()).toEqual([`${FIRST}.jsonl`]);
  });
});

describe('a session in use', () => {
  it('is not opened by another process, nor by the same one', async () => {
    const memory = createMemoryFileSystem();
    const { store } = setUp({}, memory);
    await write(await store.create(), EVENTS);
    await expect(store.open(FIRST)).rejects.toThrow(`The session ${FIRST} is open in another ybs (process 1 on here).`);
    const other = setUp({ processes: fakeProcesses({ 1: 'start' }, 2) }, memory).store;
    await expect(other.open(FIRST)).rejects.toThrow('is open in another ybs');
  });

  it.each([
    ['ended', fakeProcesses({}, 2)],
    ['ended, and another one has its id', fakeProcesses({ 1: 'later' }, 2)],
  ])('is opened after its process has %s', async (_name, processes) => {
    const memory = createMemoryFileSystem();
    await write(await setUp({}, memory).store.create(), EVENTS);
    const { store, read, list } = setUp({ processes }, memory);
    const record = await store.open(FIRST);
    expect(JSON.parse(read(`${FIRST}.lock`))).toMatchObject({ pid: 2 });
    await record.close();
    expect(list()).toEqual([`${FIRST}.jsonl`]);
  });

  it('on another machine counts as open', async () => {
    const memory = createMemoryFileSystem();
    await write(await setUp({}, memory).store.create(), EVENTS);
    const processes = { ...fakeProcesses({}, 2), self: async () => ({ pid: 2, started: 'start', host: 'there' }) };
    await expect(setUp({ processes }, memory).store.open(FIRST)).rejects.toThrow('(process 1 on here)');
  });

  it('with an empty lock is opened, once the lock is not just being written', async () => {
    const clock = createManualClock();
    const { store, volume } = setUp({ clock });
    const record = await store.create();
    await write(record, EVENTS);
    await record.close();
    volume.writeFileSync(`/sessions/${FIRST}.lock`, '');
    const opening = store.open(FIRST);
    await clock.advance(100);
    expect((await opening).restored?.messageCount).toBe(6);
  });
});

describe('a process that ends at any operation of the disk', () => {
  it('loses no event that it had stored, and blocks nothing', async () => {
    const run = async (crashing: number) => {
      const memory = createMemoryFileSystem();
      const crash = crashAt(crashing, memory);
      const clock = createManualClock();
      const stored: AgentEvent[] = [];
      try {
        const record = await createTestStore(crash.fileSystem, { clock }).create();
        for (const event of EVENTS) {
          await record.append(event, 'system');
          stored.push(event);
        }
        await record.close();
      } catch {
        // The end of the process.
      }
      return { memory, stored, operations: crash.operations() };
    };
    const { operations } = await run(Number.POSITIVE_INFINITY);
    expect(operations).toBeGreaterThan(EVENTS.length);
    const lastStored = new Map<string, number>();
    for (let crashing = 1; crashing <= operations; crashing += 1) {
      const { memory, stored } = await run(crashing);
      const clock = createManualClock();
      const processes = fakeProcesses({}, 2);
      const store = createTestStore(memory.fileSystem, { clock, processes });
      const names = (await store.heads()).map(({ name }) => name);
      expect(names.length, `operation ${crashing}`).toBe(stored.length === 0 ? names.length : 1);
      const [name] = names;
      if (name === undefined) continue;
      const opening = store.open(name);
      await clock.advance(100);
      const { restored } = await opening;
      const type = stored.at(-1)?.type ?? 'none';
      lastStored.set(type, (lastStored.get(type) ?? 0) + 1);
      // The next event may have been stored as well, because the process ended before it knew.
      const possible = [stored, EVENTS.slice(0, stored.length + 1)].map(stateOf);
      const isPossible = possible.some((state) => isDeepStrictEqual(restored?.state, state));
      expect(isPossible, `operation ${crashing}, after ${type}`).toBe(true);
      expect(restored?.damage).toEqual([]);
    }
    // Every type of event was the last one before a crash.
    expect([...lastStored.keys()].sort()).toEqual([...new Set(['none', ...EVENTS.map(({ type }) => type)])].sort());
  });
});
