import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { firstChange, undoWrites } from '../../../src/session/writes/undo.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { filesIn, type PlayedCall, playRun, undo } from '../../support/agent/write-runs.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const FIRST = 'session-20261120-090000-0001';

/** A stored session in a workspace with these files. */
async function begin(files: Readonly<Record<string, string | Uint8Array>> = { '/w/a': 'one' }) {
  const memory = createMemoryFileSystem(files);
  memory.volume.mkdirSync('/w', { recursive: true });
  const store = createTestStore(memory.fileSystem);
  const record = await store.create();
  return {
    ...memory,
    store,
    record,
    run: (...calls: readonly PlayedCall[]) => playRun(record, memory.fileSystem, ...calls),
    files: () => filesIn(memory),
  };
}

describe('an undo', () => {
  it('restores the files of the last run, and those of earlier runs when it is repeated', async () => {
    const { record, run, files } = await begin({ '/w/a': 'one', '/w/b': 'b' });
    await run({ path: '/w/a', content: 'two' }, { path: '/w/new', content: 'new' });
    await run({ path: '/w/a', content: 'three' }, { path: '/w/b', content: 'B' }, { path: '/w/a', content: 'four' });
    expect(await undo(record)).toBe('from 3 as 6: restored /w/a, restored /w/b');
    expect(files()).toEqual(['a: two', 'b: b', 'new: new']);
    expect(await undo(record)).toBe('from 1 as 7: restored /w/a, removed /w/new');
    expect(files()).toEqual(['a: one', 'b: b']);
    await expect(undo(record)).rejects.toThrow('There is nothing to undo: no change of this session is left.');
  });

  it('reports again which files of undone runs it has left alone, until they have their earlier content', async () => {
    const { record, run, files, volume } = await begin();
    await run({ path: '/w/a', content: 'two' });
    await run({ path: '/w/b', content: 'B' }, { path: '/w/c', content: 'C' });
    volume.writeFileSync('/w/b', 'mine');
    expect(await undo(record)).toBe('from 2 as 4: removed /w/c, not /w/b (it was changed since)');
    expect(await firstChange(record.writes)).toBe(1);
    expect(await undo(record)).toBe('from 1 as 5: restored /w/a, not /w/b (it was changed since)');
    expect(await undo(record)).toBe('from 1 as 6: not /w/b (it was changed since)');
    expect([await firstChange(record.writes), files()]).toEqual([2, ['a: one', 'b: mine']]);
    volume.unlinkSync('/w/b');
    await expect(undo(record)).rejects.toThrow('There is nothing to undo: no change of this session is left.');
    // A write of the user after an undo is not a change of the session.
    volume.writeFileSync('/w/a', 'mine');
    expect(await firstChange(record.writes)).toBeUndefined();
  });

  it.each([
    { from: 1, expected: ['a: one'] },
    { from: 2, expected: ['a: two'] },
    { from: 3, expected: ['a: two', 'b: B'] },
  ])('restores all files from checkpoint $from on', async ({ from, expected }) => {
    const { record, run, files } = await begin();
    await run({ path: '/w/a', content: 'two' }, { path: '/w/b', content: 'B' });
    await run({ path: '/w/a', content: 'three' });
    await undo(record, from);
    expect(files()).toEqual(expected);
  });

  it('undoes a write whose end was not stored, because the plan fixed the new content', async () => {
    const { record, run, files } = await begin();
    await run({ path: '/w/a', content: 'two', dies: true });
    expect(await undo(record)).toBe('from 1 as 2: restored /w/a');
    expect(files()).toEqual(['a: one']);
  });

  it('is itself a checkpoint, which can be undone before the run is undone again', async () => {
    const { record, run, files } = await begin();
    await run({ path: '/w/a', content: 'two' }, { path: '/w/d/e/new', content: 'new' });
    expect(await undo(record)).toBe('from 1 as 3: restored /w/a, removed /w/d/e/new');
    expect(files()).toEqual(['a: one']);
    expect(await undo(record, 3)).toBe('from 3 as 4: restored /w/a, restored /w/d/e/new');
    expect(files()).toEqual(['a: two', 'd/', 'd/e/', 'd/e/new: new']);
    expect(await undo(record)).toBe('from 1 as 5: restored /w/a, removed /w/d/e/new');
    expect(files()).toEqual(['a: one']);
  });

  it('removes directories that the run created only if they are empty', async () => {
    const { record, run, files, volume } = await begin({ '/w/old/a': 'one' });
    await run({ path: '/w/old/b', content: 'b' }, { path: '/w/x/y/z/new', content: 'new' });
    volume.writeFileSync('/w/x/mine', 'mine');
    await undo(record);
    expect(files()).toEqual(['old/', 'old/a: one', 'x/', 'x/mine: mine']);
  });

  it('leaves a file alone that the rules of paths deny, and gives the reason', async () => {
    const { record, run, files } = await begin({ '/w/a': 'one', '/w/b': 'b' });
    await run({ path: '/w/a', content: 'two' }, { path: '/w/b', content: 'B' });
    const refusalOf = (file: string) => (file === '/w/a' ? 'it is blocked (x)' : undefined);
    const { kept, restored } = await undoWrites(record, { workspace: '/w', refusalOf });
    expect([kept, restored]).toEqual([
      [{ path: '/w/a', reason: 'it is blocked (x)' }],
      [{ path: '/w/b', change: 'restored' }],
    ]);
    expect(files()).toEqual(['a: two', 'b: b']);
  });

  it('restores the mode of a file', async () => {
    const { record, run, volume } = await begin();
    volume.chmodSync('/w/a', 0o755);
    await run({ path: '/w/a', content: 'two' });
    volume.chmodSync('/w/a', 0o600);
    await undo(record);
    expect([volume.statSync('/w/a').mode & 0o777, volume.readFileSync('/w/a', 'utf8')]).toEqual([0o755, 'one']);
  });

  it('restores every byte', async () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0, 13, 10, 255, 254]);
    const { record, run, volume } = await begin({ '/w/a': bytes });
    await run({ path: '/w/a', content: 'text' });
    await undo(record);
    expect(Buffer.from(volume.readFileSync('/w/a'))).toEqual(Buffer.from(bytes));
  });

  const big = new Uint8Array(10 * 1024 * 1024 + 1);
  it.each<{
    name: string;
    files?: Readonly<Record<string, string | Uint8Array>>;
    calls: readonly PlayedCall[];
    later?: (memory: MemoryFileSystem) => void;
    expected: string;
  }>([
    {
      name: 'that the user has changed since',
      calls: [{ path: '/w/a', content: 'two' }],
      later: ({ volume }) => volume.writeFileSync('/w/a', 'mine'),
      expected: 'not /w/a (it was changed since)',
    },
    {
      name: 'that a later command may have changed',
      calls: [
        { path: '/w/a', content: 'two' },
        { command: 'sort', asked: true },
      ],
      later: ({ volume }) => volume.writeFileSync('/w/a', 'sorted'),
      expected: 'not /w/a (it was changed since; a command that ran later may have done it)',
    },
    {
      name: 'that was changed after an earlier command',
      calls: [{ command: 'sort' }, { path: '/w/a', content: 'two' }],
      later: ({ volume }) => volume.writeFileSync('/w/a', 'mine'),
      expected: 'not /w/a (it was changed since)',
    },
    {
      name: 'that was deleted since',
      calls: [{ path: '/w/a', content: 'two' }],
      later: ({ volume }) => volume.unlinkSync('/w/a'),
      expected: 'not /w/a (it was deleted since)',
    },
    {
      name: 'that was too large to keep',
      files: { '/w/a': big },
      calls: [{ path: '/w/a', content: 'two' }],
      expected: 'not /w/a (it is larger than 10 MB)',
    },
    {
      name: 'that has grown too large since',
      calls: [{ path: '/w/a', content: 'two' }],
      later: ({ volume }) => volume.writeFileSync('/w/a', big),
      expected: 'not /w/a (it is larger than 10 MB)',
    },
    {
      name: 'whose stored bytes are missing',
      calls: [{ path: '/w/a', content: 'two' }],
      later: ({ volume }) => {
        const directory = `/sessions/${FIRST}/writes`;
        for (const name of volume.readdirSync(directory).map(String))
          if (name !== 'index.jsonl') volume.unlinkSync(`${directory}/${name}`);
      },
      expected: 'not /w/a (its content before was not kept)',
    },
    {
      name: 'that is now a directory',
      calls: [{ path: '/w/a', content: 'two' }],
      later: ({ volume }) => {
        volume.unlinkSync('/w/a');
        volume.mkdirSync('/w/a');
      },
      expected: 'not /w/a (it is a directory)',
    },
    {
      name: 'that the user has already restored',
      calls: [{ path: '/w/a', content: 'two' }],
      later: ({ volume }) => volume.writeFileSync('/w/a', 'one'),
      expected: 'nothing',
    },
  ])('leaves a file alone $name', async ({ files = { '/w/a': 'one' }, calls, later, expected }) => {
    const memory = await begin(files);
    await memory.run(...calls);
    later?.(memory);
    const before = memory.volume.toJSON('/w');
    const number = calls.filter((call) => 'path' in call).length + 1;
    expect(await undo(memory.record)).toBe(`from 1 as ${number}: ${expected}`);
    expect(memory.volume.toJSON('/w')).toEqual(before);
  });

  it('continues with the previous run when the files were already restored, but not when one could not be', async () => {
    const { record, run, volume, files } = await begin();
    await run({ path: '/w/a', content: 'two' });
    await run({ path: '/w/b', content: 'B' });
    await run({ path: '/w/c', content: 'C' });
    volume.unlinkSync('/w/c');
    volume.writeFileSync('/w/b', 'mine');
    expect(await undo(record)).toBe('from 3 as 4: nothing');
    expect(await undo(record)).toBe('from 2 as 5: not /w/b (it was changed since)');
    expect(await undo(record)).toBe('from 2 as 5: not /w/b (it was changed since)');
    expect(await undo(record, 1)).toBe('from 1 as 5: restored /w/a, not /w/b (it was changed since)');
    expect(files()).toEqual(['a: one', 'b: mine']);
  });

  it('restores the other files when one cannot be restored', async () => {
    const { record, run, volume, files } = await begin({ '/w/a': 'one', '/w/b': 'b' });
    await run({ path: '/w/a', content: 'two' }, { path: '/w/b', content: 'B' }, { path: '/w/c', content: 'C' });
    volume.writeFileSync('/w/a', 'mine');
    expect(await undo(record)).toBe('from 1 as 4: restored /w/b, removed /w/c, not /w/a (it was changed since)');
    expect(files()).toEqual(['a: mine', 'b: b']);
  });

  it('ignores calls that changed nothing or never ran', async () => {
    const { record, run } = await begin();
    await run({ path: '/w/a', content: 'one' }, { command: 'ls' });
    // https://github.com/anthropics/claude-code/issues/93262
    await expect(undo(record)).rejects.toThrow('is left. Changes made by its commands are not undone;');
    await expect(undo(record, 2)).rejects.toThrow(
      'There is no checkpoint 2: they are 1 to 1; /checkpoints lists them.',
    );
    const empty = await begin();
    await expect(undo(empty.record, 2)).rejects.toThrow('There is no checkpoint 2: this session has none.');
  });

  it('works in another process and in a session that is not stored', async () => {
    const { record, run, store, files } = await begin();
    await run({ path: '/w/a', content: 'two' });
    await record.close();
    const again = await store.open(FIRST);
    expect(await undo(again)).toBe('from 1 as 2: restored /w/a');
    await again.close();
    const third = await store.open(FIRST);
    expect(await undo(third, 2)).toBe('from 2 as 3: restored /w/a');
    expect(files()).toEqual(['a: two']);
    const quiet = await begin();
    const memoryRecord = await createTestStore(quiet.fileSystem, { autoSave: false }).create();
    await playRun(memoryRecord, quiet.fileSystem, { path: '/w/a', content: 'two' });
    expect(await undo(memoryRecord)).toBe('from 1 as 2: restored /w/a');
    expect(quiet.files()).toEqual(['a: one']);
  });

  it('tells the model in the log which files were restored, and the user which commands are not undone', async () => {
    const { record, run, store, volume } = await begin({ '/w/a': 'one', '/w/b': 'b' });
    await run({ command: 'before' });
    // https://github.com/microsoft/vscode/issues/317021: a file that a command removed, and the model created again
    await run(
      { command: 'rm d/new' },
      { path: '/w/a', content: 'two' },
      { path: '/w/d/new', content: 'new' },
      { path: '/w/b', content: 'B' },
      { command: 'npm install' },
    );
    volume.writeFileSync('/w/b', 'mine');
    const report = await undoWrites(record, { workspace: '/w', refusalOf: () => undefined });
    expect(report.commands).toEqual(['rm d/new', 'npm install']);
    await record.close();
    const { messages } = (await store.open(FIRST)).restored?.state ?? { messages: [] };
    expect(messages.at(-1)).toEqual({ role: 'user', reminder: true, content: report.event?.text });
    expect(report.event?.text).toMatchInlineSnapshot(`
      "<reminder>
      This is not a message of the user, and the user does not see it. The user has undone changes of yours with /undo:
      - a: restored
      - d/new: removed
      These files stay as they are:
      - b
      Read a file again before you change it, and do not repeat a change that was undone unless the user asks for it. Effects of commands are not undone.
      </reminder>"
    `);
  });

  it('tells the model nothing when no file was restored', async () => {
    const { record, run, volume } = await begin();
    await run({ path: '/w/a', content: 'two' });
    volume.writeFileSync('/w/a', 'one');
    const { messageCount } = record;
    expect((await undoWrites(record, { workspace: '/w', refusalOf: () => undefined })).event).toBeUndefined();
    expect(record.messageCount).toBe(messageCount);
  });

  it('changes nothing if the bytes that it replaces cannot be stored', async () => {
    const { record, run, files, fileSystem, store } = await begin();
    await run({ path: '/w/a', content: 'two' });
    await record.close();
    const full: FileSystem = {
      ...fileSystem,
      async replaceFile(directory, name, ...rest) {
        if (directory.startsWith('/sessions')) throw new FileSystemError('no_space', name);
        return fileSystem.replaceFile(directory, name, ...rest);
      },
    };
    const again = await createTestStore(full).open(FIRST);
    expect(await undo(again)).toBe(
      'from 1 as 2: not /w/a (its content now cannot be kept: its content before could not be kept: the disk is full)',
    );
    expect(files()).toEqual(['a: two']);
    await again.close();
    expect(await undo(await store.open(FIRST))).toBe('from 1 as 2: restored /w/a');
  });

  it('reports a file that cannot be written, and directories that remain', async () => {
    const { record, run, fileSystem, files } = await begin();
    await run({ path: '/w/a', content: 'two' }, { path: '/w/d/new', content: 'new' });
    await record.close();
    const broken: FileSystem = {
      ...fileSystem,
      async replaceFile(directory, name, ...rest) {
        if (directory === '/w') throw new FileSystemError('permission_denied', name);
        return fileSystem.replaceFile(directory, name, ...rest);
      },
      removeEmptyDirectory: (path) => Promise.reject(new FileSystemError('permission_denied', path)),
    };
    const again = await createTestStore(broken).open(FIRST);
    expect(await undo(again)).toBe('from 1 as 3: removed /w/d/new, not /w/a (permission denied)');
    expect(files()).toEqual(['a: two', 'd/']);
  });

  it('does not replace a file that changes during its check', async () => {
    const { record, run, fileSystem, volume, files } = await begin();
    await run({ path: '/w/a', content: 'two' });
    await record.close();
    let looks = 0;
    const racing: FileSystem = {
      ...fileSystem,
      async readFile(path, ...rest) {
        if (path === '/w/a' && ++looks === 2) volume.writeFileSync('/w/a', 'mine');
        return fileSystem.readFile(path, ...rest);
      },
    };
    const again = await createTestStore(racing).open(FIRST);
    expect(await undo(again)).toBe('from 1 as 2: not /w/a (it was changed during the undo)');
    expect(files()).toEqual(['a: mine']);
  });
});

describe('a checkpoint', () => {
  it('is reported before each call that writes', async () => {
    const { run } = await begin();
    const events = await run(
      { path: '/w/a', content: 'two' },
      { command: 'ls' },
      { path: '/w/b', content: '', asked: true },
    );
    const order = events.flatMap((event): readonly (string | AgentEvent)[] => {
      if (event.type === 'checkpoint') return [{ ...event, callId: '' }];
      return event.type === 'tool_call' || event.type === 'tool_result' || event.type === 'approval_decision'
        ? [event.type]
        : [];
    });
    expect(order).toEqual([
      'tool_call',
      { type: 'checkpoint', number: 1, callId: '', files: [{ realPath: '/w/a' }] },
      'tool_result',
      'tool_call',
      'tool_result',
      'tool_call',
      'approval_decision',
      { type: 'checkpoint', number: 2, callId: '', files: [{ realPath: '/w/b' }] },
      'tool_result',
    ]);
  });

  it('keeps at most 256 MB in a session', async () => {
    const { record, run, volume, fileSystem } = await begin();
    await run({ path: '/w/a', content: 'two' });
    await record.close();
    // The journal says that the first content was as long as all but three bytes of the limit.
    const index = `/sessions/${FIRST}/writes/index.jsonl`;
    const lines = String(volume.readFileSync(index));
    volume.writeFileSync(index, lines.replace('"size":3', `"size":${256 * 1024 * 1024 - 3}`));
    const again = await createTestStore(fileSystem).open(FIRST);
    await playRun(again, fileSystem, { path: '/w/a', content: 'six' });
    await playRun(again, fileSystem, { path: '/w/a', content: 'ten' });
    const states = (await again.writes.checkpoints()).map(({ writes }) => writes.get('/w/a')?.before);
    expect(states.map((state) => state?.type)).toEqual(['file', 'file', 'unknown']);
    expect(states[2]).toEqual({
      type: 'unknown',
      reason: 'its content before was not kept, because this session has kept 256 MB',
    });
  });
});
