import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import { createEditFile } from '../../../../src/tools/files/edit-file.ts';
import { MAX_FILE_BYTES } from '../../../../src/tools/files/load-file.ts';
import { createReadFile } from '../../../../src/tools/files/read-file.ts';
import { createWriteFile } from '../../../../src/tools/files/write-file.ts';
import { CONTEXT, call, fileWorkspace, finish, resultText } from '../../../support/tools/file-tools.ts';

describe('write_file', () => {
  it.each<readonly [string, string, string]>([
    ['a new file', 'one\ntwo\n', 'created new.txt: 8 bytes, 2 lines'],
    ['a text whose bytes, not characters, are counted', 'é😀\n', 'created new.txt: 7 bytes, 1 line'],
    ['an empty file', '', 'created new.txt: 0 bytes, 0 lines'],
    ['a text without a newline at the end, unchanged', 'x', 'created new.txt: 1 byte, 1 line'],
    ['CRLF and a BOM unchanged', '\ufeffa\r\nb\n', 'created new.txt: 8 bytes, 2 lines'],
  ])('writes %s', async (_name, content, expected) => {
    const world = fileWorkspace();
    expect(await call(createWriteFile(world.ports), { path: 'new.txt', content })).toBe(expected);
    expect(world.text('new.txt')).toBe(content);
  });

  it('refuses a file that another program changed after it was read, and shows the changes', async () => {
    const world = fileWorkspace({ 'a.txt': 'one\ntwo\n' });
    const args = { path: 'a.txt', content: 'all new\n' };
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', 'one\nhalf\ntwo\n');
    expect(await call(createWriteFile(world.ports), args)).toBe(
      'file_changed: a.txt has changed since you read it. Nothing was written. Read it with read_file, then try again. Changes:\n@@ -1,2 +1,3 @@\n one\n+half\n two',
    );
    expect(world.text('a.txt')).toBe('one\nhalf\ntwo\n');
    await call(createReadFile(world.ports), { path: 'a.txt' });
    await call(createWriteFile(world.ports), args);
    expect(world.text('a.txt')).toBe('all new\n');
  });

  it('refuses a file that another program changed after it was written', async () => {
    const world = fileWorkspace();
    await call(createWriteFile(world.ports), { path: 'a.txt', content: 'mine\n' });
    world.volume.writeFileSync('/w/a.txt', 'theirs\n');
    const result = await call(createWriteFile(world.ports), { path: 'a.txt', content: 'mine again\n' });
    expect(result).toMatch(/^file_changed: a\.txt has changed since you read it\./);
    expect(world.text('a.txt')).toBe('theirs\n');
  });

  it('accepts the content that another program has already written', async () => {
    const world = fileWorkspace({ 'a.txt': 'one\n' });
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', 'two\n');
    expect(await call(createWriteFile(world.ports), { path: 'a.txt', content: 'two\n' })).toMatch(/^unchanged: a\.txt/);
  });

  it.each([
    ['a new file', 'new.txt', true],
    ['a file of the user', 'read.txt', false],
    ['a file of the user that was not read', 'a.txt', false],
    ['a file that git tracks', 'tracked.txt', true],
  ])('knows %s as its own or not, also after a second write', async (_name, path, isOwn) => {
    const files = { 'read.txt': 'one\n', 'a.txt': 'one\n', 'tracked.txt': 'one\n' };
    const { ports } = fileWorkspace(files, () => ({ findTracked: async () => new Set(['/w/tracked.txt']) }));
    await call(createReadFile(ports), { path: 'read.txt' });
    for (const content of ['two\n', 'three\n']) {
      await call(createWriteFile(ports), { path, content });
      expect(ports.ledger.own(`/w/${path}`)).toBe(isOwn ? ports.ledger.get(`/w/${path}`)?.digest : undefined);
    }
  });

  it('writes into directories that do not exist yet', async () => {
    const world = fileWorkspace();
    expect(await call(createWriteFile(world.ports), { path: 'a/b/c.txt', content: 'x\n' })).toBe(
      'created a/b/c.txt: 2 bytes, 1 line',
    );
    expect(world.text('a/b/c.txt')).toBe('x\n');
  });

  it.each<readonly [string, string | Uint8Array, string, string]>([
    ['over an old file', 'one\ntwo\n', 'one\n2\n3\n', 'replaced a.txt: 8 bytes (8 bytes before, +2 −1 lines)'],
    [
      'over CRLF, with a note',
      'one\r\ntwo\r\n',
      'one\ntwo\n',
      'replaced a.txt: 8 bytes (10 bytes before, +2 −2 lines)\n' +
        'Note: the file had CRLF line endings. It now has UTF-8 without BOM, LF line endings, as sent.',
    ],
    [
      'over a BOM, with a note',
      '\ufeffone\n',
      'one\n',
      'replaced a.txt: 4 bytes (7 bytes before, +0 −0 lines)\n' +
        'Note: the file had UTF-8 with BOM. It now has UTF-8 without BOM, LF line endings, as sent.',
    ],
    [
      'CRLF over LF, with a note',
      'one\n',
      'one\r\n',
      'replaced a.txt: 5 bytes (4 bytes before, +1 −1 lines)\n' +
        'Note: the file had UTF-8 without BOM, LF line endings. It now has CRLF line endings, as sent.',
    ],
    ['CRLF over CRLF', 'a\r\n', 'b\r\n', 'replaced a.txt: 3 bytes (3 bytes before, +1 −1 lines)'],
    ['an empty text over an old file', 'one\n', '', 'replaced a.txt: 0 bytes (4 bytes before, +0 −1 lines)'],
    [
      'over a binary file',
      Uint8Array.from([0x1f, 0x8b, 8, 0]),
      'text\n',
      'replaced a.txt: 5 bytes (4 bytes before, +1 −0 lines)',
    ],
  ])('writes %s', async (_name, before, content, expected) => {
    const world = fileWorkspace({ 'a.txt': before });
    expect(await call(createWriteFile(world.ports), { path: 'a.txt', content })).toBe(expected);
    expect(world.text('a.txt')).toBe(content);
  });

  it('writes nothing when the file already has this content', async () => {
    const replaceFile = async (): Promise<never> => {
      throw new Error('Nothing should have been written.');
    };
    const { ports } = fileWorkspace({ 'a.txt': 'one\n' }, () => ({ replaceFile }));
    expect(await call(createWriteFile(ports), { path: 'a.txt', content: 'one\n' })).toBe(
      'unchanged: a.txt already has exactly this content (4 bytes). Nothing was written.',
    );
    expect(ports.ledger.get('/w/a.txt')?.text).toBe('one\n');
  });

  it('writes a file and records it in the ledger', async () => {
    const world = fileWorkspace();
    const tool = createWriteFile(world.ports);
    await call(tool, { path: 'a.txt', content: 'one\n' });
    const planned = await tool.plan({ path: 'a.txt', content: 'two\n' }, CONTEXT);
    expect(planned.effect.readThisSession).toBe(true);
    expect(world.ports.ledger.get('/w/a.txt')).toEqual({ digest: planned.effect.before, text: 'one\n' });
  });

  it('names the other hard links of a file, which keep the old content', async () => {
    const world = fileWorkspace({ 'a.txt': 'old\n', 'c.txt': 'old\n', 'alone.txt': 'old\n' });
    world.volume.linkSync('/w/a.txt', '/w/b.txt');
    const tool = createWriteFile(world.ports);
    const planned = await tool.plan({ path: 'a.txt', content: 'new\n' }, CONTEXT);
    expect(planned.effect.summary).toBe('replace a.txt (+1 −1), not its other hard link');
    expect(await call(tool, { path: 'a.txt', content: 'new\n' })).toBe(
      'replaced a.txt: 4 bytes (4 bytes before, +1 −1 lines)\nNote: its other hard link keeps the old content.',
    );
    expect(world.text('b.txt')).toBe('old\n');
    for (const name of ['d', 'e']) world.volume.linkSync('/w/c.txt', `/w/${name}.txt`);
    expect(await call(createEditFile(world.ports), { path: 'c.txt', old_text: 'old', new_text: 'new' })).toBe(
      'edited c.txt: 1 replacement (+1 −1 lines)\n@@ -1,1 +1,1 @@\n-old\n+new\n' +
        'Note: its 2 other hard links keep the old content.',
    );
    expect(await call(tool, { path: 'alone.txt', content: 'new\n' })).not.toContain('link');
  });

  it('writes a file and keeps its permissions', async () => {
    const world = fileWorkspace({ 'run.sh': 'a' });
    world.volume.chmodSync('/w/run.sh', 0o755);
    await call(createWriteFile(world.ports), { path: 'run.sh', content: 'b' });
    expect((await world.ports.fileSystem.stat('/w/run.sh')).mode).toBe(0o755);
  });
});

describe('write_file', () => {
  it.each([
    ['src', 'is_directory: src is a directory. Use list_files with path="src" to see what is in it.'],
    ['.', 'is_directory: . is a directory. Use list_files with path="." to see what is in it.'],
  ])('refuses the path %s', async (path, expected) => {
    const { ports } = fileWorkspace({ 'src/a.txt': '' });
    expect(await call(createWriteFile(ports), { path, content: 'x' })).toBe(expected);
  });

  it.each([
    ['../x', 'path_outside_workspace'],
    ['/outside/secret', 'path_outside_workspace'],
    ['blocked/x', 'path_blocked'],
    ['src/a.txt/x', 'not_a_directory'],
  ])('refuses the path %s: %s', async (path, code) => {
    const world = fileWorkspace({ 'src/a.txt': '' });
    expect(await call(createWriteFile(world.ports), { path, content: 'x' })).toMatch(new RegExp(`^${code}: `));
    expect(Object.keys(world.volume.toJSON())).toEqual(['/tmp', '/outside/secret', '/w/src/a.txt']);
  });

  it('refuses a lone surrogate', async () => {
    expect(await call(createWriteFile(fileWorkspace().ports), { path: 'a', content: '\udc00' })).toBe(
      'invalid_arguments: The arguments of write_file do not fit its schema:\n' +
        '✖ contains a lone surrogate (\\ud800 to \\udfff)\n  → at content',
    );
  });

  it('refuses to replace a file over 10 MB', async () => {
    const bytes = new Uint8Array(MAX_FILE_BYTES);
    const { ports } = fileWorkspace({ 'a.txt': '' }, () => ({
      readFile: async () => ({ bytes, size: MAX_FILE_BYTES * 2, mode: 0o644 }),
    }));
    expect(await call(createWriteFile(ports), { path: 'a.txt', content: 'x' })).toBe(
      'too_large: a.txt is 20.0 MB; only files up to 10.0 MB can be changed with this tool. Use run_shell.',
    );
  });

  it.each<readonly [string, string, string, (world: ReturnType<typeof fileWorkspace>) => void]>([
    ['changed', 'a.txt', 'was changed', ({ volume }) => volume.writeFileSync('/w/a.txt', 'Old')],
    ['deleted', 'a.txt', 'was deleted', ({ volume }) => volume.unlinkSync('/w/a.txt')],
    ['created', 'b.txt', 'was created by another program', ({ volume }) => volume.writeFileSync('/w/b.txt', 'x')],
  ])('refuses a file that was %s after the plan', async (_name, path, what, change) => {
    const world = fileWorkspace({ 'a.txt': 'old' });
    const tool = createWriteFile(world.ports);
    const planned = await tool.plan({ path, content: 'mine' }, CONTEXT);
    change(world);
    const before = JSON.stringify(world.volume.toJSON());
    expect(await resultText(() => finish(planned))).toBe(
      `file_changed: ${path} ${what} after this call was planned. Nothing was written. Read it with read_file, then try again.`,
    );
    expect(JSON.stringify(world.volume.toJSON())).toBe(before);
  });

  it('refuses a directory that a link replaced after the plan', async () => {
    const world = fileWorkspace({ 'd/keep': '' });
    const tool = createWriteFile(world.ports);
    const planned = await tool.plan({ path: 'd/secret2', content: 'mine' }, CONTEXT);
    world.volume.renameSync('/w/d', '/w/aside');
    world.volume.symlinkSync('/outside', '/w/d');
    expect(await resultText(() => finish(planned))).toBe(
      'file_changed: d/secret2 was replaced by a link. Check the path with list_files.',
    );
    expect(world.volume.readdirSync('/outside')).toEqual(['secret']);
  });

  it('refuses to write after an abort', async () => {
    const world = fileWorkspace();
    const tool = createWriteFile(world.ports);
    const signal = AbortSignal.abort();
    const planned = await tool.plan({ path: 'a.txt', content: 'x' }, { ...CONTEXT, signal });
    await expect(finish(planned)).rejects.toThrow('The run was stopped.');
    expect(world.volume.existsSync('/w/a.txt')).toBe(false);
  });

  it.each([
    ['no_space', 'no_space: The disk is full, so a.txt was not written. Tell the user.'],
    ['not_found', 'not_found: a.txt does not exist. Use list_files to see what is there.'],
  ] as const)('reports a write that fails with %s, and does not record it in the ledger', async (code, expected) => {
    const replaceFile = async (directory: string): Promise<never> => {
      throw new FileSystemError(code, directory);
    };
    const { ports } = fileWorkspace({}, () => ({ replaceFile }));
    expect(await call(createWriteFile(ports), { path: 'a.txt', content: 'x' })).toBe(expected);
    expect(ports.ledger.get('/w/a.txt')).toBeUndefined();
  });

  it('does not record the text of a binary file in the ledger', async () => {
    const world = fileWorkspace();
    await call(createWriteFile(world.ports), { path: 'a.bin', content: 'a\0b' });
    expect(world.ports.ledger.get('/w/a.bin')?.text).toBe('');
    expect([...world.bytes('a.bin')]).toEqual([97, 0, 98]);
  });
});

describe('the plan of write_file', () => {
  it('shows the whole content of a new file and changes nothing', async () => {
    const world = fileWorkspace();
    const planned = await createWriteFile(world.ports).plan({ path: 'a/b.txt', content: 'x\ny' }, CONTEXT);
    expect(planned.effect).toMatchObject({
      summary: 'create a/b.txt (+2)',
      paths: [{ requested: 'a/b.txt', realPath: '/w/a/b.txt', access: 'write' }],
      after: world.ports.digest(new TextEncoder().encode('x\ny')),
      preview: {
        path: 'a/b.txt',
        unified: '--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file',
        added: 2,
        removed: 0,
      },
    });
    expect(world.volume.existsSync('/w/a')).toBe(false);
  });

  it('shows the diff of an existing file and whether it was read', async () => {
    const world = fileWorkspace({ 'a.txt': 'one\ntwo\n' });
    const tool = createWriteFile(world.ports);
    const args = { path: 'a.txt', content: 'one\n2\n' };
    const planned = await tool.plan(args, CONTEXT);
    expect(planned.effect).toMatchObject({
      summary: 'replace a.txt (+1 −1)',
      before: world.ports.digest(world.bytes('a.txt')),
      after: world.ports.digest(new TextEncoder().encode(args.content)),
      readThisSession: false,
      preview: { unified: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2', added: 1, removed: 1 },
    });
    await call(createReadFile(world.ports), { path: 'a.txt' });
    expect((await tool.plan(args, CONTEXT)).effect.readThisSession).toBe(true);
  });

  it('reports that the file is protected', async () => {
    const world = fileWorkspace({ 'a.txt': 'old' });
    world.volume.chmodSync('/w/a.txt', 0o444);
    const planned = await createWriteFile(world.ports).plan({ path: 'a.txt', content: 'new' }, CONTEXT);
    expect(planned.effect.protection).toBe('write_protected');
  });

  it('does not claim that a new file was read', async () => {
    const planned = await createWriteFile(fileWorkspace().ports).plan({ path: 'a.txt', content: '' }, CONTEXT);
    expect([planned.effect.before, planned.effect.readThisSession]).toEqual([undefined, undefined]);
  });

  it('reports that a binary file will be replaced', async () => {
    const world = fileWorkspace({ 'a.gz': Uint8Array.from([0x1f, 0x8b, 8, 0]) });
    const planned = await createWriteFile(world.ports).plan({ path: 'a.gz', content: 'text\n' }, CONTEXT);
    expect(planned.effect.preview?.unified).toBe(
      'Binary file a.gz (gzip archive, 4 bytes) will be replaced by text:\n--- /dev/null\n+++ b/a.gz\n@@ -0,0 +1,1 @@\n+text',
    );
  });

  it('has no preview if nothing changes', async () => {
    const planned = await createWriteFile(fileWorkspace({ 'a.txt': 'x' }).ports).plan(
      { path: 'a.txt', content: 'x' },
      CONTEXT,
    );
    expect(planned.effect).toEqual({
      summary: 'write a.txt (unchanged)',
      paths: [{ requested: 'a.txt', realPath: '/w/a.txt', access: 'read' }],
      unchanged: true,
    });
  });

  it('shows every line of a very long file, because the user approves it', async () => {
    const content = Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join('');
    const planned = await createWriteFile(fileWorkspace().ports).plan({ path: 'a.txt', content }, CONTEXT);
    const lines = planned.effect.preview?.unified.split('\n') ?? [];
    expect([lines.length, lines[5_003], lines.at(-1)]).toEqual([10_003, '+line 5000', '+line 9999']);
    expect(planned.effect.preview?.added).toBe(10_000);
  });
});
