import { expect, it } from 'vitest';
import { FileSystemError } from '../../../src/agent/errors.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** Functions that create and read the files of a case without the port under test. */
export interface Disk {
  mkdirSync(path: string): unknown;
  writeFileSync(path: string, content: string | Uint8Array): void;
  readFileSync(path: string): unknown;
  symlinkSync(to: string, path: string): void;
  chmodSync(path: string, mode: number): void;
  statSync(path: string): { readonly mode: number | bigint };
  renameSync(from: string, to: string): void;
  readdirSync(path: string): readonly unknown[];
}

/** A file system with an empty directory `root`, which is a real path. */
export interface FileSystemSubject {
  readonly fileSystem: FileSystem;
  readonly root: string;
  readonly disk: Disk;
}

const isWindows = process.platform === 'win32';
// Windows has no permission bits other than "read-only".
const withModes = it.skipIf(isWindows);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The code of the `FileSystemError` that the operation throws; any other outcome as text. */
export async function codeOf(operation: Promise<unknown>): Promise<string> {
  try {
    return `resolved with ${JSON.stringify(await operation)}`;
  } catch (error) {
    return error instanceof FileSystemError ? error.code : `threw ${String(error)}`;
  }
}

type Failure = readonly [
  call: string,
  code: string,
  operation: (port: FileSystem, at: (name: string) => string) => Promise<unknown>,
];

/** Runs the contract of `FileSystem`. */
export function fileSystemContract(implementations: readonly Implementation<FileSystemSubject>[]): void {
  contractSuite('FileSystem', implementations, (create) => {
    const open = (): FileSystemSubject & { at: (name: string) => string; text: (name: string) => string } => {
      const subject = create();
      const separator = subject.root.includes('\\') ? '\\' : '/';
      const at = (name: string): string => subject.root + separator + name.replaceAll('/', separator);
      return { ...subject, at, text: (name) => String(subject.disk.readFileSync(at(name))) };
    };

    withModes('stat returns kind, size and permissions, following links', async () => {
      const { fileSystem, disk, root, at } = open();
      disk.writeFileSync(at('a'), 'four');
      disk.chmodSync(at('a'), 0o640);
      disk.symlinkSync(at('a'), at('link'));
      const { modifiedMs, ...stat } = await fileSystem.stat(at('link'));
      expect(stat).toEqual({ kind: 'file', size: 4, mode: 0o640 });
      // Within a day of now, because the clock of the disk may differ.
      expect(Math.abs(modifiedMs - Date.now())).toBeLessThan(86_400_000);
      expect((await fileSystem.stat(root)).kind).toBe('directory');
    });

    it('realPath resolves every link', async () => {
      const { fileSystem, disk, at } = open();
      disk.mkdirSync(at('d'));
      disk.writeFileSync(at('d/a'), '');
      disk.symlinkSync(at('d'), at('to-d'));
      disk.symlinkSync(at('to-d/a'), at('to-a'));
      expect(await fileSystem.realPath(at('to-a'))).toBe(at('d/a'));
    });

    it('list reports links as links and sorts by code point', async () => {
      const { fileSystem, disk, root, at } = open();
      for (const name of ['b', 'B', 'a10', 'a2', '\u{1f600}', '\uff21', '.hidden']) disk.writeFileSync(at(name), '');
      disk.mkdirSync(at('d'));
      disk.symlinkSync(at('d'), at('link'));
      expect((await fileSystem.list(root)).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
        '.hidden file',
        'B file',
        'a10 file',
        'a2 file',
        'b file',
        'd directory',
        'link link',
        '\uff21 file',
        '\u{1f600} file',
      ]);
    });

    it('list returns at most the given number of entries', async () => {
      const { fileSystem, disk, root, at } = open();
      for (const name of ['c', 'a', 'b']) disk.writeFileSync(at(name), '');
      expect((await fileSystem.list(root, 3)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(await fileSystem.list(root, 2)).toHaveLength(2);
      await expect(fileSystem.list(at('none'), 2)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('readFile returns the start of a file and its complete size', async () => {
      const { fileSystem, disk, at } = open();
      disk.writeFileSync(at('a'), 'abcdef');
      const whole = await fileSystem.readFile(at('a'), 100);
      expect([String.fromCharCode(...whole.bytes), whole.size]).toEqual(['abcdef', 6]);
      const start = await fileSystem.readFile(at('a'), 2);
      expect([String.fromCharCode(...start.bytes), start.size]).toEqual(['ab', 6]);
      expect((await fileSystem.readFile(at('a'), 0)).bytes).toHaveLength(0);
    });

    it('list follows links unless told not to', async () => {
      const { fileSystem, disk, at } = open();
      disk.mkdirSync(at('d'));
      disk.writeFileSync(at('d/a'), '');
      disk.symlinkSync(at('d'), at('to-d'));
      const names = async (path: string, maxEntries?: number, links?: 'refuse'): Promise<readonly string[]> =>
        (await fileSystem.list(at(path), maxEntries, links)).map(({ name }) => name);
      expect(await names('to-d')).toEqual(['a']);
      expect([await names('d', undefined, 'refuse'), await names('d', 5, 'refuse')]).toEqual([['a'], ['a']]);
      expect(await codeOf(names('to-d', undefined, 'refuse'))).toBe('moved');
      expect(await codeOf(names('none', undefined, 'refuse'))).toBe('not_found');
    });

    it('readFile follows links unless told not to', async () => {
      const { fileSystem, disk, at } = open();
      disk.mkdirSync(at('d'));
      disk.writeFileSync(at('d/a'), 'A');
      disk.symlinkSync(at('d/a'), at('to-a'));
      disk.symlinkSync(at('d'), at('to-d'));
      expect((await fileSystem.readFile(at('to-a'), 9)).size).toBe(1);
      expect((await fileSystem.readFile(at('to-d/a'), 9)).size).toBe(1);
      expect((await fileSystem.readFile(at('d/a'), 9, 'refuse')).size).toBe(1);
      expect(await codeOf(fileSystem.readFile(at('to-a'), 9, 'refuse'))).toBe('moved');
      expect(await codeOf(fileSystem.readFile(at('to-d/a'), 9, 'refuse'))).toBe('moved');
    });

    it('createDirectory creates the parents and accepts an existing directory', async () => {
      const { fileSystem, disk, at } = open();
      await fileSystem.createDirectory(at('x/y/z'));
      await fileSystem.createDirectory(at('x/y/z'));
      expect((await fileSystem.stat(at('x/y/z'))).kind).toBe('directory');
      disk.writeFileSync(at('file'), '');
      expect(await codeOf(fileSystem.createDirectory(at('file')))).toBe('already_exists');
    });

    it('replaceFile creates a file and leaves no temporary file', async () => {
      const { fileSystem, disk, root, text } = open();
      await fileSystem.replaceFile(root, 'a', bytes('new'));
      expect(text('a')).toBe('new');
      expect(disk.readdirSync(root).map(String)).toEqual(['a']);
    });

    it('replaceFile creates missing directories, but only within a real path', async () => {
      const { fileSystem, disk, at, text } = open();
      disk.mkdirSync(at('d'));
      disk.mkdirSync(at('elsewhere'));
      disk.symlinkSync(at('elsewhere'), at('link'));
      await fileSystem.replaceFile(at('d/x/y'), 'a', bytes('new'));
      expect(text('d/x/y/a')).toBe('new');
      expect(await codeOf(fileSystem.replaceFile(at('link/x/y'), 'a', bytes('new')))).toBe('moved');
      expect(disk.readdirSync(at('elsewhere'))).toEqual([]);
    });

    it('replaceFile removes the directories that it created when it fails, and keeps the others', async () => {
      const { fileSystem, disk, at } = open();
      disk.mkdirSync(at('d'));
      expect(await codeOf(fileSystem.replaceFile(at('d/x/\0/z'), 'a', bytes('x')))).toBe('io_error');
      expect(disk.readdirSync(at('d'))).toEqual([]);
    });

    it('removeDirectory removes everything in a directory, but follows no links', async () => {
      const { fileSystem, disk, root, at } = open();
      await fileSystem.replaceFile(at('d/x'), 'a', bytes('x'));
      await fileSystem.replaceFile(at('kept'), 'a', bytes('x'));
      disk.symlinkSync(at('kept'), at('d/link'));
      await fileSystem.removeDirectory(at('d'));
      await fileSystem.removeDirectory(at('none'));
      expect([disk.readdirSync(root).map(String), disk.readdirSync(at('kept')).map(String)]).toEqual([['kept'], ['a']]);
    });

    it('removeEmptyDirectory removes a directory only if it is empty', async () => {
      const { fileSystem, disk, root, at } = open();
      await fileSystem.replaceFile(at('d/x'), 'a', bytes('x'));
      disk.mkdirSync(at('empty'));
      const results = [];
      for (const name of ['d/x', 'd/x/a', 'none', 'empty']) {
        results.push(await fileSystem.removeEmptyDirectory(at(name)));
      }
      expect(results).toEqual([false, false, false, true]);
      expect([disk.readdirSync(root).map(String), disk.readdirSync(at('d/x')).map(String)]).toEqual([['d'], ['a']]);
      expect(await codeOf(fileSystem.removeEmptyDirectory(at('\0')))).toBe('io_error');
    });

    withModes.each([0o600, 0o644, 0o755])(
      'replaceFile keeps the permissions %o of the file it replaces',
      async (mode) => {
        const { fileSystem, disk, root, at, text } = open();
        disk.writeFileSync(at('a'), 'a longer old text');
        disk.chmodSync(at('a'), mode);
        await fileSystem.replaceFile(root, 'a', bytes('new'));
        expect([text('a'), (await fileSystem.stat(at('a'))).mode]).toEqual(['new', mode]);
      },
    );

    withModes('readFile reports that a file is write-protected', async () => {
      const { fileSystem, disk, at } = open();
      disk.writeFileSync(at('a'), 'old');
      expect((await fileSystem.readFile(at('a'), 9)).protection).toBeUndefined();
      disk.chmodSync(at('a'), 0o444);
      expect((await fileSystem.readFile(at('a'), 9)).protection).toBe('write_protected');
    });

    withModes('replaceFile sets the given permissions', async () => {
      const { fileSystem, disk, root, at } = open();
      disk.writeFileSync(at('a'), '');
      disk.chmodSync(at('a'), 0o644);
      await fileSystem.replaceFile(root, 'a', bytes('new'), 0o600);
      await fileSystem.replaceFile(root, 'b', bytes('new'), 0o600);
      expect([(await fileSystem.stat(at('a'))).mode, (await fileSystem.stat(at('b'))).mode]).toEqual([0o600, 0o600]);
    });

    it('replaceFile rejects a link to a directory, and a directory that has become a file', async () => {
      const { fileSystem, disk, at } = open();
      disk.mkdirSync(at('d'));
      disk.mkdirSync(at('elsewhere'));
      disk.symlinkSync(at('elsewhere'), at('link'));
      disk.writeFileSync(at('file'), '');
      expect(await codeOf(fileSystem.replaceFile(at('link'), 'a', bytes('x')))).toBe('moved');
      expect(await codeOf(fileSystem.replaceFile(at('file'), 'a', bytes('x')))).toBe('moved');
      disk.mkdirSync(at('d/inner'));
      disk.renameSync(at('d'), at('was-d'));
      disk.symlinkSync(at('was-d'), at('d'));
      expect(await codeOf(fileSystem.replaceFile(at('d/inner'), 'a', bytes('x')))).toBe('moved');
      expect(disk.readdirSync(at('elsewhere'))).toEqual([]);
      expect(disk.readdirSync(at('was-d/inner'))).toEqual([]);
    });

    it('replaceFile replaces only files', async () => {
      const { fileSystem, disk, root, at } = open();
      disk.mkdirSync(at('d'));
      disk.symlinkSync(at('nowhere'), at('dangling'));
      expect(await codeOf(fileSystem.replaceFile(root, 'd', bytes('x')))).toBe('is_directory');
      expect(await codeOf(fileSystem.replaceFile(root, 'dangling', bytes('x')))).toBe('moved');
      expect(await codeOf(fileSystem.replaceFile(at('d/none/\0'), 'a', bytes('x')))).toBe('io_error');
      expect(disk.readdirSync(root).map(String).sort()).toEqual(['d', 'dangling']);
    });

    it.each(['', '.', '..', 'd/a', '../a'])('replaceFile rejects the name %j', async (name) => {
      const { fileSystem, disk, root, at } = open();
      disk.mkdirSync(at('d'));
      expect(await codeOf(fileSystem.replaceFile(root, name, bytes('x')))).toBe('io_error');
      expect(disk.readdirSync(root).map(String)).toEqual(['d']);
    });

    withModes('appendFile creates a file that only its owner can access, and appends to it', async () => {
      const { fileSystem, disk, at, text } = open();
      await fileSystem.appendFile(at('log'), bytes('one\n'));
      await fileSystem.appendFile(at('log'), bytes('two\n'));
      expect([text('log'), (await fileSystem.stat(at('log'))).mode]).toEqual(['one\ntwo\n', 0o600]);
      disk.chmodSync(at('log'), 0o644);
      await fileSystem.appendFile(at('log'), bytes('three\n'));
      expect((await fileSystem.stat(at('log'))).mode).toBe(0o600);
    });

    it('readPieces reads a file from a position to its end', async () => {
      const { fileSystem, disk, at } = open();
      const content = 'abcdefgh'.repeat(100_000);
      disk.writeFileSync(at('a'), content);
      const read = async (start?: number) => {
        const pieces: string[] = [];
        for await (const piece of fileSystem.readPieces(at('a'), start)) pieces.push(new TextDecoder().decode(piece));
        return { count: pieces.length, text: pieces.join('') };
      };
      const whole = await read();
      expect([whole.count > 1, whole.text === content]).toEqual([true, true]);
      expect((await read(content.length - 3)).text).toBe('fgh');
      expect((await read(content.length)).count).toBe(0);
    });

    withModes('openAppend appends to a file that only its owner can access, and cuts it', async () => {
      const { fileSystem, disk, at, text } = open();
      disk.writeFileSync(at('log'), 'one\ntw');
      disk.chmodSync(at('log'), 0o644);
      const log = await fileSystem.openAppend(at('log'));
      await log.truncate(4);
      await log.append(bytes('two\n'));
      await log.append(bytes('three\n'));
      await log.sync();
      await log.close();
      expect([text('log'), (await fileSystem.stat(at('log'))).mode]).toEqual(['one\ntwo\nthree\n', 0o600]);
      await (await fileSystem.openAppend(at('new'))).close();
      expect([text('new'), (await fileSystem.stat(at('new'))).mode]).toEqual(['', 0o600]);
    });

    it('openAppend follows no link', async () => {
      const { fileSystem, disk, at, text } = open();
      disk.writeFileSync(at('a'), 'A');
      disk.symlinkSync(at('a'), at('link'));
      expect(await codeOf(fileSystem.openAppend(at('link')))).toBe('link_loop');
      expect(text('a')).toBe('A');
    });

    withModes('createFile creates a file that only its owner can access, and replaces none', async () => {
      const { fileSystem, at, text } = open();
      await fileSystem.createFile(at('a'), bytes('one'));
      expect(await codeOf(fileSystem.createFile(at('a'), bytes('two')))).toBe('already_exists');
      expect([text('a'), (await fileSystem.stat(at('a'))).mode]).toEqual(['one', 0o600]);
    });

    it('removeFile removes a file, and does nothing if there is none', async () => {
      const { fileSystem, disk, root, at } = open();
      disk.writeFileSync(at('a'), 'A');
      await fileSystem.removeFile(at('a'));
      await fileSystem.removeFile(at('a'));
      expect(disk.readdirSync(root)).toEqual([]);
    });

    withModes('createDirectory makes a directory private, whether it exists or not', async () => {
      const { fileSystem, disk, at } = open();
      disk.mkdirSync(at('old'));
      disk.chmodSync(at('old'), 0o755);
      await fileSystem.createDirectory(at('old'), 'owner');
      await fileSystem.createDirectory(at('new/inner'), 'owner');
      const modes = await Promise.all(['old', 'new', 'new/inner'].map((name) => fileSystem.stat(at(name))));
      expect(modes.map(({ mode }) => mode)).toEqual([0o700, 0o700, 0o700]);
    });

    const failures: readonly Failure[] = [
      ['stat', 'not_found', (port, at) => port.stat(at('none'))],
      ['stat', 'not_a_directory', (port, at) => port.stat(at('file/x'))],
      ['stat', 'link_loop', (port, at) => port.stat(at('loop'))],
      ['realPath', 'not_found', (port, at) => port.realPath(at('none'))],
      ['realPath', 'not_found', (port, at) => port.realPath(at('dangling'))],
      ['realPath', 'not_a_directory', (port, at) => port.realPath(at('file/x'))],
      ['realPath', 'link_loop', (port, at) => port.realPath(at('loop'))],
      ['list', 'not_found', (port, at) => port.list(at('none'))],
      ['list', 'not_a_directory', (port, at) => port.list(at('file'))],
      ['readFile', 'not_found', (port, at) => port.readFile(at('none'), 9)],
      ['readFile', 'is_directory', (port, at) => port.readFile(at('directory'), 9)],
      ['readFile', 'not_a_directory', (port, at) => port.readFile(at('file/x'), 9)],
      ['readFile', 'link_loop', (port, at) => port.readFile(at('loop'), 9)],
      ['createDirectory', 'not_a_directory', (port, at) => port.createDirectory(at('file/x'))],
      ['readPieces', 'not_found', (port, at) => port.readPieces(at('none'))[Symbol.asyncIterator]().next()],
      ['readPieces', 'is_directory', (port, at) => port.readPieces(at('directory'))[Symbol.asyncIterator]().next()],
      ['openAppend', 'is_directory', (port, at) => port.openAppend(at('directory'))],
      ['openAppend', 'not_found', (port, at) => port.openAppend(at('none/x'))],
      ['createFile', 'not_found', (port, at) => port.createFile(at('none/x'), bytes('x'))],
      ['removeFile', 'not_a_directory', (port, at) => port.removeFile(at('file/x'))],
      ['appendFile', 'is_directory', (port, at) => port.appendFile(at('directory'), bytes('x'))],
      ['appendFile', 'not_found', (port, at) => port.appendFile(at('none/x'), bytes('x'))],
    ];
    // Windows reports a path through a file as not found.
    it.each(failures.filter(([, code]) => !isWindows || code !== 'not_a_directory'))(
      '%s can fail with %s',
      async (_name, code, operation) => {
        const { fileSystem, disk, at } = open();
        disk.writeFileSync(at('file'), '');
        disk.mkdirSync(at('directory'));
        disk.symlinkSync(at('nowhere'), at('dangling'));
        disk.symlinkSync(at('loop'), at('loop'));
        expect(await codeOf(operation(fileSystem, at))).toBe(code);
      },
    );
  });
}
