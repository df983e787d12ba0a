import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import { chooseSession, openChosen, type SessionChoice } from '../../../src/session/choose-session.ts';
import type { SessionRecord } from '../../../src/session/session-record.ts';
import { START } from '../../support/agent/session-events.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const ONE = '00000000-0000-4000-8000-000000000001';
const NEW = 'session-20261120-090000-0001';
/** The name after the check of the directory, which takes the first random number. */
const TRIED = 'session-20261120-090000-0002';
const SETTINGS = { workspace: '/w', limits: { maxSessions: 100, retentionDays: 100 }, autoSave: true };

async function end(record: SessionRecord, text: string): Promise<void> {
  await record.append({ ...START, sessionId: record.id }, 'system');
  await record.append({ type: 'user_message', text }, 'system');
  await record.append({ type: 'run_end', outcome: 'done', message: 'Done.' }, 'system');
  await record.close();
}

/** A store with two sessions of `/w`, of which the second one has an id of a host. */
async function setUp() {
  const memory = createMemoryFileSystem();
  const store = createTestStore(memory.fileSystem);
  await end(await store.create('first'), 'one');
  await end(await store.create('second', 'job.7'), 'two');
  const read = (name: string): string => memory.volume.readFileSync(`/sessions/${name}.jsonl`, 'utf8').toString();
  const choose = (options: SessionChoice, autoSave = true) =>
    chooseSession(options, { ...SETTINGS, autoSave }, store, async () => {});
  return { store, choose, read };
}

describe('the session of a host', () => {
  it.each<[string, SessionChoice, object]>([
    ['is new', {}, { type: 'new', name: TRIED }],
    ['is new with an id', { sessionId: 'job.8' }, { type: 'new', name: TRIED, id: 'job.8' }],
    ['is the one with an id', { resume: 'job.7' }, { type: 'stored', name: 'second' }],
    ['is the one with an id given twice', { resume: ONE, sessionId: ONE }, { type: 'stored', name: 'first' }],
    [
      'is the one of an id that may be used again',
      { sessionId: 'job.7', reuse: true },
      { type: 'stored', name: 'second' },
    ],
    ['is new with an id that nobody has used', { sessionId: 'x', reuse: true }, { type: 'new', name: TRIED, id: 'x' }],
    ['is a fork', { resume: ONE, fork: true }, { type: 'fork', name: 'first' }],
    ['is a fork with an id', { resume: ONE, fork: true, sessionId: 'x' }, { type: 'fork', name: 'first', id: 'x' }],
  ])('%s', async (_name, options, chosen) => {
    const { choose } = await setUp();
    expect(await choose(options)).toEqual(chosen);
  });

  it('has no name if it is not stored', async () => {
    const { choose } = await setUp();
    expect(await choose({ sessionId: 'x' }, false)).toEqual({ type: 'new', id: 'x' });
  });

  it.each<[string, SessionChoice, RegExp]>([
    ['the id of a stored session', { sessionId: ONE }, /^There is a session 0.* already\. Continue it with --resume 0/],
    ['the name of a session as its id', { sessionId: 'first' }, /^There is a session first already\./],
    [
      'the id of another session for a fork',
      { resume: ONE, fork: true, sessionId: 'job.7' },
      /^There is a session job\.7 /,
    ],
    ['an invalid id', { sessionId: '../x' }, /^--session-id takes a UUID/],
    ['another id for a stored session', { resume: ONE, sessionId: 'x' }, /^--session-id is the id of a new session\./],
    ['a fork without a session', { fork: true }, /^--fork-session needs --resume or --continue/],
    ['a session that does not exist', { resume: 'gone' }, /^There is no session "gone"/],
  ])('cannot be %s', async (_name, options, message) => {
    const { choose } = await setUp();
    await expect(choose(options)).rejects.toThrow(message);
  });
});

describe('a fork', () => {
  it('continues the history in a new session, and leaves the original unchanged', async () => {
    const { store, read } = await setUp();
    const before = read('first');
    const fork = await store.fork('first', 'mine');
    expect([fork.id, fork.name]).toEqual(['mine', NEW]);
    expect(fork.restored?.state.messages).toEqual([{ role: 'user', content: 'one' }]);
    await fork.append({ type: 'user_message', text: 'more' }, 'system');
    await fork.close();
    expect(read('first')).toBe(before);
    expect(read(NEW)).toContain('"sessionId":"mine"');
    expect(read(NEW)).toContain('"more"');
  });

  it('is kept in memory if sessions are not stored', async () => {
    const memory = createMemoryFileSystem();
    await end(await createTestStore(memory.fileSystem).create('first'), 'one');
    const store = createTestStore(memory.fileSystem, { autoSave: false });
    const fork = await store.fork('first', 'mine');
    expect([fork.id, fork.file, fork.restored?.state.messages]).toEqual([
      'mine',
      undefined,
      [{ role: 'user', content: 'one' }],
    ]);
    await fork.close();
    expect(memory.volume.readdirSync('/sessions')).toEqual(['first.jsonl']);
  });
});

describe('a session that cannot be stored', () => {
  it.each([
    ['/home/a/sessions', 'ENOSPC', 'the disk is full'],
    ['/home/a/sessions', 'EROFS', 'the file system is read-only'],
    ['/home/x/ybs/sessions', 'ENOTDIR', 'a file is where a directory is needed'],
  ])('is not chosen: %s, %s', async (directory, code, reason) => {
    const { fileSystem, promises } = createMemoryFileSystem({ '/home/x': '' });
    promises.open = async () => {
      throw Object.assign(new Error('x'), { code });
    };
    await expect(
      chooseSession({}, SETTINGS, createTestStore(fileSystem, { directory }), async () => {}),
    ).rejects.toThrow(
      new UsageError(
        `The directory of the sessions cannot be used: ${directory}: ${reason}. Change that, or choose another directory (session.storage_path)`,
      ),
    );
  });

  it('is chosen if its directory is writable, a check that leaves no file and needs no id', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/home/x': '' });
    const newId = () => {
      throw new Error('An id loads the cryptography of Node.js.');
    };
    const store = createTestStore(fileSystem, { directory: '/home/a/sessions', newId });
    expect(await chooseSession({}, SETTINGS, store, async () => {})).toMatchObject({ type: 'new' });
    expect(volume.readdirSync('/home')).toEqual(['x']);
  });

  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EACCES', 'permission denied'],
    ['EROFS', 'the file system is read-only'],
    // What a recursive `mkdir` reports for a disk that is read-only.
    ['ENOENT', 'it cannot be created'],
    ['EIO', 'system error EIO'],
  ])('is reported with the reason and the remedy: %s', async (code, reason) => {
    const { fileSystem, promises } = createMemoryFileSystem();
    promises.mkdir = async () => {
      throw Object.assign(new Error('x'), { code });
    };
    await expect(openChosen({ type: 'new' }, createTestStore(fileSystem))).rejects.toThrow(
      new UsageError(
        `The directory of the sessions cannot be used: /sessions: ${reason}. Change that, or choose another directory (session.storage_path)`,
      ),
    );
  });
});
