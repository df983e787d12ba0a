import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/core/errors.ts';
import type { FileSystem } from '../../../../src/ports/file-system.ts';
import { ShellLogWriter } from '../../../../src/tools/shell/shell-log.ts';
import { createMemoryFileSystem } from '../../../support/memory-file-system.ts';

describe('the log of a command', () => {
  it.each([
    ['call_1', 'call_1.log'],
    ['../../etc/passwd', '______etc_passwd.log'],
    ['a:b\\c\0d', 'a_b_c_d.log'],
    ['', 'command.log'],
    ['x'.repeat(300), `${'x'.repeat(80)}.log`],
  ])('has for the name %j the file %s', async (name, file) => {
    const { fileSystem, volume } = createMemoryFileSystem();
    const log = new ShellLogWriter(fileSystem, '/out', name);
    await log.append('a');
    await log.append('b€');
    expect(volume.toJSON('/out')).toEqual({ [`/out/${file}`]: 'ab€' });
    expect(log.state).toEqual({ file: `/out/${file}` });
  });

  it('is not created before the first output', async () => {
    const { fileSystem, volume } = createMemoryFileSystem();
    const log = new ShellLogWriter(fileSystem, '/out', 'call_1');
    await log.append('');
    expect(log.state).toEqual({});
    expect(volume.existsSync('/out')).toBe(false);
  });

  it('never appends to the log of another command', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/out/call_1.log': 'old', '/out/call_1-2.log': 'old' });
    await new ShellLogWriter(fileSystem, '/out', 'call_1').append('new');
    expect(volume.toJSON('/out')).toEqual({
      '/out/call_1.log': 'old',
      '/out/call_1-2.log': 'old',
      '/out/call_1-3.log': 'new',
    });
  });

  it.each([
    ['no_space', 'the disk is full'],
    ['permission_denied', 'it could not be written: permission_denied'],
  ] as const)('reports that it is incomplete if writing fails with %s', async (code, gap) => {
    const { fileSystem, volume } = createMemoryFileSystem();
    let room = 1;
    const full: FileSystem = {
      ...fileSystem,
      appendFile: (file, bytes) =>
        room-- > 0 ? fileSystem.appendFile(file, bytes) : Promise.reject(new FileSystemError(code, file)),
    };
    const log = new ShellLogWriter(full, '/out', 'call_1');
    for (const text of ['first', 'second', 'third']) await log.append(text);
    expect(log.state).toEqual({ file: '/out/call_1.log', gap });
    expect(volume.toJSON('/out')).toEqual({ '/out/call_1.log': 'first' });
  });

  it('has no file if nothing could be written', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/out': 'a file where the directory should be' });
    const log = new ShellLogWriter(fileSystem, '/out', 'call_1');
    await log.append('text');
    expect(log.state.file).toBeUndefined();
    expect(log.state.gap).toMatch(/^it could not be written: /);
  });

  it('stops at 64 MB', async () => {
    const { fileSystem } = createMemoryFileSystem();
    let written = 0;
    const counting: FileSystem = {
      ...fileSystem,
      appendFile: async (_, bytes) => {
        written += bytes.length;
      },
    };
    const log = new ShellLogWriter(counting, '/out', 'call_1');
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 70; count += 1) await log.append(megabyte);
    expect(written).toBe(64 * 1024 * 1024);
    expect(log.state).toEqual({ file: '/out/call_1.log', gap: 'it is limited to 64 MB' });
  });

  it('passes on an error that is not a FileSystemError', async () => {
    const { fileSystem } = createMemoryFileSystem();
    const broken: FileSystem = { ...fileSystem, stat: () => Promise.reject(new TypeError('broken')) };
    await expect(new ShellLogWriter(broken, '/out', 'a').append('text')).rejects.toThrow('broken');
  });
});
