import { describe, expect, it } from 'vitest';
import { createEditFile } from '../../../src/tools/files/edit-file.ts';
import { createReadFile } from '../../../src/tools/files/read-file.ts';
import { createWriteFile } from '../../../src/tools/files/write-file.ts';
import { createRegistry } from '../../../src/tools/registry.ts';
import { createRunShell } from '../../../src/tools/shell/run-shell.ts';
import { toolPorts } from '../../support/fakes/tool-ports.ts';
import { CONTEXT, call, fileWorkspace } from '../../support/tools/file-tools.ts';

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
const insert = (insertAfter: unknown, newText: unknown) => ({ path: 'a.txt', action: 'insert', insertAfter, newText });
const remove = (...range: readonly unknown[]) => ({ path: 'a.txt', action: 'delete_range', range });

describe('edit_file', () => {
  it.each<readonly [string, string | Uint8Array, object, string | Uint8Array]>([
    ['inserts after a line', 'a\nb\n', insert(1, 'x\ny\n'), 'a\nx\ny\nb\n'],
    ['inserts at the start', 'a\nb\n', insert(0, 'x\n'), 'x\na\nb\n'],
    ['inserts at the end', 'a\nb\n', insert(2, 'x'), 'a\nb\nx\n'],
    ['inserts after a last line without a line feed', 'a\nb', insert(2, 'x'), 'a\nb\nx'],
    ['inserts after such a line with the first line ending', 'a\r\nb', insert(2, 'x\ny'), 'a\r\nb\r\nx\r\ny'],
    ['inserts into an empty file', '', insert(0, 'x'), 'x\n'],
    ['completes the inserted line', 'a\nb\n', insert(1, 'x'), 'a\nx\nb\n'],
    ['inserts with the line ending of the line before', 'a\r\nb\n', insert(1, 'x\ny'), 'a\r\nx\r\ny\r\nb\n'],
    ['inserts with the line feed of the line before', 'a\r\nb\n', insert(2, 'x'), 'a\r\nb\nx\n'],
    ['inserts at the start with the first line ending', 'a\r\nb\n', insert(0, 'x'), 'x\r\na\r\nb\n'],
    ['keeps the encoding', utf16('ä\r\nb\r\n'), insert(1, 'ö'), utf16('ä\r\nö\r\nb\r\n')],
    ['accepts a number as a string', 'a\nb\n', insert('1', 'x'), 'a\nx\nb\n'],
    ['deletes one line', 'a\nb\nc\n', remove(2, 2), 'a\nc\n'],
    ['deletes a range', 'a\nb\nc\n', remove(1, 2), 'c\n'],
    ['deletes the last line without a line feed', 'a\nb', remove(2, 2), 'a\n'],
    ['deletes everything', utf16('ä\nb'), remove(1, 2), utf16('')],
    ['replaces a text', 'a\nb\n', { path: 'a.txt', action: 'replace', find: 'a', replace: 'x' }, 'x\nb\n'],
  ])('%s', async (_name, before, args, after) => {
    const world = fileWorkspace({ 'a.txt': before });
    expect(await call(createEditFile(world.ports), args)).toMatch(/^edited a\.txt: /);
    expect(world.bytes('a.txt')).toEqual(typeof after === 'string' ? new TextEncoder().encode(after) : after);
  });

  it.each([
    [insert(4, 'x'), 'a.txt has 3 lines, so there is no line 4.'],
    [insert(-1, 'x'), 'Too small'],
    [insert(1, ''), 'Too small'],
    [remove(3, 4), 'a.txt has 3 lines, so there is no line 4.'],
    [remove(4, 4), 'a.txt has 3 lines, so there is no line 4.'],
    [remove(9, 9), 'a.txt has 3 lines, so there is no line 8.'],
    [remove(2, 1), 'The range [2, 1] ends before it starts.'],
    [remove(0, 1), 'Too small'],
    [remove(1), 'Too small'],
  ])('refuses %j', async (args, message) => {
    const world = fileWorkspace({ 'a.txt': 'a\nb\nc\n' });
    const result = await call(createEditFile(world.ports), args);
    expect(result).toMatch(/^invalid_arguments: /);
    expect(result).toContain(message);
    expect(world.text('a.txt')).toBe('a\nb\nc\n');
  });

  it('pauses in a file of many lines', async () => {
    const world = fileWorkspace({ 'a.txt': 'a\n'.repeat(10_000) });
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    const context = { ...CONTEXT, pause };
    const planned = await createEditFile(world.ports).plan(remove(9_000, 9_000), context);
    expect(planned.effect.preview).toMatchObject({ added: 0, removed: 1 });
    expect(pauses).toBeGreaterThan(4);
  });

  it('refuses lines of a file that another program changed after it was read', async () => {
    const world = fileWorkspace({ 'a.txt': 'a\n' });
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', 'b\n');
    expect(await call(createEditFile(world.ports), remove(1, 1))).toMatch(/^file_changed: /);
  });
});

describe('write_file', () => {
  const append = { path: 'a.txt', content: 'x\n', mode: 'append' };

  it.each<readonly [string, Readonly<Record<string, string | Uint8Array>>, Uint8Array, string]>([
    ['an existing file', { 'a.txt': 'a\n' }, new TextEncoder().encode('a\nx\n'), 'replaced a.txt: 4 bytes'],
    ['a new file', {}, new TextEncoder().encode('x\n'), 'created a.txt: 2 bytes'],
    ['a file in its encoding', { 'a.txt': utf16('ä') }, utf16('äx\n'), 'replaced a.txt: 8 bytes'],
  ])('appends to %s', async (_name, files, bytes, report) => {
    const world = fileWorkspace(files);
    const result = await call(createWriteFile(world.ports), append);
    expect(result).toContain(report);
    expect(result).not.toContain('Note:');
    expect(world.bytes('a.txt')).toEqual(bytes);
  });

  it('does not append to a binary file', async () => {
    const world = fileWorkspace({ 'a.txt': new Uint8Array([0, 1, 2]) });
    expect(await call(createWriteFile(world.ports), append)).toMatch(/^binary_file: /);
    expect(world.bytes('a.txt')).toEqual(new Uint8Array([0, 1, 2]));
  });

  it('overwrites in the mode overwrite', async () => {
    const world = fileWorkspace({ 'a.txt': 'a\n' });
    await call(createWriteFile(world.ports), { ...append, mode: 'overwrite' });
    expect(world.text('a.txt')).toBe('x\n');
  });
});

describe('read_file', () => {
  const world = fileWorkspace({ 'a.txt': 'one\ntwo\nthree\nfour\n' });

  it.each([
    [{ startLine: 2, endLine: 3 }, 'lines 2–3 of 4 (truncated)\n2\ttwo\n3\tthree\n'],
    [{ endLine: 1 }, 'lines 1–1 of 4 (truncated)\n1\tone\n'],
    [{ startLine: 3, endLine: -1 }, 'lines 3–4 of 4\n3\tthree\n4\tfour'],
    [{ endLine: 99 }, 'lines 1–4 of 4\n'],
    [{ maxBytes: 13 }, 'lines 1–2 of 4 (truncated)\n1\tone\n2\ttwo\n'],
    [{ maxBytes: 1 }, 'lines 1–1 of 4 (truncated)\n1\tone\n'],
    [{ maxBytes: 10_000_000 }, 'lines 1–4 of 4\n'],
    [{ startLine: 3, endLine: 2 }, 'invalid_arguments: Line 2 is before line 3. Nothing was read.'],
    [{ endLine: 'all' }, 'invalid_arguments: The arguments of read_file do not fit its schema:'],
  ])('reads %j', async (range, expected) => {
    expect((await call(createReadFile(world.ports), { path: 'a.txt', ...range })).startsWith(expected)).toBe(true);
  });
});

describe('run_shell', () => {
  const tool = createRunShell(toolPorts());
  const planned = (timeoutMs: unknown) => tool.plan({ command: 'ls', timeoutMs }, CONTEXT);

  it.each([[999], [600_001], ['long']])('refuses the timeout %j', async (timeoutMs) => {
    await expect(planned(timeoutMs)).rejects.toMatchObject({ code: 'invalid_arguments' });
  });
});

describe('createRegistry', () => {
  it('finds the tools of Eidolon by their names', () => {
    const { ports } = fileWorkspace();
    const registry = createRegistry([createEditFile(ports), createReadFile(ports)]);
    expect(registry.find('edit_text')?.definition.name).toBe('edit_file');
    expect(registry.find('read_file')?.definition.name).toBe('read_file');
  });
});
