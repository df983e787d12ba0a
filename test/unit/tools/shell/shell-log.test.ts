import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import { createRedactor, type Redactor } from '../../../../src/policy/redaction/redact.ts';
import { ShellLogWriter } from '../../../../src/tools/shell/shell-log.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const openLog = (fileSystem: FileSystem, name = 'call_1') => new ShellLogWriter(fileSystem, '/out', name, redactor);
const redactor = createRedactor(['pass-word with spaces']);
/** A line as long as the text that is written at a time. */
const line = (text: string): string => `${text.repeat(16 * 1024 - 1)}\n`;

const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ\n'.repeat(100)}-----END PRIVATE KEY-----\n`;
const OUTPUTS: readonly (readonly [string, readonly string[]])[] = [
  ['a key within lines', [line('x'), 'TOKEN=sk-abcdefghijklmnop0123456789\n', line('y'), line('z')]],
  ['a known secret in a line without an end', ['x'.repeat(30_000), 'pass-word with spaces', 'y'.repeat(30_000)]],
  ['a private key of many lines', ['x\n'.repeat(9_000), KEY, 'y\n'.repeat(9_000)]],
  ['a private key without end', ['x\n'.repeat(2_000), KEY.slice(0, 2_000)]],
  ['characters of two units', ['😀'.repeat(40_000)]],
];

describe('the log of a command', () => {
  it.each(OUTPUTS)('contains %s redacted, however the text is split', async (_name, parts) => {
    const text = parts.join('');
    for (const size of [999, 4_096, 16_385, 100_000]) {
      const { fileSystem, volume } = createMemoryFileSystem();
      const log = openLog(fileSystem);
      const characters = [...text];
      for (let at = 0; at < characters.length; at += size) await log.append(characters.slice(at, at + size).join(''));
      await log.end();
      expect(volume.toJSON('/out')).toEqual({ '/out/call_1.log': redactor.redact(text) });
    }
  });

  it('waits no longer than 64 KB for the end of a private key', async () => {
    const { fileSystem, volume } = createMemoryFileSystem();
    const log = openLog(fileSystem);
    await log.append('-----BEGIN PRIVATE KEY-----\n');
    for (const text of 'abcdefgh') await log.append(line(text));
    await log.end();
    const written = String(volume.toJSON('/out')['/out/call_1.log']);
    expect(written).toMatch(/^-----BEGIN PRIVATE KEY-----\[redacted:private-key\]/);
    expect(written.slice(-16 * 1024)).toBe(line('h'));
  });

  it.each([
    ['call_1', 'call_1.log'],
    ['../../etc/passwd', '______etc_passwd.log'],
    ['a:b\\c\0d', 'a_b_c_d.log'],
    ['', 'command.log'],
    ['x'.repeat(300), `${'x'.repeat(80)}.log`],
  ])('has for the name %j the file %s', async (name, file) => {
    const { fileSystem, volume } = createMemoryFileSystem();
    const log = openLog(fileSystem, name);
    await log.append('a');
    await log.append('b€');
    await log.end();
    expect(volume.toJSON('/out')).toEqual({ [`/out/${file}`]: 'ab€' });
    expect(log.state).toEqual({ file: `/out/${file}` });
  });

  it('is not created before the first output', async () => {
    const { fileSystem, volume } = createMemoryFileSystem();
    const log = openLog(fileSystem);
    await log.append('');
    await log.end();
    expect(log.state).toEqual({});
    expect(volume.existsSync('/out')).toBe(false);
  });

  it('never appends to the log of another command', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ '/out/call_1.log': 'old', '/out/call_1-2.log': 'old' });
    const log = openLog(fileSystem);
    await log.append('new');
    await log.end();
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
    const log = openLog(full);
    for (const text of ['a', 'b', 'c', 'd']) await log.append(line(text));
    await log.end();
    expect(log.state).toEqual({ file: '/out/call_1.log', gap });
    expect(volume.toJSON('/out')['/out/call_1.log']).toMatch(/^a+\n$/);
  });

  it('has no file if nothing could be written', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/out': 'a file where the directory should be' });
    const log = openLog(fileSystem);
    await log.append('text');
    await log.end();
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
    let read = 0;
    const harmless: Redactor = {
      redact: (text) => text,
      unfinishedStart(text) {
        read += text.length;
        return text.length;
      },
    };
    const log = new ShellLogWriter(counting, '/out', 'call_1', harmless);
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 70; count += 1) await log.append(megabyte);
    await log.end();
    expect(written).toBe(64 * 1024 * 1024);
    expect(log.state).toEqual({ file: '/out/call_1.log', gap: 'it is limited to 64 MB' });
    // The rest is not even kept in memory.
    expect(read).toBeLessThan(66 * 1024 * 1024);
  });

  it('rethrows an error that is not a FileSystemError', async () => {
    const { fileSystem } = createMemoryFileSystem();
    const broken: FileSystem = { ...fileSystem, stat: () => Promise.reject(new TypeError('broken')) };
    const log = openLog(broken);
    await log.append('text');
    await expect(log.end()).rejects.toThrow('broken');
  });
});
