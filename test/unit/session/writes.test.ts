import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { computeDigest } from '../../../src/node/system.ts';
import type { SessionRecord } from '../../../src/session/session-record.ts';
import { START } from '../../support/agent/session-events.ts';
import { createTestStore, fakeProcesses } from '../../support/agent/session-store.ts';
import { crashAt } from '../../support/fakes/crashing-file-system.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The events of a call that writes a file, before and after its effect. */
function callOf(id: string, path: string): readonly [AgentEvent, AgentEvent] {
  const effect = { summary: 'write', paths: [{ requested: path, realPath: path, access: 'write' }] } as const;
  const call = { id, name: 'write_file', arguments: '{}' };
  return [
    { type: 'tool_call', call, effect, permission: { type: 'allow', rule: 'r' } },
    { type: 'tool_result', callId: id, toolName: 'write_file', outcome: 'ok', content: '', summary: '', durationMs: 0 },
  ];
}

/** Plays a run with one call that writes a file. */
async function write(record: SessionRecord, path: string, content: string, fileSystem: FileSystem): Promise<void> {
  const [before, after] = callOf('call_1', path);
  const observer = record.writes.observe(record.messageCount);
  await record.append({ ...START, sessionId: record.id }, 'system');
  await record.append({ type: 'user_message', text: 'go' }, 'system');
  await observer.before(before);
  await fileSystem.replaceFile(
    path.slice(0, path.lastIndexOf('/')),
    path.slice(path.lastIndexOf('/') + 1),
    encode(content),
  );
  await observer.before(after);
}

/** The changed files of a session: `path: before -> after`. */
async function changes({ writes }: SessionRecord): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const { path, before, after } of writes.changes()) {
    const [from, to] = [before, after].map((version) =>
      version.type === 'file' ? decode(version.bytes) : version.type,
    );
    rows.push(`${path}: ${from} -> ${to}`);
  }
  return rows;
}

const FIRST = 'session-20261120-090000-0001';

describe('the journal of the writes of a session', () => {
  it('is kept when the session is continued or copied', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/w/a': 'one', '/w/b': 'b' });
    const store = createTestStore(fileSystem);
    const record = await store.create();
    await write(record, '/w/a', 'two', fileSystem);
    await record.close();
    const again = await store.open(FIRST);
    await write(again, '/w/a', 'three', fileSystem);
    await write(again, '/w/b', 'B', fileSystem);
    const expected = ['/w/a: one -> three', '/w/b: b -> B'];
    expect(await changes(again)).toEqual(expected);
    await store.save(again, 'kept');
    volume.rmSync(`/sessions/${FIRST}`, { recursive: true });
    expect(await changes(await store.open('kept'))).toEqual(expected);
    expect(await changes(await store.create())).toEqual([]);
  });

  it('keeps the exact bytes, secrets included, in files that only the owner may read', async () => {
    const secret = 'API_KEY=hunter2\r\n\u0000\ufeff';
    const { fileSystem, volume } = createMemoryFileSystem({ '/w/.env': secret });
    volume.chmodSync('/w/.env', 0o600);
    const record = await createTestStore(fileSystem, { redact: (text) => text.replaceAll('hunter2', 'x') }).create();
    await write(record, '/w/.env', 'new', fileSystem);
    const directory = `/sessions/${FIRST}/writes`;
    const digest = computeDigest(encode(secret));
    expect(volume.readFileSync(`${directory}/${digest}`, 'utf8')).toBe(secret);
    expect(volume.readFileSync(`${directory}/index.jsonl`, 'utf8').toString().split('\n')).toEqual([
      `{"type":"before","run":0,"call":"call_1","path":"/w/.env","state":{"type":"file","digest":"${digest}","mode":384,"size":${encode(secret).length}}}`,
      `{"type":"after","run":0,"call":"call_1","path":"/w/.env","state":{"type":"file","digest":"${computeDigest(encode('new'))}","mode":384,"size":3}}`,
      '',
    ]);
    const modes = [directory, ...volume.readdirSync(directory).map((name) => `${directory}/${name}`)].map(
      (file) => volume.statSync(file).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it('stays in memory without auto_save until /save, together with that of the stored session', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/w/a': 'one', '/w/b': 'b' });
    const record = await createTestStore(fileSystem).create();
    await write(record, '/w/a', 'two', fileSystem);
    await record.close();
    const stored = volume.readFileSync(`/sessions/${FIRST}/writes/index.jsonl`, 'utf8');
    const quiet = createTestStore(fileSystem, { autoSave: false });
    const again = await quiet.open(FIRST);
    await write(again, '/w/b', 'B', fileSystem);
    expect(volume.readFileSync(`/sessions/${FIRST}/writes/index.jsonl`, 'utf8')).toBe(stored);
    expect(await changes(again)).toEqual(['/w/a: one -> two', '/w/b: b -> B']);
    await quiet.save(again, 'kept');
    await quiet.save(again, 'kept');
    await again.close();
    expect(await changes(await quiet.open('kept'))).toEqual(['/w/a: one -> two', '/w/b: b -> B']);
  });

  it('is removed with its session', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/w/a': 'one' });
    let now = Date.UTC(2026, 10, 20, 9);
    const store = createTestStore(fileSystem, { clock: { now: () => now, sleep: async () => {} } });
    const record = await store.create();
    await write(record, '/w/a', 'two', fileSystem);
    await record.close();
    for (let day = 0; day < 3; day += 1) {
      now += 40 * 86_400_000;
      await store.cleanUp({ maxSessions: 0, retentionDays: 30 }, async () => {});
    }
    expect(volume.existsSync(`/sessions/${FIRST}`)).toBe(false);
  });

  it('skips lines that it cannot read, and begins a new one after a torn line', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/w/a': 'one', '/w/b': 'b' });
    const store = createTestStore(fileSystem);
    const record = await store.create();
    await write(record, '/w/a', 'two', fileSystem);
    await record.close();
    volume.appendFileSync(
      `/sessions/${FIRST}/writes/index.jsonl`,
      'junk\n{"type":"before","path":"/w/b","state":"x"}\n{"type":"bef',
    );
    const again = await store.open(FIRST);
    await write(again, '/w/b', 'B', fileSystem);
    await again.close();
    expect(await changes(await store.open(FIRST))).toEqual(['/w/a: one -> two', '/w/b: b -> B']);
  });

  it('has the bytes of each changed file after a crash at any operation', async () => {
    const run = async (fileSystem: FileSystem): Promise<void> => {
      const record = await createTestStore(fileSystem).create();
      await write(record, '/w/a', 'two', fileSystem);
      await write(record, '/w/new', 'new', fileSystem);
    };
    const start = () => createMemoryFileSystem({ '/w/a': 'one' });
    const counted = start();
    const all = crashAt(Number.POSITIVE_INFINITY, counted);
    await run(all.fileSystem);
    let compared = 0;
    for (let crashing = 1; crashing <= all.operations(); crashing += 1) {
      const memory = start();
      await run(crashAt(crashing, memory).fileSystem).catch(() => {});
      const { volume, fileSystem } = memory;
      const expected = [
        ...(volume.readFileSync('/w/a', 'utf8') === 'one' ? [] : ['/w/a: one -> two']),
        ...(volume.existsSync('/w/new') ? ['/w/new: missing -> new'] : []),
      ];
      if (expected.length === 0) continue;
      compared += 1;
      const next = await createTestStore(fileSystem, { processes: fakeProcesses({}, 2) }).open(FIRST);
      expect([crashing, await changes(next)]).toEqual([crashing, expected]);
    }
    expect(compared).toBeGreaterThan(5);
  });
});
