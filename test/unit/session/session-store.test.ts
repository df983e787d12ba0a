import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { acquireLock, whileLocked } from '../../../src/session/log/lock.ts';
import type { SessionRecord } from '../../../src/session/session-record.ts';
import type { StoreOptions } from '../../../src/session/session-store.ts';
import { answer, call, called, EVENTS, result, START, stateOf } from '../../support/agent/session-events.ts';
import { createTestStore, fakeProcesses } from '../../support/agent/session-store.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

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
    const tokens = EVENTS.flatMap((event) => (event.type === 'usage' ? [event] : []));
    expect(restored?.inputTokens).toBe(tokens.reduce((sum, { inputTokens }) => sum + inputTokens, 0));
    expect(restored?.outputTokens).toBe(tokens.reduce((sum, { outputTokens }) => sum + outputTokens, 0));
    expect(tokens).not.toEqual([]);
    expect(restored).toMatchObject({ damage: [], interrupted: [], messageCount: 6, start: { sessionId: 'id' } });
    expect([...(restored?.files ?? [])]).toEqual([['/w/a.txt', 'd1']]);
  });

  it('is restored from the log of another program, which has fewer fields', async () => {
    const { store, volume } = setUp();
    const lines = [
      { type: 'session_start', config: { provider: 'ollama', model: 'qwen3:14b' } },
      { type: 'system', content: 'You are an assistant.' },
      { type: 'user', content: 'What is in a.txt?' },
      { type: 'tool_call', id: 'c1', name: 'read_file', arguments: { path: 'a.txt' } },
      { type: 'tool_result', id: 'c1', success: true, output: 'one' },
      { type: 'tool_call', id: 'c2', name: 'read_file', arguments: { path: 'b.txt' } },
      { type: 'tool_result', id: 'c2', success: false, output: 'b.txt does not exist' },
      { type: 'assistant', content: 'One.' },
      { type: 'session_end', reason: 'user_exit', message_count: 6 },
    ];
    const text = lines.map((line) => `${JSON.stringify({ timestamp: '2026-01-18T14:30:22Z', ...line })}\n`).join('');
    volume.mkdirSync('/sessions', { recursive: true });
    volume.writeFileSync(`/sessions/${FIRST}.jsonl`, text);
    const { restored } = await store.open(FIRST);
    expect(restored).toMatchObject({ damage: [], running: [], interrupted: [], messageCount: 6 });
    expect(restored).not.toHaveProperty('stopped', expect.any(String));
    const answerOf = (id: string, args: string) => ({
      ...{ role: 'assistant', content: '' },
      toolCalls: [{ id, name: 'read_file', arguments: args }],
    });
    expect(restored?.state.messages).toMatchObject([
      { role: 'user', content: 'What is in a.txt?' },
      answerOf('c1', '{"path":"a.txt"}'),
      { role: 'tool', toolCallId: 'c1', content: 'one', isError: false },
      answerOf('c2', '{"path":"b.txt"}'),
      { role: 'tool', toolCallId: 'c2', content: 'b.txt does not exist', isError: true },
      { role: 'assistant', content: 'One.', toolCalls: [] },
    ]);
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

  it('has the line types of the specification, one line per event, without deltas and live output', async () => {
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

  it('leaves no file behind without an event', async () => {
    const { store, list } = setUp();
    await (await store.create()).close();
    expect(list()).toEqual([]);
  });

  it('gets another name if its own is taken', async () => {
    const { store, volume } = setUp();
    volume.mkdirSync('/sessions');
    volume.writeFileSync('/sessions/wanted.jsonl', '');
    expect((await store.create('wanted')).name).toBe(FIRST);
  });

  it('continues in its file after it was opened again', async () => {
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

  it('has its secrets redacted, except in references to other lines', async () => {
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
    ['a call that has not been allowed yet', [called('a', 'ask')], 0],
    [
      'a call that was denied',
      [called('a', 'ask'), { type: 'approval_decision', callId: 'a', decision: { type: 'deny' } }],
      0,
    ],
    ['a call that has ended', [called('a', 'allow'), result('a')], 0],
  ] as const)('counts the interrupted calls after %s', async (_name, events, count) => {
    const { store } = setUp();
    const record = await store.create();
    await write(record, [START, answer('', call('a')), ...events]);
    await record.close();
    const again = await store.open(FIRST);
    expect(again.restored?.interrupted).toHaveLength(count);
    expect(again.restored?.running).toHaveLength(count);
    await again.close();
    const { restored } = await store.open(FIRST);
    expect(restored?.interrupted).toEqual([]);
    const last = restored?.state.messages.at(-1);
    if (count === 1) expect(last).toMatchObject({ role: 'tool', toolCallId: 'a', isError: true });
  });

  it('names the calls that were interrupted, as they were shown', async () => {
    const { store } = setUp();
    const record = await store.create();
    const bare = { type: 'tool_call', call: call('b'), permission: { type: 'allow', rule: 'r' } } as const;
    await write(record, [START, answer('', call('a'), call('b')), called('a', 'allow'), bare, called('z', 'allow')]);
    await record.close();
    const { restored } = await store.open(FIRST);
    expect(restored?.running).toEqual(['read a.txt', 'read_file']);
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

  it('loses a torn last line, which is kept in another file', async () => {
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

  it('of a newer version is neither opened nor locked', async () => {
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

  it('names the file of a lock for which it waits in vain', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/home/trust.json': '{}' });
    const waits: number[] = [];
    const clock = {
      now: () => waits.length,
      async sleep(ms: number) {
        waits.push(ms);
      },
    };
    const ports = { fileSystem, clock, processes: fakeProcesses({ 1: 'start' }) };
    const release = await acquireLock('/home/trust.json.lock', ports);
    await expect(whileLocked('/home/trust.json.lock', ports, async () => 'done')).rejects.toThrow(
      new UsageError(
        '/home/trust.json is in use by another ybs (process 1 on here). Try again when it has ended; if that process does not exist, remove /home/trust.json.lock.',
      ),
    );
    await release();
    expect(await whileLocked('/home/trust.json.lock', ports, async () => 'done')).toBe('done');
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

  it('with an empty lock is opened, once nobody is writing the lock', async () => {
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
