import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import { MAX_FILE_BYTES } from '../../../../src/tools/files/load-file.ts';
import { createReadFile } from '../../../../src/tools/files/read-file.ts';
import { CONTEXT, call, fileWorkspace, finish } from '../../../support/tools/file-tools.ts';

const numbered = (from: number, to: number, text = (line: number) => `line ${line}`): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\t${text(from + index)}`).join('\n');
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** The result of `read_file` for a file `a.txt` with this content. */
const read = (content: string | Uint8Array, args: object = {}): Promise<string> =>
  call(createReadFile(fileWorkspace({ 'a.txt': content }).ports), { path: 'a.txt', ...args });

describe('read_file', () => {
  it.each([
    ['its limit in bytes', 'aaaa\nbbbb\ncccc\n', { offset: 1, endLine: -1, maxBytes: 14 }, '1–2 of 3'],
    ['50,688 bytes', `${`${'é'.repeat(999)}x\n`.repeat(25)}${'x'.repeat(618)}\nx\nx\n`, {}, '1–26 of 28'],
  ])('fills a page up to %s, and not further', async (_name, text, range, lines) => {
    expect(await read(text, range)).toContain(`lines ${lines} (truncated)`);
  });

  it.each<readonly [string, string | Uint8Array, string]>([
    ['all lines', 'one\n\ntwo\n', 'lines 1–3 of 3\n1\tone\n2\t\n3\ttwo'],
    ['a missing newline at the end', 'one\ntwo', 'lines 1–2 of 2 (no newline at the end)\n1\tone\n2\ttwo'],
    ['CRLF as a note only', 'one\r\ntwo\r\n', 'lines 1–2 of 2 (CRLF line endings)\n1\tone\n2\ttwo'],
    ['mixed endings', 'one\r\ntwo\n', 'lines 1–2 of 2 (mixed LF and CRLF line endings)\n1\tone\n2\ttwo'],
    ['a CR that ends no line', 'one\rtwo\n', 'lines 1–1 of 1\n1\tone\rtwo'],
    ['a BOM as a note', '\ufeffone\n', 'lines 1–1 of 1 (UTF-8 with BOM)\n1\tone'],
    [
      'BOM and CRLF together',
      '\ufeffone\r\ntwo',
      'lines 1–2 of 2 (UTF-8 with BOM; CRLF line endings; no newline at the end)\n1\tone\n2\ttwo',
    ],
    ['UTF-16 LE', bytes(0xff, 0xfe, 0xe9, 0, 10, 0), 'lines 1–1 of 1 (UTF-16 LE with BOM)\n1\té'],
    ['UTF-16 BE', bytes(0xfe, 0xff, 0, 0xe9, 0, 10), 'lines 1–1 of 1 (UTF-16 BE with BOM)\n1\té'],
    ['an empty file', '', 'a.txt is empty (0 bytes).'],
    ['a file with only a BOM', '\ufeff', 'a.txt is empty (3 bytes, UTF-8 with BOM).'],
    ['a file with only a line end', '\n', 'lines 1–1 of 1\n1\t'],
    ['tabs and spaces unchanged', '\tx  \n', 'lines 1–1 of 1\n1\t\tx  '],
    ['other alphabets', 'größe 😀\n', 'lines 1–1 of 1\n1\tgröße 😀'],
  ])('shows %s', async (_name, content, expected) => {
    expect(await read(content)).toBe(expected);
  });

  const riff = (text: string) => new TextEncoder().encode(text);
  it.each<readonly [string, Uint8Array, string, string]>([
    ['PNG', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0), 'image/png', 'PNG image, 10 bytes'],
    ['JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0), 'image/jpeg', 'JPEG image, 5 bytes'],
    ['GIF', riff('GIF89a\u0001\0'), 'image/gif', 'GIF image, 8 bytes'],
    ['WebP', riff('RIFF\u0001\0\0\0WEBP'), 'image/webp', 'WebP image, 12 bytes'],
  ])('attaches a picture in %s', async (_name, content, mediaType, summary) => {
    const tool = createReadFile(fileWorkspace({ 'a.bin': content }).ports);
    const result = await finish(await tool.plan({ path: 'a.bin' }, CONTEXT));
    expect(result).toEqual({
      content: `a.bin is attached as a picture (${summary}).`,
      isError: false,
      summary,
      images: [{ mediaType, data: Buffer.from(content).toString('base64') }],
    });
  });

  it('encodes a large picture in Base64, and refuses one that providers would reject', async () => {
    const picture = (size: number) => {
      const content = new Uint8Array(size);
      content.set([0xff, 0xd8, 0xff]);
      return content;
    };
    const content = picture(30_000).map((byte, index) => byte || index % 251);
    const tool = createReadFile(fileWorkspace({ 'a.jpg': content, 'b.jpg': picture(3_932_161) }).ports);
    const { images } = await finish(await tool.plan({ path: 'a.jpg' }, CONTEXT));
    expect(images?.[0]?.data === Buffer.from(content).toString('base64')).toBe(true);
    expect(await call(tool, { path: 'b.jpg' })).toBe(
      'too_large: b.jpg is too large to be shown (JPEG image, 3.8 MB; the limit is 3.8 MB). Use run_shell with a program that makes it smaller.',
    );
  });

  it('shows 500 lines by default, and the offset to continue with', async () => {
    expect(await read(lines(1200))).toBe(
      `lines 1–500 of 1200 (truncated)\n${numbered(1, 500)}\n[truncated: 700 more lines. Continue with offset=501.]`,
    );
  });

  it.each<readonly [string, object, string]>([
    ['the lines from an offset to the end', { offset: 1198 }, `lines 1198–1200 of 1200\n${numbered(1198, 1200)}`],
    ['the last line alone', { offset: 1200 }, `lines 1200–1200 of 1200\n${numbered(1200, 1200)}`],
    [
      'a part',
      { offset: 3, limit: 2 },
      `lines 3–4 of 1200 (truncated)\n${numbered(3, 4)}\n[truncated: 1196 more lines. Continue with offset=5.]`,
    ],
    [
      'all but one line',
      { offset: 700, limit: 500 },
      `lines 700–1199 of 1200 (truncated)\n${numbered(700, 1199)}\n[truncated: 1 more line. Continue with offset=1200.]`,
    ],
    ['the lines exactly to the end', { offset: 701, limit: 500 }, `lines 701–1200 of 1200\n${numbered(701, 1200)}`],
  ])('shows %s', async (_name, args, expected) => {
    expect(await read(lines(1200), args)).toBe(expected);
  });

  it('shows the start of a long line and its length, without splitting a character', async () => {
    const long = `${'x'.repeat(1999)}😀${'y'.repeat(1000)}`;
    expect(await read(`short\n${long}\nend\n`)).toBe(
      `lines 1–3 of 3\n1\tshort\n2\t${'x'.repeat(1999)} [… truncated: 1999 of 3001 characters shown]\n3\tend`,
    );
  });

  it('shows the start of a line of the largest file', async () => {
    const content = await read('\u{1f600}'.repeat(100_000));
    expect(content.split('\n')[1]).toBe(
      `1\t${'\u{1f600}'.repeat(1000)} [… truncated: 2000 of 200000 characters shown]`,
    );
  });
});

describe('read_file', () => {
  it.each<readonly [string, Uint8Array, string]>([
    ['a PDF', bytes(0x25, 0x50, 0x44, 0x46, 0x2d, 0), 'PDF document, 6 bytes'],
    ['a file with a NUL', bytes(65, 0, 66), 'unknown type, 3 bytes'],
    ['a binary file', bytes(65, 0xff, 66, 1), 'unknown type, 4 bytes'],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 65, 0, 0, 0), 'UTF-32 text, 8 bytes'],
  ])('refuses %s', async (_name, content, what) => {
    expect(await read(content)).toBe(
      `binary_file: a.txt is a binary file (${what}), not text. Use run_shell with a program that reads such files.`,
    );
  });

  it('refuses an offset past the end', async () => {
    expect(await read(lines(12), { offset: 13 })).toBe(
      'invalid_arguments: a.txt has 12 lines; offset=13 is past the end. Use an offset from 1 to 12.',
    );
  });

  it.each<readonly [string, string, string]>([
    ['a directory', 'src', 'is_directory: src is a directory. Use list_files with path="src" to see what is in it.'],
    ['the workspace', '.', 'is_directory: . is a directory. Use list_files with path="." to see what is in it.'],
    [
      'a name in another case',
      'SRC/APP.TS',
      'not_found: SRC/APP.TS does not exist, nor does its directory SRC. Use list_files to look for it.',
    ],
    [
      'a name with similar ones',
      'src/ap.ts',
      'not_found: src/ap.ts does not exist. Did you mean src/app.ts or src/App.tsx or src/apps.ts?',
    ],
    [
      'a name without similar ones',
      'src/zzzzzz',
      'not_found: src/zzzzzz does not exist. Use list_files to look for it.',
    ],
    [
      'a file in a missing directory',
      'lib/a.ts',
      'not_found: lib/a.ts does not exist, nor does its directory lib. Use list_files to look for it.',
    ],
    [
      'a variable of the shell',
      '$HOME/a.ts',
      'not_found: $HOME/a.ts does not exist. A path is not a command line: $HOME is not expanded. Write the path itself.',
    ],
    [
      'a name that only ends like others',
      'missing.txt',
      'not_found: missing.txt does not exist. Use list_files to look for it.',
    ],
    [
      'a variable in a name',
      'src/$NAME.ts',
      'not_found: src/$NAME.ts does not exist. A path is not a command line: $NAME is not expanded. Write the path itself.',
    ],
    ['a name similar to a blocked one', 'blocke', 'not_found: blocke does not exist. Use list_files to look for it.'],
  ])('refuses %s', async (_name, path, expected) => {
    const files = {
      'src/app.ts': '',
      'src/App.tsx': '',
      'src/apps.ts': '',
      'src/appsx.ts': '',
      'src/server.ts': '',
      'big.txt': '',
      blocked: '',
    };
    expect(await call(createReadFile(fileWorkspace(files).ports), { path })).toBe(expected);
  });

  it.each([{}, { path: 'a.txt', offset: 0 }, { path: 'a.txt', limit: 0 }, { path: 'a.txt', offset: 1.5 }])(
    'refuses the arguments %j',
    async (args) => {
      expect(await call(createReadFile(fileWorkspace({ 'a.txt': '' }).ports), args)).toMatch(
        /^invalid_arguments: The arguments of read_file do not fit its schema:\n/,
      );
    },
  );

  it('leaves a path outside the workspace to the rules, without facts about it in the plan', async () => {
    const tool = createReadFile(fileWorkspace().ports);
    const paths = ['/outside/secret', '/outside/missing', '/outside/secret/x'];
    const plans = await Promise.all(paths.map((path) => tool.plan({ path }, CONTEXT)));
    expect(plans.map(({ effect }) => effect)).toEqual(
      paths.map((path) => ({
        summary: `read ${path}`,
        paths: [{ requested: path, realPath: path, access: 'read' }],
      })),
    );
    expect(await Promise.all(paths.map((path) => call(tool, { path })))).toEqual([
      'lines 1–1 of 1 (no newline at the end)\n1\tsecret',
      'not_found: /outside/missing does not exist. Use list_files to look for it.',
      'not_a_directory: A part of /outside/secret/x is a file, not a directory. Check the path with list_files.',
    ]);
  });

  it('refuses a file that a link replaced after the plan', async () => {
    const { ports, volume } = fileWorkspace({ 'a.txt': 'A' });
    const tool = createReadFile(ports);
    const planned = await tool.plan({ path: 'a.txt' }, CONTEXT);
    volume.unlinkSync('/w/a.txt');
    volume.symlinkSync('/outside/secret', '/w/a.txt');
    await expect(finish(planned)).rejects.toMatchObject({
      code: 'file_changed',
      message: 'a.txt was replaced by a link. Check the path with list_files.',
    });
  });

  it('refuses to continue after an abort', async () => {
    const tool = createReadFile(fileWorkspace({ 'a.txt': 'A' }).ports);
    const signal = AbortSignal.abort();
    const planned = await tool.plan({ path: 'a.txt' }, { ...CONTEXT, signal });
    await expect(finish(planned)).rejects.toThrow('The run was stopped.');
  });

  it('rethrows an error that is not a FileSystemError', async () => {
    const readFile = async (): Promise<never> => {
      throw new TypeError('a mistake of ours');
    };
    const tool = createReadFile(fileWorkspace({ 'a.txt': '' }, () => ({ readFile })).ports);
    await expect(call(tool, { path: 'a.txt' })).rejects.toThrow('a mistake of ours');
  });
});

it('read_file rethrows a programming error in the search for similar names', async () => {
  const { ports } = fileWorkspace({}, (fileSystem) => ({
    list: async (path) => {
      if (path !== '/w/none') return fileSystem.list(path);
      throw new TypeError('a mistake of ours');
    },
  }));
  await expect(call(createReadFile(ports), { path: 'none/a.txt' })).rejects.toThrow('a mistake of ours');
});

it('read_file reads from a read-only directory and shows the absolute path', async () => {
  const { ports } = fileWorkspace();
  const pathRules = { ...ports.pathRules, readOnlyRoots: ['/outside'] };
  const tool = createReadFile({ ...ports, pathRules });
  expect((await tool.plan({ path: '/outside/secret' }, CONTEXT)).effect.summary).toBe('read /outside/secret');
  expect(await call(tool, { path: '/outside/secret' })).toBe('lines 1–1 of 1 (no newline at the end)\n1\tsecret');
});

describe('read_file', () => {
  const size = MAX_FILE_BYTES + 5_000_000;
  /** The start of a file that is read, a hundredth of the real one. */
  const read = Math.floor(MAX_FILE_BYTES / 100);
  const world = (line: string) => {
    const bytes = new TextEncoder().encode(line.repeat(Math.ceil(read / line.length))).subarray(0, read);
    return fileWorkspace({ 'a.log': 'x' }, () => ({
      async readFile(_path, maxBytes) {
        expect(maxBytes).toBe(MAX_FILE_BYTES);
        return { bytes, size, mode: 0o644 };
      },
    }));
  };
  const total = Math.floor(read / 1000);

  it('shows only the start of a file over 10 MB, and does not record it in the ledger', async () => {
    const { ports } = world(`${'x'.repeat(999)}\n`);
    const content = await call(createReadFile(ports), { path: 'a.log', limit: 1 });
    expect(content).toBe(
      `lines 1–1 of more than ${total} (truncated)\n1\t${'x'.repeat(999)}\n[truncated: ${total - 1} more lines. Continue ` +
        'with offset=2. 14.8 MB in total, read_file shows the first 10.0 MB; use run_shell (tail, sed -n) for the rest.]',
    );
    expect(ports.ledger.get('/w/a.log')).toBeUndefined();
  });

  it('reports the limit after the last line of a file over 10 MB', async () => {
    const content = await call(createReadFile(world(`${'x'.repeat(999)}\n`).ports), { path: 'a.log', offset: total });
    expect(content).toBe(
      `lines ${total}–${total} of more than ${total} (truncated)\n${total}\t${'x'.repeat(999)}\n[truncated: 14.8 MB in ` +
        'total, read_file shows the first 10.0 MB; use run_shell (tail, sed -n) for the rest.]',
    );
  });

  it('reports the limit for an offset past the shown part of a file over 10 MB', async () => {
    expect(await call(createReadFile(world(`${'x'.repeat(999)}\n`).ports), { path: 'a.log', offset: 999 })).toBe(
      `invalid_arguments: a.log is 14.8 MB, of which read_file shows the first ${total} lines; offset=999 is past ` +
        `the end. Use an offset from 1 to ${total}.`,
    );
  });

  it('shows the start of a file over 10 MB with a single line', async () => {
    const content = await call(createReadFile(world('x').ports), { path: 'a.log' });
    expect(content).toMatch(
      /^lines 1–1 of more than 1 \(truncated\)\n1\tx+ \[… truncated: 2000 of 104857 characters shown\]\n/,
    );
  });
});

describe('the plan of read_file', () => {
  it('names the file and has no effect', async () => {
    const { ports } = fileWorkspace({ 'src/a.ts': 'x\n' });
    const tool = createReadFile(ports);
    expect((await tool.plan({ path: './src/../src/a.ts', offset: 7 }, CONTEXT)).effect).toMatchObject({
      summary: 'read src/a.ts from line 7',
      paths: [{ requested: './src/../src/a.ts', realPath: '/w/src/a.ts', access: 'read' }],
    });
    expect(ports.ledger.get('/w/src/a.ts')).toBeUndefined();
  });

  it('has a summary for the user after its run, which records the file in the ledger', async () => {
    const { ports, bytes: bytesOf } = fileWorkspace({ 'a.txt': '\ufeffone\r\n' });
    const tool = createReadFile(ports);
    const result = await finish(await tool.plan({ path: 'a.txt' }, CONTEXT));
    expect([result.summary, result.isError]).toEqual(['lines 1–1 of 1', false]);
    expect(ports.ledger.get('/w/a.txt')).toEqual({ digest: ports.digest(bytesOf('a.txt')), text: 'one\r\n' });
  });
});

describe('read_file', () => {
  it.each([
    [
      'permission_denied',
      'permission_denied: Permission denied for a.txt. Use another path, or ask the user for access.',
    ],
    ['not_a_file', 'not_a_file: a.txt is not a regular file but a device, a pipe or a socket. Use another path.'],
    ['not_a_directory', 'not_a_directory: A part of a.txt is a file, not a directory. Check the path with list_files.'],
    ['already_exists', 'not_a_directory: A part of a.txt is a file, not a directory. Check the path with list_files.'],
    ['link_loop', 'file_changed: a.txt was replaced by a link. Check the path with list_files.'],
    ['no_space', 'no_space: The disk is full, so a.txt was not written. Tell the user.'],
    ['io_error', 'io_error: A system error occurred on a.txt (EMFILE). Try once more, then tell the user.'],
  ] as const)('reports the file-system error %s', async (code, expected) => {
    const cause = Object.assign(new Error('from the system'), { code: 'EMFILE' });
    const readFile = async (path: string): Promise<never> => {
      throw new FileSystemError(code, path, { cause });
    };
    const { ports } = fileWorkspace({ 'a.txt': '' }, () => ({ readFile }));
    expect(await call(createReadFile(ports), { path: 'a.txt' })).toBe(expected);
  });

  it('reports the limit of the size of files', async () => {
    const readFile = async (path: string): Promise<never> => {
      throw new FileSystemError('io_error', path, { cause: Object.assign(new Error('x'), { code: 'EFBIG' }) });
    };
    const { ports } = fileWorkspace({ 'a.txt': '' }, () => ({ readFile }));
    expect(await call(createReadFile(ports), { path: 'a.txt' })).toBe(
      'no_space: The limit of the file size (ulimit -f) is reached, so a.txt was not written. Tell the user.',
    );
  });

  it.each([
    ['a device', { kind: 'other' }, /^not_a_file: a\.txt is not a regular file/],
    ['a file that no look finds', undefined, /^lines 1–1 of 1/],
  ] as const)('plans the reading of %s', async (_name, facts, expected) => {
    const { ports } = fileWorkspace({ 'a.txt': 'A\n' }, (fileSystem) => ({
      stat: async (path) => {
        if (facts === undefined) throw new FileSystemError('not_found', path);
        return { ...(await fileSystem.stat(path)), ...facts };
      },
    }));
    expect(await call(createReadFile(ports), { path: 'a.txt' })).toMatch(expected);
  });

  it('reveals nothing about a device outside the workspace before the approval', async () => {
    const { ports } = fileWorkspace({}, (fileSystem) => ({
      stat: async (path) => ({ ...(await fileSystem.stat(path)), kind: 'other' }),
    }));
    const planned = await createReadFile(ports).plan({ path: '/outside/secret' }, CONTEXT);
    expect(planned.effect).toMatchObject({ summary: 'read /outside/secret' });
  });

  it('compares the names of a large directory that have the same first letter', async () => {
    const others = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x${index}`, '']));
    const { ports } = fileWorkspace({ ...others, 'bpp.txt': '', 'app.txt': '' });
    expect(await call(createReadFile(ports), { path: 'App.txt' })).toMatch(
      / does not exist\. Did you mean app\.txt\?$/,
    );
  });

  it('reports an io_error without a system code', async () => {
    const readFile = async (path: string): Promise<never> => {
      throw new FileSystemError('io_error', path);
    };
    const { ports } = fileWorkspace({ 'a.txt': '' }, () => ({ readFile }));
    expect(await call(createReadFile(ports), { path: 'a.txt' })).toBe(
      'io_error: A system error occurred on a.txt. Try once more, then tell the user.',
    );
  });
});
