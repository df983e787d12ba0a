import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import { createEditFile } from '../../../../src/tools/files/edit-file.ts';
import { MAX_FILE_BYTES } from '../../../../src/tools/files/load-file.ts';
import { createReadFile } from '../../../../src/tools/files/read-file.ts';
import { propertySettings, verdictSettings } from '../../../support/random/property.ts';
import { CONTEXT, call, fileWorkspace, finish, resultText } from '../../../support/tools/file-tools.ts';

const SHOP = 'export function sum(a, b) {\n\treturn a - b;\n}\n\nexport const tax = 19;\n';

/** Edits `a.txt` with `edit_file`. `report` is the result for the model, `text` the content of the file afterwards. */
async function edit(
  content: string | Uint8Array,
  oldText: string,
  newText: string,
  args: object = {},
): Promise<{ readonly report: string; readonly text: string }> {
  const world = fileWorkspace({ 'a.txt': content });
  const report = await call(createEditFile(world.ports), {
    path: 'a.txt',
    old_text: oldText,
    new_text: newText,
    ...args,
  });
  return { report, text: world.text('a.txt') };
}

it('edit_file counts a text that occurs very often', async () => {
  expect((await edit('a\n'.repeat(10_000), 'a', 'b')).report).toMatch(/^edit_ambiguous: .* 10000 times/);
});

it('a list of edits names the wrong one, and makes none', async () => {
  const world = fileWorkspace({ 'a.txt': 'one two\n' });
  const edits = [
    { old_text: 'one', new_text: '1' },
    { old_text: 'three', new_text: '3' },
  ];
  const tool = createEditFile(world.ports);
  expect(await call(tool, { path: 'a.txt', edits })).toMatch(/^edit_not_found: Edit 2 of 2 failed, so none was made\./);
  expect(world.text('a.txt')).toBe('one two\n');
});

describe('edit_file', () => {
  it('replaces an exact text and shows the changed lines with their new numbers', async () => {
    expect(await edit(SHOP, 'return a - b;', 'const sum = a + b;\n\treturn sum;')).toEqual({
      report: [
        'edited a.txt: 1 replacement (+2 −1 lines)',
        '@@ -1,5 +1,6 @@',
        ' export function sum(a, b) {',
        '-\treturn a - b;',
        '+\tconst sum = a + b;',
        '+\treturn sum;',
        ' }',
        ' ',
        ' export const tax = 19;',
      ].join('\n'),
      text: 'export function sum(a, b) {\n\tconst sum = a + b;\n\treturn sum;\n}\n\nexport const tax = 19;\n',
    });
  });

  it.each([
    ['a part of a line', 'one two\n', 'two', '2', 'one 2\n'],
    ['the whole file', 'one', 'one', '', ''],
    ['the end of a file without a newline', 'a\nb', 'b', 'c', 'a\nc'],
    ['the last newline only if old_text includes it', 'a\nb\n', 'b\n', 'b', 'a\nb'],
    ['text that looks like a pattern, literally', 'a.c $& abc', 'a.c $&', "$1$'", "$1$' abc"],
    ['a text next to characters of other lengths', 'ä😀x€\n', 'x', 'é', 'ä😀é€\n'],
    ['lines with CRLF that old_text has with LF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\nz\n', 'x\r\ny\r\nz\r\nc\r\n'],
    ['a line without its line end with several lines', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['the last line, with the line endings before it', 'a\r\nb', 'b', 'x\ny', 'a\r\nx\r\ny'],
    ['a line of a mixed file with the LF around it', 'a\r\nb\nc\nd\r\n', 'b\nc', 'x\ny\nz', 'a\r\nx\ny\nz\nd\r\n'],
    ['a line of a mixed file with the CRLF around it', 'a\nb\r\nc\r\nd\n', 'b\nc', 'x\ny\nz', 'a\nx\r\ny\r\nz\r\nd\n'],
    [
      'only the changed lines of a match with mixed line endings',
      'a\r\nb\nc\r\nd\n',
      'a\nb\nc\nd',
      'a\nB\nc\nd',
      'a\r\nB\nc\r\nd\n',
    ],
    ['a line end at the start of the match', 'a\r\nb\r\n', '\nb', '\nc', 'a\r\nc\r\n'],
    ['a line end with nothing', 'a\r\nb\r\n', 'a\nb', 'ab', 'ab\r\n'],
    ['an explicit CRLF', 'a\r\nb\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\n'],
    ['only the LF of an explicit CRLF', 'a\r\nb\nc', 'a\r\n', 'a\rX', 'a\rXb\nc'],
    ['the only line of a file with two lines', 'ab', 'ab', 'a\nb', 'a\nb'],
    ['text after a BOM, which is kept', '\ufeffa\nb\n', 'a\n', 'x\n', '\ufeffx\nb\n'],
  ])('replaces %s', async (_name, content, oldText, newText, expected) => {
    expect((await edit(content, oldText, newText)).text).toBe(expected);
  });

  it.each([
    ['all occurrences', 'x-x-x', 'x', 'yy', 'yy-yy-yy'],
    ['a single occurrence with replace_all', 'x', 'x', 'y', 'y'],
    ['overlapping occurrences from left to right', 'aaaaa', 'aa', 'b', 'bba'],
  ])('replaces %s', async (_name, content, oldText, newText, expected) => {
    expect((await edit(content, oldText, newText, { replace_all: true })).text).toBe(expected);
  });

  it('replaces every occurrence with replace_all and reports their number', async () => {
    expect((await edit('x\nx\n', 'x', 'y', { replace_all: true })).report).toBe(
      'edited a.txt: 2 replacements (+2 −2 lines)\n@@ -1,2 +1,2 @@\n-x\n-x\n+y\n+y',
    );
  });

  it.each([
    [
      'utf-16le',
      [0xff, 0xfe, 97, 0, 13, 0, 10, 0, 0x3d, 0xd8, 0, 0xde],
      [0xff, 0xfe, 98, 0, 13, 0, 10, 0, 120, 0, 13, 0, 10, 0, 0x3d, 0xd8, 0, 0xde],
    ],
    [
      'utf-16be',
      [0xfe, 0xff, 0, 97, 0, 13, 0, 10, 0xd8, 0x3d, 0xde, 0],
      [0xfe, 0xff, 0, 98, 0, 13, 0, 10, 0, 120, 0, 13, 0, 10, 0xd8, 0x3d, 0xde, 0],
    ],
    ['utf-16le without a mark', [97, 0, 13, 0, 10, 0, 233, 0], [98, 0, 13, 0, 10, 0, 120, 0, 13, 0, 10, 0, 233, 0]],
    ['utf-16be without a mark', [0, 97, 0, 10, 0x54, 0x0d], [0, 98, 0, 10, 0, 120, 0, 10, 0x54, 0x0d]],
    ['windows-1252', [0x63, 0x61, 0x66, 0xe9, 10, 97, 10, 0x80], [0x63, 0x61, 0x66, 0xe9, 10, 98, 10, 120, 10, 0x80]],
  ])('replaces text in %s', async (_name, before, after) => {
    const world = fileWorkspace({ 'a.txt': Uint8Array.from(before) });
    await call(createEditFile(world.ports), { path: 'a.txt', old_text: 'a\n', new_text: 'b\nx\n' });
    expect([...world.bytes('a.txt')]).toEqual(after);
  });

  it('writes new characters in the encoding of the file, and names those that it does not have', async () => {
    const world = fileWorkspace({ 'a.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 10]) });
    const tool = createEditFile(world.ports);
    await call(tool, { path: 'a.txt', old_text: 'café', new_text: 'crème – 5 €' });
    const after = [99, 114, 0xe8, 109, 101, 32, 0x96, 32, 53, 32, 0x80, 10];
    expect([...world.bytes('a.txt')]).toEqual(after);
    expect(await call(tool, { path: 'a.txt', old_text: 'crème', new_text: 'kůň' })).toBe(
      'invalid_arguments: a.txt is in Windows-1252 (Latin-1), which has no ů (U+016F). Nothing was written. ' +
        'Use a character that it has, or replace the whole file with write_file, which writes UTF-8.',
    );
    expect([...world.bytes('a.txt')]).toEqual(after);
  });

  it.each([
    ['Shift-JIS', '90dd92e88141834a835e834a836982c682d082e782aa82c881420a'],
    ['GBK', 'c5e4d6c3cec4bcfeb5c4d6d0cec4d7a2cacda1a30a'],
  ])('keeps the bytes of %s, and writes no ambiguous ones', async (_name, hex) => {
    const [comment, code] = [Buffer.from(hex, 'hex'), Buffer.from('a = 1\n')];
    const world = fileWorkspace({ 'a.txt': Uint8Array.from([...comment, ...code]) });
    const tool = createEditFile(world.ports);
    expect(await call(createReadFile(world.ports), { path: 'a.txt' })).toContain('encoding not known');
    expect(await call(tool, { path: 'a.txt', old_text: '1', new_text: 'é' })).toBe(
      'invalid_arguments: The encoding of a.txt is not known, so é cannot be written into it. Nothing was written. ' +
        'Use ASCII and the sequences that the file has, or convert it to UTF-8 first (run_shell: iconv).',
    );
    await call(tool, { path: 'a.txt', old_text: '1', new_text: '22' });
    expect([...world.bytes('a.txt')]).toEqual([...comment, ...Buffer.from('a = 22\n')]);
  });

  it('keeps an invalid byte in UTF-8 text, and writes UTF-8', async () => {
    const world = fileWorkspace({ 'a.txt': Uint8Array.from([0xc3, 0xa9, 10, 0xe9, 10, 97, 10]) });
    const tool = createEditFile(world.ports);
    expect(await call(createReadFile(world.ports), { path: 'a.txt' })).toContain(
      'bytes that are not UTF-8 shown as \ufffd',
    );
    await call(tool, { path: 'a.txt', old_text: 'a', new_text: 'ö' });
    expect([...world.bytes('a.txt')]).toEqual([0xc3, 0xa9, 10, 0xe9, 10, 0xc3, 0xb6, 10]);
    expect(await call(tool, { path: 'a.txt', old_text: '\ufffd', new_text: 'b' })).toContain(
      'stands for bytes that are not UTF-8',
    );
  });

  it('replaces a text next to invalid bytes, which are kept', async () => {
    const filler = new Uint8Array(9_000).fill(97);
    const content = Uint8Array.from([...filler, 0xff, 0xfe, 0x80, 10, 88, 10, 0xc3]);
    const world = fileWorkspace({ 'a.txt': content });
    await call(createEditFile(world.ports), { path: 'a.txt', old_text: 'X', new_text: 'ä' });
    expect([...world.bytes('a.txt').subarray(9_000)]).toEqual([0xff, 0xfe, 0x80, 10, 0xc3, 0xa4, 10, 0xc3]);
  });

  it('replaces a text of a file that the previous edit changed', async () => {
    const world = fileWorkspace({ 'a.txt': 'one\n' });
    const tool = createEditFile(world.ports);
    await call(createReadFile(world.ports), { path: 'a.txt' });
    await call(tool, { path: 'a.txt', old_text: 'one', new_text: 'two' });
    const planned = await tool.plan({ path: 'a.txt', old_text: 'two', new_text: 'three' }, CONTEXT);
    expect(planned.effect.readThisSession).toBe(true);
    await finish(planned);
    expect(world.text('a.txt')).toBe('three\n');
  });

  it('replaces a text and keeps the permissions of the file', async () => {
    const world = fileWorkspace({ 'run.sh': 'echo a\n' });
    world.volume.chmodSync('/w/run.sh', 0o755);
    await call(createEditFile(world.ports), { path: 'run.sh', old_text: 'a', new_text: 'b' });
    expect((await world.ports.fileSystem.stat('/w/run.sh')).mode).toBe(0o755);
  });
});

describe('edit_file', () => {
  it('reports that it changed nothing when both texts are the same', async () => {
    expect(await edit(SHOP, 'tax', 'tax')).toEqual({
      report: 'old_text and new_text are the same, so a.txt was not changed.',
      text: SHOP,
    });
  });

  it('reports that it changed nothing when only the line endings differ and the file has the wanted ones', async () => {
    expect(await edit('a\r\nb\r\n', 'a\nb', 'a\r\nb')).toEqual({
      report: 'a.txt already is as it would be after this, so it was not changed.',
      text: 'a\r\nb\r\n',
    });
  });
});

describe('edit_file', () => {
  it.each<readonly [string, string, string, string, readonly string[]]>([
    [
      'a text with different whitespace, which it shows',
      SHOP,
      '    return a - b;',
      'x',
      [
        'The closest match is at lines 2–2 (· is a space, → is a tab):',
        '2\t→return·a·-·b;',
        'First difference: line 2, column 1: the file has "→", old_text has "·".',
        'Only whitespace differs.',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'a text of several lines that differs in one of them',
      SHOP,
      'export function sum(a, b) {\n\treturn a + b;\n}',
      'x',
      [
        'The closest match is at lines 1–3 (· is a space, → is a tab):',
        '1\texport·function·sum(a,·b)·{',
        '2\t→return·a·-·b;',
        '3\t}',
        'First difference: line 2, column 11: the file has "-", old_text has "+".',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'a part of a longer line',
      'const a = 1; // one\n',
      'const a = 1;\n',
      'x',
      [
        'The closest match is at lines 1–1 (· is a space, → is a tab):',
        '1\tconst·a·=·1;·//·one',
        'First difference: line 1, column 13: the file has "·", old_text has a line end.',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'a newline that the file does not have at its end',
      'a\nlast line',
      'last line\n',
      'x',
      [
        'The closest match is at lines 2–2 (· is a space, → is a tab):',
        '2\tlast·line',
        'First difference: line 2, column 10: the file has no more text, old_text has a line end.',
        'Only whitespace differs.',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'an edit that was already made',
      SHOP.replace('19', '7'),
      'const tax = 19;',
      'const tax = 7;',
      [
        'new_text is already in the file at line 5: the edit seems to have been made already.',
        'The closest match is at lines 5–5 (· is a space, → is a tab):',
        '5\texport·const·tax·=·7;',
        'First difference: line 5, column 1: the file has "e", old_text has "c".',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'a text that is cut off in the middle of a word',
      'prefix = 1\n',
      'prefix = 12',
      'fix',
      [
        'The closest match is at lines 1–1 (· is a space, → is a tab):',
        '1\tprefix·=·1',
        'First difference: line 1, column 11: the file has a line end, old_text has "2".',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'an explicit CRLF that the file does not have',
      'a b c\nd\n',
      'a b c\r\nd',
      '}',
      [
        'The closest match is at lines 1–2 (· is a space, → is a tab):',
        '1\ta·b·c',
        '2\td',
        'First difference: line 1, column 6: the file has a line end, old_text has "␍".',
        'Only whitespace differs.',
        'Copy the text of the file exactly, with real spaces and tabs and without the line numbers.',
      ],
    ],
    [
      'a text without a similar one in the file',
      SHOP,
      'zzz zzz',
      '}\n\nzzz',
      ['Nothing in the file is similar. Read it with read_file and copy the text exactly, without the line numbers.'],
    ],
    [
      'any text in an empty file',
      '',
      'x',
      'y',
      ['Nothing in the file is similar. Read it with read_file and copy the text exactly, without the line numbers.'],
    ],
  ])('refuses %s', async (_name, content, oldText, newText, expected) => {
    expect(await edit(content, oldText, newText)).toEqual({
      report: ['edit_not_found: old_text is not in a.txt. Nothing was written.', ...expected].join('\n'),
      text: content,
    });
  });

  it.each([
    ['x\ny\nx\nx x\n', 'x', '4 times, at lines 1, 3, 4, 4'],
    ['aaa\n', 'aa', '2 times, at lines 1, 1'],
    ['}\r\n\r\n}\r\n\r\n', '}\n', '2 times, at lines 1, 3'],
  ])('refuses to edit %j, in which %j is not unique', async (content, oldText, where) => {
    expect(await edit(content, oldText, 'new')).toEqual({
      report:
        `edit_ambiguous: old_text is in a.txt ${where}. Nothing was written.\n` +
        'Add neighbouring lines to old_text until it matches only once, or set replace_all to true to replace all.',
      text: content,
    });
  });

  it.each([
    [500, '499, 500.'],
    [501, '499, 500 and 1 more place.'],
    [502, '499, 500 and 2 more places.'],
  ])('refuses a text that occurs %i times, and lists 500 lines', async (count, listed) => {
    const { report } = await edit('x\n'.repeat(count), 'x', 'y');
    expect(report).toContain(`${count} times, at lines 1, 2, 3, `);
    expect(report).toContain(`, ${listed} Nothing was written.\n`);
  });

  it('refuses an empty old_text', async () => {
    expect(await edit('', '', 'x')).toEqual({
      report:
        'invalid_arguments: old_text is empty. To insert text, use the adjacent text as old_text and repeat it in ' +
        'new_text; to create a file or fill an empty one, use write_file.',
      text: '',
    });
  });

  it.each(['old_text', 'new_text'])('refuses a lone surrogate in %s', async (name) => {
    const { report } = await edit('a', 'a', 'b', { [name]: 'x\ud83d' });
    expect(report).toBe(
      'invalid_arguments: The arguments of edit_file do not fit its schema:\n' +
        `✖ contains a lone surrogate (\\ud800 to \\udfff)\n  → at ${name}`,
    );
  });

  it('refuses a binary file', async () => {
    expect((await edit(Uint8Array.from([0, 97, 115, 109, 1]), 'a', 'b')).report).toBe(
      'binary_file: a.txt is a binary file (WebAssembly module, 5 bytes), not text. Use run_shell with a program that reads such files.',
    );
  });

  it.each([
    ['aa.txt', 'not_found: aa.txt does not exist. Did you mean a.txt?'],
    ['.', 'is_directory: . is a directory. Use list_files with path="." to see what is in it.'],
  ])('refuses the path %s', async (path, expected) => {
    const { ports } = fileWorkspace({ 'a.txt': 'a' });
    expect(await call(createEditFile(ports), { path, old_text: 'a', new_text: 'b' })).toBe(expected);
  });

  it('refuses a file over 10 MB', async () => {
    const bytes = new Uint8Array(MAX_FILE_BYTES).fill(97);
    const { ports } = fileWorkspace({ 'a.txt': '' }, () => ({
      readFile: async () => ({ bytes, size: MAX_FILE_BYTES + 1, mode: 0o644 }),
    }));
    expect(await call(createEditFile(ports), { path: 'a.txt', old_text: 'a', new_text: 'b' })).toBe(
      'too_large: a.txt is 10.0 MB; only files up to 10.0 MB can be changed with this tool. Use run_shell.',
    );
  });
});

describe('edit_file', () => {
  const NEXT = 'Nothing was written. Read it with read_file, then try again.';
  const args = { path: 'a.txt', old_text: 'two', new_text: '2' };

  it('refuses an edit that would make the file too large, before it fills the memory', async () => {
    const world = fileWorkspace({ 'a.txt': 'a'.repeat(100_000) });
    const edit = { path: 'a.txt', old_text: 'a', new_text: 'b'.repeat(200_000), replace_all: true };
    const lines = { path: 'a.txt', action: 'insert', insertAfter: 0, new_text: 'b'.repeat(MAX_FILE_BYTES - 100_000) };
    for (const args of [edit, lines]) {
      expect(await call(createEditFile(world.ports), args)).toBe(
        'too_large: The edit would make a.txt larger than 10.0 MB, so nothing was written. Replace less.',
      );
    }
  });

  it.each([
    ['a text', { old_text: 'a' }, 'a'],
    ['lines', { action: 'insert', insertAfter: 0 }, ''],
  ])('edits %s as long as the file is not larger than 10 MB', async (_name, args, replaced) => {
    const world = fileWorkspace({ 'a.txt': 'a\nb\n' });
    const room = MAX_FILE_BYTES - 4 + replaced.length;
    const newText = 'b'.repeat(room - 1) + (replaced === '' ? '\n' : 'b');
    const write = (new_text: string) => call(createEditFile(world.ports), { path: 'a.txt', ...args, new_text });
    expect(await write(`b${newText}`)).toMatch(/^too_large: /);
    expect(await write(newText)).toMatch(/^edited a\.txt: /);
    expect(world.text('a.txt')).toHaveLength(MAX_FILE_BYTES);
  });

  it('refuses a file that another program changed after it was read, and shows the changes', async () => {
    const world = fileWorkspace({ 'a.txt': 'one\ntwo\n' });
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', 'one\nhalf\ntwo\n');
    expect(await call(createEditFile(world.ports), args)).toBe(
      `file_changed: a.txt has changed since you read it. ${NEXT} Changes:\n@@ -1,2 +1,3 @@\n one\n+half\n two`,
    );
    expect(world.text('a.txt')).toBe('one\nhalf\ntwo\n');
    await call(createReadFile(world.ports), { path: 'a.txt' });
    await call(createEditFile(world.ports), args);
    expect(world.text('a.txt')).toBe('one\nhalf\n2\n');
  });

  it('refuses a file in which another program changed invalid bytes', async () => {
    const world = fileWorkspace({ 'a.txt': 'two\n' });
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', '\ufefftwo\n');
    expect(await call(createEditFile(world.ports), args)).toBe(
      `file_changed: a.txt has changed since you read it. ${NEXT} Only bytes that are not part of the text have changed.`,
    );
  });

  it('refuses a file in which another program changed many lines, and shows some of the changes', async () => {
    const world = fileWorkspace({ 'a.txt': '' });
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', 'two\n'.repeat(100));
    const report = await call(createEditFile(world.ports), args);
    expect(report.split('\n')).toHaveLength(42);
    expect(report).toContain('\n[… 61 lines omitted …]\n');
  });

  it.each<readonly [string, string, (world: ReturnType<typeof fileWorkspace>) => void]>([
    ['changed', 'a.txt was changed', ({ volume }) => volume.writeFileSync('/w/a.txt', 'two!')],
    ['deleted', 'a.txt was deleted', ({ volume }) => volume.unlinkSync('/w/a.txt')],
  ])('refuses a file that another program changed after the plan (%s)', async (_name, what, change) => {
    const world = fileWorkspace({ 'a.txt': 'two' });
    const tool = createEditFile(world.ports);
    const planned = await tool.plan(args, CONTEXT);
    change(world);
    const before = JSON.stringify(world.volume.toJSON());
    expect(await resultText(() => finish(planned))).toBe(`file_changed: ${what} after this call was planned. ${NEXT}`);
    expect(JSON.stringify(world.volume.toJSON())).toBe(before);
  });
});

describe('the plan of edit_file', () => {
  const args = { path: 'a.txt', old_text: 'one', new_text: 'two' };

  it('fixes the diff and the bytes, and changes nothing', async () => {
    const world = fileWorkspace({ 'a.txt': 'one\n' });
    const planned = await createEditFile(world.ports).plan(args, CONTEXT);
    expect(planned.effect).toMatchObject({
      summary: 'edit a.txt (+1 −1)',
      paths: [{ requested: 'a.txt', realPath: '/w/a.txt', access: 'write' }],
      before: world.ports.digest(world.bytes('a.txt')),
      after: world.ports.digest(new TextEncoder().encode('two\n')),
      readThisSession: false,
    });
    expect(planned.effect.preview).toEqual({
      path: 'a.txt',
      unified: '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two',
      added: 1,
      removed: 1,
    });
    expect(world.text('a.txt')).toBe('one\n');
    expect(world.ports.ledger.get('/w/a.txt')).toBeUndefined();
  });

  it('hashes the old and the new content only once, including the run', async () => {
    const world = fileWorkspace({ 'a.txt': 'one' });
    const hashed: string[] = [];
    const digest: typeof world.ports.digest = (bytes) => {
      hashed.push(new TextDecoder().decode(bytes));
      return world.ports.digest(bytes);
    };
    await call(createEditFile({ ...world.ports, digest }), args);
    expect(hashed).toEqual(['one', 'two']);
  });

  it('has no preview if nothing changes', async () => {
    const planned = await createEditFile(fileWorkspace({ 'a.txt': 'one' }).ports).plan(
      { ...args, new_text: 'one' },
      CONTEXT,
    );
    expect(planned.effect).toEqual({
      summary: 'edit a.txt (no change)',
      paths: [{ requested: 'a.txt', realPath: '/w/a.txt', access: 'read' }],
      unchanged: true,
    });
  });

  it('records whether the file was read', async () => {
    const { ports } = fileWorkspace({ 'a.txt': 'one' });
    await call(createReadFile(ports), { path: 'a.txt' });
    expect((await createEditFile(ports).plan(args, CONTEXT)).effect.readThisSession).toBe(true);
    ports.ledger.clear();
    expect((await createEditFile(ports).plan(args, CONTEXT)).effect.readThisSession).toBe(false);
  });

  it('compares only the digest of a file that an earlier process of the session has read', async () => {
    const { ports, text } = fileWorkspace({ 'a.txt': 'one' });
    const { files = [] } = await finish(await createReadFile(ports).plan({ path: 'a.txt' }, CONTEXT));
    const later = fileWorkspace({ 'a.txt': 'one' });
    for (const { realPath, digest } of files) later.ports.ledger.record(realPath, { digest, text: undefined });
    expect((await createEditFile(later.ports).plan(args, CONTEXT)).effect.readThisSession).toBe(true);
    const changed = fileWorkspace({ 'a.txt': 'one and more' });
    for (const { realPath, digest } of files) changed.ports.ledger.record(realPath, { digest, text: undefined });
    await expect(createEditFile(changed.ports).plan(args, CONTEXT)).rejects.toThrow(
      /^a\.txt has changed since you read it\. Nothing was written\. Read it with read_file, then try again\.$/,
    );
    expect(text('a.txt')).toBe('one');
  });

  it('does not run after an abort', async () => {
    const world = fileWorkspace({ 'a.txt': 'one' });
    const tool = createEditFile(world.ports);
    const signal = AbortSignal.abort();
    const planned = await tool.plan(args, { ...CONTEXT, signal });
    await expect(finish(planned)).rejects.toThrow('The run was stopped.');
    expect(world.text('a.txt')).toBe('one');
  });

  it('does not change the ledger if the write fails', async () => {
    const replaceFile = async (directory: string): Promise<never> => {
      throw new FileSystemError('no_space', directory);
    };
    const { ports } = fileWorkspace({ 'a.txt': 'one' }, () => ({ replaceFile }));
    expect(await call(createEditFile(ports), args)).toBe(
      'no_space: The disk is full, so a.txt was not written. Tell the user.',
    );
    expect(ports.ledger.get('/w/a.txt')).toBeUndefined();
  });
});

describe('edit_file', () => {
  const marks = fc.constantFrom<number[]>([], [0xef, 0xbb, 0xbf]);
  const pieces = fc.constantFrom('\n', '\r\n', '\r', 'a', 'ä', '€', '😀', '\t', ' ', 'ab\n', '\r\n\r\n', 'x');
  const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  const noise = fc.uint8Array({ maxLength: 30 }).map((raw) => raw.map((byte) => (byte === 0 ? 1 : byte)));
  const encoder = new TextEncoder();
  const utf16 = (value: string, isLittle: boolean): number[] =>
    [...Array(value.length).keys()].flatMap((index) => {
      const unit = value.charCodeAt(index);
      return isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255];
    });

  /** Replaces the only occurrence of `oldText` in the bytes of a file. */
  type Editor = (bytes: Uint8Array, oldText: string, newText: string) => Promise<Uint8Array>;

  const editWithTool: Editor = async (bytes, oldText, newText) => {
    const world = fileWorkspace({ 'a.txt': bytes });
    const report = await call(createEditFile(world.ports), { path: 'a.txt', old_text: oldText, new_text: newText });
    expect(report).toMatch(/^edited |^a\.txt already has/);
    return world.bytes('a.txt');
  };

  /** An editor that decodes, replaces and encodes the whole text. */
  const editAsText: Editor = async (bytes, oldText, newText) => {
    const text = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
    return encoder.encode(text.replace(oldText, () => newText));
  };

  /** Edits `start + old + end`. Start and end must stay, with the new text between them. */
  async function splice(
    editor: Editor,
    start: readonly number[],
    old: { readonly bytes: readonly number[]; readonly oldText: string },
    end: readonly number[],
    newText: string,
  ): Promise<void> {
    const bytes = [...(await editor(Uint8Array.from([...start, ...old.bytes, ...end]), old.oldText, newText))];
    // Texts, because comparing long lists number by number takes most of the time.
    expect(bytes.slice(0, start.length).join()).toBe(start.join());
    expect(bytes.slice(bytes.length - end.length).join()).toBe(end.join());
    const middle = Uint8Array.from(bytes.slice(start.length, bytes.length - end.length));
    const isLittle = start[0] === 0xff && start[1] === 0xfe;
    const isBig = start[0] === 0xfe && start[1] === 0xff;
    const label = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8';
    const written = new TextDecoder(label, { ignoreBOM: true }).decode(middle);
    expect(written.replaceAll('\r\n', '\n')).toBe(newText.replaceAll('\r\n', '\n'));
  }

  const filler = Array.from({ length: 8_192 }, () => 0x2e);
  const inUtf8 = (editor: Editor) =>
    fc.asyncProperty(marks, noise, noise, text, text, async (mark, before, after, inside, newText) => {
      const oldText = `<<${inside}>>`.replaceAll('\r\n', '\n').replaceAll('\r', '');
      const bytes = [...encoder.encode(`<<${inside}>>`.replace(/\r(?!\n)/g, ''))];
      await splice(editor, [...mark, ...filler, ...before], { bytes, oldText }, [...after], newText);
    });

  it('keeps all bytes outside the match in UTF-8, even invalid ones', async () => {
    await fc.assert(inUtf8(editWithTool), propertySettings(30));
  });

  it('is tested with a check that detects an editor that decodes and encodes the whole text', async () => {
    expect((await fc.check(inUtf8(editAsText), verdictSettings(30))).failed).toBe(true);
  });

  it.each([true, false])(
    'keeps all bytes outside the match in UTF-16 (little endian: %s), even invalid ones',
    async (isLittle) => {
      const mark = isLittle ? [0xff, 0xfe] : [0xfe, 0xff];
      const even = noise.map((raw) => [1, 2, ...raw.slice(0, raw.length & ~1)]);
      await fc.assert(
        fc.asyncProperty(even, even, text, text, async (before, after, inside, newText) => {
          const oldText = `<<${inside}>>`.replaceAll('\r\n', '\n').replaceAll('\r', '');
          const bytes = utf16(`<<${inside}>>`.replace(/\r(?!\n)/g, ''), isLittle);
          await splice(editWithTool, [...mark, ...before], { bytes, oldText }, after, newText);
        }),
        propertySettings(30),
      );
    },
  );

  it('keeps mixed line endings outside the match, so that replacing back restores the file', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const content = `${before}<<x>>${after}`;
        const world = fileWorkspace({ 'a.txt': content });
        const tool = createEditFile(world.ports);
        await call(tool, { path: 'a.txt', old_text: '<<x>>', new_text: '<<y\nz>>' });
        await call(tool, { path: 'a.txt', old_text: '<<y\nz>>', new_text: '<<x>>' });
        expect(world.text('a.txt')).toBe(content);
      }),
      propertySettings(30),
    );
  });
});
