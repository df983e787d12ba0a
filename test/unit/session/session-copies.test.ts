import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAgent } from '../../../src/agent/agent-loop.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { sendWholeHistory } from '../../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { readAudit } from '../../../src/session/audit/read-audit.ts';
import { NotSavedError } from '../../../src/session/log/session-log.ts';
import { recordEvents, type SessionRecord } from '../../../src/session/session-record.ts';
import type { StoreOptions } from '../../../src/session/session-store.ts';
import { allowAll } from '../../support/agent/agent-harness.ts';
import { START } from '../../support/agent/session-events.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';
import { createScriptedModel } from '../../support/fakes/scripted-model.ts';
import { scriptedTools } from '../../support/fakes/scripted-tools.ts';

const FIRST = 'session-20261120-090000-0001';
const DAY = 86_400_000;

function setUp(options: Partial<StoreOptions> = {}) {
  const clock = createManualClock();
  const memory = createMemoryFileSystem();
  const store = createTestStore(memory.fileSystem, { clock, ...options });
  const read = (name: string): string => memory.volume.readFileSync(`/sessions/${name}`, 'utf8').toString();
  const list = () => (memory.volume.existsSync('/sessions') ? memory.volume.readdirSync('/sessions').map(String) : []);
  return { ...memory, clock, store, read, list };
}

async function write(record: SessionRecord, text: string): Promise<void> {
  await record.append({ ...START, sessionId: record.id }, 'system');
  const saved = await record.files.saveOutput('call_1', `the output of ${text}`);
  await record.append({ type: 'user_message', text: `${text}, see ${saved}` }, 'system');
}

describe('a copy of a session', () => {
  it.each([true, false])('has its own id and files, and can be loaded (auto_save: %s)', async (autoSave) => {
    const { store, read, list } = setUp({ autoSave });
    const record = await store.create();
    await write(record, 'one');
    expect(await store.save(record, 'fix')).toBe('/sessions/fix.jsonl');
    expect(list().filter((name) => !name.includes('session-'))).toEqual(['fix', 'fix.jsonl']);
    expect(read('fix/outputs/call_1.txt')).toBe('the output of one');
    const copy = await store.open('fix');
    expect(copy.id).not.toBe(record.id);
    expect(copy.restored?.state.messages).toEqual([
      { role: 'user', content: 'one, see /sessions/fix/outputs/call_1.txt' },
    ]);
  });

  it('replaces an earlier copy of the same session, but not a copy of another', async () => {
    const { store, read } = setUp();
    const record = await store.create();
    await write(record, 'one');
    const file = await store.save(record, '');
    expect(file).toMatch(/^\/sessions\/saved-20261120-090000-[0-9a-f]{4}\.jsonl$/);
    await record.append({ type: 'user_message', text: 'two' }, '');
    expect(await store.save(record, '')).toBe(file);
    expect(read(path.basename(file))).toContain('"content":"two"');
    const other = await store.create();
    await write(other, 'other');
    await expect(store.save(other, path.basename(file, '.jsonl'))).rejects.toThrow(/^There is a session saved-/);
    await store.save(record, 'fix');
    expect(await store.save(record, '')).toBe('/sessions/fix.jsonl');
  });

  it('cannot be made of a session without a message', async () => {
    const { store } = setUp();
    await expect(store.save(await store.create(), 'fix')).rejects.toThrow('There is nothing to save yet.');
  });
});

describe('without auto_save', () => {
  it('no session is stored, and its outputs are removed at the end', async () => {
    const { store, volume, list } = setUp({ autoSave: false });
    const record = await store.create();
    await write(record, 'one');
    expect(list()).toEqual([]);
    expect(volume.readdirSync(record.files.outputDirectory).map(String)).toEqual(['call_1.txt']);
    await record.close();
    expect(volume.existsSync(record.files.outputDirectory)).toBe(false);
    expect(list()).toEqual([]);
  });

  it('a loaded session is not changed, but a copy of it is complete', async () => {
    const { store, fileSystem, clock, read } = setUp();
    const record = await store.create();
    await write(record, 'one');
    await record.close();
    const before = read(`${FIRST}.jsonl`);
    const quiet = createTestStore(fileSystem, { clock, autoSave: false });
    const again = await quiet.open(FIRST);
    await again.append({ type: 'user_message', text: 'two' }, '');
    await quiet.save(again, 'fix');
    await again.close();
    expect(read(`${FIRST}.jsonl`)).toBe(before);
    const { restored } = await store.open('fix');
    expect(restored?.state.messages.map(({ content }) => content)).toEqual([
      'one, see /sessions/fix/outputs/call_1.txt',
      'two',
    ]);
  });
});

it('an export is a new file with the session as Markdown', async () => {
  const { store, volume } = setUp({ redact: (text) => text.replaceAll('hunter2', '[redacted]') });
  volume.mkdirSync('/w');
  const record = await store.create();
  await write(record, 'my password is hunter2');
  expect(await store.export(record, '/w', 'out.md')).toBe('/w/out.md');
  const text = volume.readFileSync('/w/out.md', 'utf8').toString();
  expect(text).toMatch(/^# Session session-20261120-090000-0001\n\n- model: mock\/m\n/);
  expect(text).toContain('## User\n\nmy password is [redacted], see /sessions/');
  await expect(store.export(record, '/w', 'out.md')).rejects.toMatchObject({ code: 'already_exists' });
  await expect(store.export(await store.create(), '/w', 'new.md')).rejects.toThrow('There is nothing to export yet.');
});

describe('old sessions', () => {
  const limits = { maxSessions: 0, retentionDays: 30 };

  it('are announced once, and removed with their files a day later', async () => {
    const { store, clock, list } = setUp();
    const record = await store.create();
    await write(record, 'one');
    await store.save(record, 'kept');
    await record.close();
    await clock.advance(31 * DAY);
    const told: string[] = [];
    const tell = async (text: string) => told.push(text);
    await store.cleanUp(limits, tell);
    await store.cleanUp(limits, tell);
    expect(told).toEqual([expect.stringContaining(`will remove the session ${FIRST}`)]);
    expect(list()).toContain(`${FIRST}.jsonl`);
    await clock.advance(DAY);
    await store.cleanUp(limits, tell);
    expect(told).toHaveLength(1);
    expect(list()).toEqual(['announced.json', 'kept', 'kept.jsonl']);
  });

  it('stay while they are open', async () => {
    const { store, clock, list } = setUp();
    const record = await store.create();
    await write(record, 'one');
    await clock.advance(31 * DAY);
    await store.cleanUp(limits, () => Promise.reject(new Error('announced')));
    expect(list()).toContain(`${FIRST}.jsonl`);
  });
});

describe('a run whose events cannot be stored', () => {
  const setUpFull = async () => {
    const { promises, fileSystem, store, read } = setUp();
    const record = await store.create();
    const session = { state: EMPTY_SESSION };
    /** The number of lines for which the disk has room. */
    const disk = { room: 0 };
    const run = async (prompt: string, answer: string): Promise<readonly AgentEvent[]> => {
      const events: AgentEvent[] = [];
      const started = runAgent(
        { prompt, session, signal: new AbortController().signal },
        {
          model: createScriptedModel({ text: answer }),
          clock: createManualClock(),
          digest: computeDigest,
          approver: { decide: () => Promise.reject(new Error('not asked')) },
          tools: scriptedTools({}),
        },
        {
          system: 'system',
          maxIterations: 25,
          dryRun: false,
          decide: allowAll,
          prepareRequest: sendWholeHistory,
          session: { sessionId: record.id, model: 'mock/m', workspace: '/w', permissionMode: 'ask' },
        },
      );
      for await (const event of recordEvents(started, record, 'system')) events.push(event);
      return events;
    };
    const { open } = promises;
    promises.open = async (file, flags, mode) => {
      const handle = await open(file, flags, mode);
      const fail = async (): Promise<never> => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      };
      return { ...handle, write: (bytes) => (disk.room-- > 0 ? handle.write(bytes) : fail()) };
    };
    return { fileSystem, store, read, record, session, run, disk };
  };

  it('ends with the reason, and the next run stores the missing events', async () => {
    const { fileSystem, read, record, session, run, disk } = await setUpFull();
    const failed = await run('first', 'never');
    expect(failed).toEqual([
      {
        type: 'run_end',
        outcome: 'failed',
        message: expect.stringMatching(/^The session cannot be saved in .*: the disk is full\./),
        error: { code: 'not_saved', message: expect.any(String) },
      },
    ]);
    disk.room = Number.POSITIVE_INFINITY;
    expect((await run('second', 'Yes.')).at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
    await record.close();
    const again = await createTestStore(fileSystem).open(FIRST);
    expect(again.restored?.state).toEqual({ ...session.state, started: false });
    expect(again.restored?.state.messages.map(({ content }) => content)).toEqual(['first', 'second', 'Yes.']);
    expect(read(`${FIRST}.jsonl`)).toContain('not_saved');
  });

  it('is stored when the session is closed, if the disk has room by then', async () => {
    const { fileSystem, record, run, disk } = await setUpFull();
    await run('first', 'never');
    disk.room = Number.POSITIVE_INFINITY;
    await record.close();
    expect((await createTestStore(fileSystem).open(FIRST)).restored?.promptCount).toBe(1);
  });

  it('is lost when the session is closed before that, which an error reports', async () => {
    const { fileSystem, record, run, disk } = await setUpFull();
    await run('first', 'never');
    await expect(record.close()).rejects.toThrow(
      /^4 lines of it cannot be saved and will be lost: .*\.jsonl: the disk is full$/,
    );
    disk.room = Number.POSITIVE_INFINITY;
    expect((await createTestStore(fileSystem).open(FIRST)).restored?.promptCount).toBe(0);
  });

  it('stores no action and no compaction that failed because it could not be stored', async () => {
    const { fileSystem, record, run, disk } = await setUpFull();
    disk.room = Number.POSITIVE_INFINITY;
    await run('first', 'Yes.');
    disk.room = 0;
    const action = { type: 'user_action', action: '!command', detail: 'ls' } as const;
    await expect(record.announce(action)).rejects.toThrow(NotSavedError);
    await expect(
      record.announce({ type: 'compaction', tokensBefore: 2, tokensAfter: 0, messages: [] }),
    ).rejects.toThrow(NotSavedError);
    disk.room = Number.POSITIVE_INFINITY;
    await record.announce(action);
    await record.close();
    const { restored } = await createTestStore(fileSystem).open(FIRST);
    expect(restored?.state.messages.map(({ content }) => content)).toEqual(['first', 'Yes.']);
    expect((await readAudit(record.lines())).map(({ tool, summary }) => [tool, summary])).toEqual([['!command', 'ls']]);
  });

  it('counts only the lines that are lost', async () => {
    const { record, run, disk } = await setUpFull();
    await run('first', 'never');
    disk.room = 3;
    await expect(record.close()).rejects.toThrow(/^1 line of it cannot be saved and will be lost: /);
  });

  it('loses only the last line of the log when the disk is full at the end', async () => {
    const { fileSystem, record, run, disk } = await setUpFull();
    disk.room = Number.POSITIVE_INFINITY;
    await run('first', 'Yes.');
    disk.room = 0;
    await record.close();
    expect((await createTestStore(fileSystem).open(FIRST)).restored?.promptCount).toBe(1);
  });
});

it('lines that arrive together are written one after the other', async () => {
  const { fileSystem, store } = setUp();
  const record = await store.create();
  const action = { type: 'user_action', action: '/permissions', detail: 'run_shell denied' } as const;
  await Promise.all([
    record.append({ ...START, sessionId: record.id }, 'system'),
    record.append({ type: 'user_message', text: 'go' }, ''),
    record.announce(action),
    record.append({ type: 'run_end', outcome: 'done', message: 'Done.' }, ''),
  ]);
  const lines: unknown[] = [];
  for await (const line of record.lines()) lines.push(JSON.parse(line));
  const types = ['version', 'session_start', 'system', 'user', 'user_action', 'run_end'];
  expect(lines).toEqual(types.map((type) => expect.objectContaining({ type })));
  await record.close();
  expect((await createTestStore(fileSystem).open(FIRST)).restored?.damage).toEqual([]);
});

it('closing a session waits for a line that is being written', async () => {
  const { fileSystem, store, read } = setUp();
  const record = await store.create();
  const writing = record.append({ ...START, sessionId: record.id }, 'system');
  await record.close();
  expect(read(`${FIRST}.jsonl`)).toMatch(/"session_start".*\n.*"system".*\n.*"session_end".*\n$/);
  await writing;
  expect((await createTestStore(fileSystem).open(FIRST)).restored?.damage).toEqual([]);
});

describe('a log of an earlier version', () => {
  it.each([1])('is read: version %i', async (version) => {
    const text = readFileSync(path.join(import.meta.dirname, `fixtures/session-v${version}.jsonl`), 'utf8');
    const { store, volume, read } = setUp();
    volume.mkdirSync('/sessions');
    volume.writeFileSync('/sessions/old.jsonl', text);
    const { id, restored } = await store.open('old');
    expect(id).toBe('6f1c2a58-0f65-4c3e-9d3b-5a0f0b8f7c11');
    expect(restored?.damage).toEqual([]);
    expect(restored?.state.messages).toEqual([
      { role: 'user', content: 'Read the README file' },
      {
        role: 'assistant',
        content: 'I read it.',
        toolCalls: [{ id: 'call_1', name: 'read_file', arguments: '{ "path": "README.md" }' }],
      },
      { role: 'tool', toolCallId: 'call_1', content: 'lines 1–1 of 1\n1\t# My Project', isError: false },
      { role: 'assistant', content: "I've read your README.", toolCalls: [] },
    ]);
    expect([...(restored?.files ?? [])]).toEqual([['/w/README.md', 'd2c8'.repeat(16)]]);
    expect(read('old.jsonl')).toBe(text);
  });
});
