import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import { withClientFiles } from '../../../../src/hosts/acp/client-files.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

/** Files of a client over files on a disk. `shown` has the text that its user sees, by path. */
function setUp(saved: Readonly<Record<string, string | Uint8Array>>, shown: Readonly<Record<string, string>> = {}) {
  const memory = createMemoryFileSystem(saved);
  const asked: string[] = [];
  const written: [string, string][] = [];
  const files = withClientFiles(memory.fileSystem, {
    async readText(file) {
      asked.push(file);
      const text = shown[file];
      if (text === undefined) throw new Error('no such buffer');
      return text;
    },
    async writeText(file, text) {
      if (text === 'refused') throw new Error('read-only buffer');
      written.push([file, text]);
    },
    covers: (file) => file.startsWith('/w/'),
    join: path.posix.join,
  });
  return { files, asked, written, disk: memory.fileSystem, volume: memory.volume };
}

async function read(files: ReturnType<typeof setUp>['files'], file: string, maxBytes = 1_000): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode((await files.readFile(file, maxBytes, 'refuse')).bytes);
}

describe('reading a file of a client', () => {
  it.each<readonly [string, string, string, string]>([
    ['the text that the user sees', 'saved\n', 'shown\n', 'shown\n'],
    ['the saved bytes if only line endings differ', 'a\r\nb\r\n', 'a\nb\n', 'a\r\nb\r\n'],
    ['the line endings of the file', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['mixed line endings as they are shown', 'a\r\nb\n', 'a\nc\n', 'a\nc\n'],
    ['the byte order mark of the file', '\ufeffa', 'b', '\ufeffb'],
  ])('gives %s', async (_name, saved, shown, expected) => {
    const { files } = setUp({ '/w/a': saved }, { '/w/a': shown });
    expect(await read(files, '/w/a')).toBe(expected);
  });

  it('is limited, and has the size of the text that the user sees', async () => {
    const { files } = setUp({ '/w/a': 'ab' }, { '/w/a': 'abcdef' });
    expect(await files.readFile('/w/a', 3)).toMatchObject({ bytes: new TextEncoder().encode('abc'), size: 6 });
  });

  it.each<readonly [string, string, string | Uint8Array, number, readonly string[]]>([
    ['a path that the client does not cover', '/other/a', 'saved', 100, []],
    ['a binary file', '/w/a', new Uint8Array([0xff, 0x00]), 100, []],
    ['a file that is longer than the limit', '/w/a', 'saved', 3, []],
    ['a file that the client refuses', '/w/a', 'saved', 100, ['/w/a']],
  ])('reads %s from the disk', async (_name, file, saved, maxBytes, expected) => {
    const { files, asked, disk } = setUp({ [file]: saved });
    expect(await files.readFile(file, maxBytes)).toEqual(await disk.readFile(file, maxBytes));
    expect(asked).toEqual(expected);
  });

  it('does not ask the client about a file that is not on the disk', async () => {
    const { files, asked } = setUp({ '/w/b': '' }, { '/w/a': 'shown' });
    await expect(files.readFile('/w/a', 100)).rejects.toThrow(FileSystemError);
    expect(asked).toEqual([]);
  });
});

describe('replacing a file of a client', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('lets the client write a file that exists', async () => {
    const { files, written, disk } = setUp({ '/w/a': 'old' });
    await files.replaceFile('/w', 'a', bytes('new\r\n'));
    expect(written).toEqual([['/w/a', 'new\r\n']]);
    expect(await read(disk, '/w/a')).toBe('old');
  });

  it.each<readonly [string, string, Uint8Array, number | undefined]>([
    ['a new file', 'new', bytes('x'), undefined],
    ['a binary file', 'a', new Uint8Array([0xff]), undefined],
    ['a file with another mode', 'a', bytes('x'), 0o755],
  ])('writes %s to the disk', async (_name, name, content, mode) => {
    const memory = createMemoryFileSystem({ '/w/a': 'old' });
    const files = withClientFiles(memory.fileSystem, {
      writeText: () => Promise.reject(new Error('not the client')),
      covers: () => true,
      join: path.posix.join,
    });
    await files.replaceFile('/w', name, content, mode);
    expect((await files.readFile(`/w/${name}`, 100)).bytes).toEqual(content);
  });

  it('does not write through a link', async () => {
    const { files, written, volume } = setUp({ '/w/target': 'old' });
    volume.symlinkSync('/w/target', '/w/link');
    await expect(files.replaceFile('/w', 'link', bytes('x'))).rejects.toMatchObject({ code: 'moved' });
    expect(written).toEqual([]);
  });

  it('reports a write that the client refuses as a failure of the file', async () => {
    const { files } = setUp({ '/w/a': 'old' });
    await expect(files.replaceFile('/w', 'a', bytes('refused'))).rejects.toMatchObject({
      code: 'io_error',
      path: '/w/a',
    });
  });
});
