import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../../../src/agent/ports/events.ts';
import { DIFF_COMMAND } from '../../../../../src/app/commands/session/diff-command.ts';
import { runChat } from '../../../../../src/cli/run-chat.ts';
import { computeDigest } from '../../../../../src/node/system.ts';
import { WriteJournal } from '../../../../../src/session/writes/write-journal.ts';
import { rememberedWrites, storedWrites, type WriteStorage } from '../../../../../src/session/writes/write-storage.ts';
import { configuredRun, MODEL, type RunScript } from '../../../../support/agent/configured-run.ts';
import { withoutMarks } from '../../../../support/agent/without-marks.ts';
import { COMMAND_CONTEXT } from '../../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../../support/fakes/fake-agent.ts';
import { createMemoryFileSystem } from '../../../../support/fakes/memory-file-system.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;
type ToolCallEvent = Extract<AgentEvent, { type: 'tool_call' }>;

const ALLOWED = { type: 'allow', rule: 'r' } as const;
const ASKED = { type: 'ask', rule: 'r', reason: 'why' } as const;

/** The call of a tool that writes a file. */
function callOf(id: string, path: string, permission: ToolCallEvent['permission'] = ALLOWED): ToolCallEvent {
  const effect = { summary: 'write', paths: [{ requested: path, realPath: path, access: 'write' }] } as const;
  return { type: 'tool_call', call: { id, name: 'write_file', arguments: '{}' }, effect, permission };
}

function resultOf(callId: string): AgentEvent {
  return {
    type: 'tool_result',
    callId,
    toolName: 'write_file',
    outcome: 'ok',
    content: '',
    summary: '',
    durationMs: 0,
  };
}

/** A session in `/w` whose journal is in this storage. */
function setUp(
  files: Files = {},
  storageOf: (memory: ReturnType<typeof createMemoryFileSystem>) => WriteStorage = () => rememberedWrites(),
) {
  const memory = createMemoryFileSystem(files);
  memory.volume.mkdirSync('/w', { recursive: true });
  const { volume, fileSystem } = memory;
  const storage = storageOf(memory);
  const writes = new WriteJournal({ fileSystem, digest: computeDigest, storage });
  let calls = 0;
  const put = (path: string, content: string | Uint8Array | undefined): void =>
    content === undefined ? volume.unlinkSync(path) : volume.writeFileSync(path, content);
  return {
    ...memory,
    storage,
    writes,
    put,
    /** Plays a call that leaves the file with this content. */
    async write(path: string, content: string | Uint8Array | undefined, observer = writes.observe(0)) {
      const id = `call_${++calls}`;
      await observer.before(callOf(id, path));
      put(path, content);
      await observer.before(resultOf(id));
      return observer;
    },
    /** The diff and the text of `/diff`. */
    async diff(signal = new AbortController().signal) {
      const fake = createFakeAgent([]);
      const agent = { ...fake, workspace: '/w', record: { ...fake.record, writes } };
      const result = await DIFF_COMMAND.run(async () => agent, '', { ...COMMAND_CONTEXT, signal });
      if (result.type !== 'text') throw new Error(`unexpected ${result.type}`);
      return `${result.diff ?? ''}\n${result.text}`.trimStart();
    },
  };
}

const NOTHING = 'No file differs from its content before this session.';
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);

describe('/diff', () => {
  it('shows changed, new and deleted files with their diffs, and then a list', async () => {
    const { write, diff, put } = setUp({
      '/w/src/a.js': 'one\ntwo\n',
      '/w/gone.txt': 'bye\n',
      '/elsewhere/b.txt': 'b\n',
    });
    await write('/w/src/a.js', 'one\n2\n');
    await write('/w/new.txt', 'hi\n');
    await write('/w/gone.txt', 'changed\n');
    put('/w/gone.txt', undefined);
    await write('/elsewhere/b.txt', 'B\n');
    expect(await diff()).toMatchInlineSnapshot(`
      "--- a/src/a.js
      +++ b/src/a.js
      @@ -1,2 +1,2 @@
       one
      -two
      +2
      --- /dev/null
      +++ b/new.txt
      @@ -0,0 +1,1 @@
      +hi
      --- a/gone.txt
      +++ /dev/null
      @@ -1,1 +0,0 @@
      -bye
      --- a/elsewhere/b.txt
      +++ b/elsewhere/b.txt
      @@ -1,1 +1,1 @@
      -b
      +B
      changed  src/a.js (+1 −1)
      new      new.txt (+1 −0)
      deleted  gone.txt (+0 −1)
      changed  /elsewhere/b.txt (+1 −1)"
    `);
  });

  it.each<[string, string | Uint8Array | undefined, string | Uint8Array | undefined, string]>([
    ['a new empty file', undefined, '', 'new  f (empty)'],
    ['an emptied file', 'a\n', '', 'changed  f (+0 −1)'],
    ['a deleted empty file', '', undefined, 'deleted  f (empty)'],
    ['a binary file', PICTURE, new Uint8Array([...PICTURE, 0]), 'changed  f (binary, 8 bytes before, 9 bytes now)'],
    ['a binary file that became text', PICTURE, 'text\n', 'changed  f (binary, 8 bytes before, 5 bytes now)'],
    ['a new binary file', undefined, PICTURE, 'new  f (binary, 8 bytes now)'],
    ['a changed encoding', 'a\n', '\ufeffa\n', 'changed  f (UTF-8 before, UTF-8 with BOM now)'],
    ['the same bytes', 'a\n', 'a\n', NOTHING],
    ['a large file', 'x'.repeat(11 * 2 ** 20), 'small', 'unknown  f (it is larger than 10 MB)'],
    ['a file that became large', 'small', 'x'.repeat(11 * 2 ** 20), 'unknown  f (it is larger than 10 MB)'],
  ])('describes %s', async (_name, before, after, expected) => {
    const { write, diff } = setUp(before === undefined ? {} : { '/w/f': before });
    if (before !== undefined || after !== undefined) await write('/w/f', after);
    expect((await diff()).split('\n').at(-1)).toBe(expected);
  });

  it.each<[string, readonly string[]]>([
    ['changed back by another call', ['b\n', 'a\n']],
    ['never changed', ['a\n']],
  ])('does not show a file that was %s', async (_name, contents) => {
    const { write, diff } = setUp({ '/w/f': 'a\n' });
    for (const content of contents) await write('/w/f', content);
    expect(await diff()).toBe(NOTHING);
  });

  it('compares with the bytes before the first write, even if others changed the file later', async () => {
    const { write, diff, put } = setUp({ '/w/f': 'first\n' });
    await write('/w/f', 'second\n');
    await write('/w/f', 'third\n');
    put('/w/f', 'by hand\n');
    expect(await diff()).toContain('-first\n+by hand\n');
  });

  it('does not count a failed call as a write', async () => {
    const { writes, put, write, diff } = setUp({ '/w/f': 'first\n' });
    const observer = writes.observe(0);
    await observer.before(callOf('failed', '/w/f'));
    await observer.before(resultOf('failed'));
    put('/w/f', 'by hand\n');
    expect(await diff()).toBe(NOTHING);
    await write('/w/f', 'by the tool\n', observer);
    expect(await diff()).toContain('-by hand\n+by the tool\n');
  });

  it.each<[string, readonly AgentEvent[], boolean]>([
    ['allowed by a rule', [callOf('c', '/w/f')], true],
    ['asked about', [callOf('c', '/w/f', ASKED)], false],
    [
      'allowed once',
      [callOf('c', '/w/f', ASKED), { type: 'approval_decision', callId: 'c', decision: { type: 'once' } }],
      true,
    ],
    [
      'allowed for the session',
      [callOf('c', '/w/f', ASKED), { type: 'approval_decision', callId: 'c', decision: { type: 'session' } }],
      true,
    ],
    [
      'denied by the user',
      [callOf('c', '/w/f', ASKED), { type: 'approval_decision', callId: 'c', decision: { type: 'deny' } }],
      false,
    ],
    ['denied by a rule', [callOf('c', '/w/f', { type: 'deny', rule: 'r', reason: 'why' })], false],
    [
      'a command',
      [{ ...callOf('c', '/w/f'), effect: { ...callOf('c', '/w/f').effect, summary: '', paths: [], command: 'x' } }],
      false,
    ],
    ['a result without a call', [resultOf('other')], false],
  ])('stores the bytes before a call that is %s: %s', async (_name, events, isKept) => {
    const { writes, storage, put, diff } = setUp({ '/w/f': 'a\n' });
    const observer = writes.observe(0);
    for (const event of events) await observer.before(event);
    put('/w/f', 'b\n');
    await observer.before(resultOf('c'));
    expect((await storage.digests()).length).toBe(isKept ? 1 : 0);
    expect(await diff()).toContain(isKept ? '-a\n+b\n' : NOTHING);
    expect(await observer.end()).toEqual([]);
  });

  it('gives the reason if it does not know a file', async () => {
    const { write, diff, volume } = setUp({ '/w/link': 'a\n', '/w/dir': 'a\n', '/secret': 'key\n' });
    await write('/w/link', 'b\n');
    await write('/w/dir', 'b\n');
    volume.unlinkSync('/w/link');
    volume.symlinkSync('/secret', '/w/link');
    volume.unlinkSync('/w/dir');
    volume.mkdirSync('/w/dir');
    expect(await diff()).toBe('unknown  link (its path leads through a link)\nunknown  dir (it is a directory)');
  });

  it('truncates a long diff in the middle, and shows a name with control characters on one line', async () => {
    const { write, diff } = setUp();
    await write('/w/a\nnew  b', `${'line\n'.repeat(1_000)}`);
    const text = await diff();
    expect(text.split('\n').length).toBe(402);
    expect(text).toContain('lines omitted');
    expect(text.split('\n').at(-1)).toBe('new  a\\u{a}new  b (+1000 −0)');
  });

  it('stops with the command', async () => {
    const { write, diff } = setUp();
    await write('/w/f', 'a\n');
    expect(await diff(AbortSignal.abort())).toBe('Stopped.');
  });

  it('reports a storage that cannot be used, about which the run warns', async () => {
    const { write, diff } = setUp({ '/w/f': 'a\n', '/file': '' }, ({ fileSystem }) =>
      storedWrites(fileSystem, '/file/writes'),
    );
    expect(await (await write('/w/f', 'b\n')).end()).toEqual([
      {
        type: 'warning',
        code: 'not_kept',
        message:
          '/diff and /undo do not have the content of /w/f before a write of this run: a file is where a directory is needed.',
      },
    ]);
    expect(await diff()).toMatch(/^The earlier content of the files cannot be read: /);
  });

  it('reports that the bytes could not be stored', async () => {
    const full = async () => Promise.reject(new FileSystemError('no_space', '/journal'));
    const { write, diff } = setUp({ '/w/f': 'a\n' }, () => ({ ...rememberedWrites(), keep: full, addLine: full }));
    const [warning] = await (await write('/w/f', 'b\n')).end();
    expect(warning).toMatchObject({ message: expect.stringMatching(/: the disk is full\.$/) });
    expect(await diff()).toBe('unknown  f (its content before could not be kept: the disk is full)');
  });

  it('does not show bytes that were damaged', async () => {
    const storage = rememberedWrites();
    const { write, diff } = setUp({ '/w/f': 'a\n' }, () => ({
      ...storage,
      read: async () => new TextEncoder().encode('z\n'),
    }));
    await write('/w/f', 'b\n');
    expect(await diff()).toBe('unknown  f (the copy of its content before is damaged)');
  });

  it.each(['lines', 'addLine'] as const)('rethrows an unexpected error of %s', async (broken) => {
    const fail = () => Promise.reject(new Error('broken'));
    const { write } = setUp({ '/w/f': 'a\n' }, () => ({ ...rememberedWrites(), [broken]: fail }));
    await expect(write('/w/f', 'b\n')).rejects.toThrow('broken');
  });
});

describe('/diff in a chat', () => {
  const path = 'a.txt';
  const write = (id: string, content: string) => ({
    calls: [{ id, name: 'write_file', arguments: JSON.stringify({ path, content }) }],
  });
  const chat = (typed: readonly string[], script: RunScript = {}) =>
    configuredRun({
      config: { llm: MODEL, safety: { permission_mode: 'full-access' }, ui: { color: false } },
      typed,
      run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
      ...script,
    });
  const answers = [write('c1', 'one\n'), { text: 'Done.' }, write('c2', 'two\n'), { text: 'Done.' }];

  it('shows the changes of all runs, even with different providers', async () => {
    const { screen } = await chat(['go', '/provider openai', 'again', '/diff'], {
      answers,
      models: [],
      environment: { OPENAI_API_KEY: 'k' },
    });
    expect(withoutMarks(screen)).toContain(
      '\n  --- /dev/null\n  +++ b/a.txt\n  @@ -0,0 +1,1 @@\n  +two\nnew  a.txt (+1 −0)\n',
    );
  });

  it.each([true, false])('writes nothing to the disk before /save without auto_save: %s', async (autoSave) => {
    const config = {
      llm: MODEL,
      safety: { permission_mode: 'full-access' },
      session: { storage_path: '/sessions', auto_save: autoSave },
    };
    const run = await chat(['go', '/diff'], { config, answers, files: { '/work/a.txt': 'old\n' } });
    expect(run.screen).toContain('changed  a.txt (+1 −1)');
    const kept = run.listFiles('/sessions').filter((name) => name.includes('/writes/'));
    const digest = computeDigest(new TextEncoder().encode('old\n'));
    expect(kept.map((name) => name.split('/').at(-1))).toEqual(autoSave ? [digest, 'index.jsonl'] : []);
    const saved = await chat(['go', '/save kept'], { config, answers, files: { '/work/a.txt': 'old\n' } });
    expect(saved.readFile(`/sessions/kept/writes/${digest}`)).toBe('old\n');
  });
});
