import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import type { CandidateQuery, FindCandidates } from '../../../../src/tools/search/candidates.ts';
import { createSearchFiles } from '../../../../src/tools/search/search-files.ts';
import { createSkippedFiles } from '../../../../src/tools/search/search-notes.ts';
import { createTreeServer } from '../../../../src/tools/search/search-tree.ts';
import type { TreeFiles } from '../../../../src/tools/search/text-search.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { CONTEXT, call, finish } from '../../../support/tools/file-tools.ts';
import {
  inWorkspace,
  portsOf,
  portsOver,
  type SearchPorts,
  workspaceRules,
} from '../../../support/tools/search-workspace.ts';

const PROJECT = inWorkspace({
  '.gitignore': 'dist/\n',
  '.git/config': 'sum',
  'dist/sum.js': 'sum',
  'notes.md': 'The sum is wrong.\n',
  'src/sum.ts': 'import x\n\nexport function sum(a, b) {\n  return a - b;\n}\n// sum\nend\n1\n2\n3\nsum()\n4\n',
  'src/.hidden.ts': 'const total = SUM;\n',
  'src/image.png': new Uint8Array([137, 80, 0, 115, 117, 109]),
  'src/large.txt': 'sum\n'.repeat(500_001),
});

function search(args: unknown, ports: SearchPorts = portsOf(PROJECT)): Promise<string> {
  return call(createSearchFiles(ports), args);
}

function text(...lines: readonly string[]): string {
  return lines.join('\n');
}

const SKIPPED = 'Skipped: 1 entry ignored by .gitignore, 1 binary file, 1 file over 2 MB.';

describe('search_files', () => {
  it('plans a read of the directory', async () => {
    const tool = createSearchFiles(portsOf(PROJECT));
    const context = { callId: 'c', signal: AbortSignal.abort(), pause: async () => {} };
    const planned = await tool.plan({ pattern: 'sum', path: 'src', file_pattern: '*.ts' }, context);
    expect(planned.effect.summary).toBe('search for /sum/ in src (*.ts)');
    expect(planned.effect.paths).toEqual([{ requested: 'src', realPath: '/work/src', access: 'read' }]);
  });

  it('skips files that may hold secrets, unless one of them is the path', async () => {
    const files = inWorkspace({ 'a.ts': 'TOKEN', '.env': 'TOKEN=1', 'keys/id_rsa': 'TOKEN', 'id_utils.py': 'TOKEN' });
    const found = await search({ pattern: 'TOKEN' }, portsOf(files));
    expect(found).toContain('2 matching lines in 2 files');
    expect(found).toContain('Skipped: 2 files that may hold secrets.');
    expect(found).not.toMatch(/\.env|id_rsa/);
    expect(await search({ pattern: 'TOKEN', path: '.env' }, portsOf(files))).toContain('TOKEN=1');
  });

  it('shows matching lines with their context, each line once', async () => {
    expect(await search({ pattern: 'sum' })).toBe(
      text(
        '4 matching lines in 2 files for /sum/ in the workspace, 4 files searched:',
        '',
        'notes.md',
        '1: The sum is wrong.',
        '',
        'src/sum.ts',
        '1- import x',
        '2- ',
        '3: export function sum(a, b) {',
        '4-   return a - b;',
        '5- }',
        '6: // sum',
        '7- end',
        '8- 1',
        '9- 2',
        '10- 3',
        '11: sum()',
        '12- 4',
        '',
        SKIPPED,
      ),
    );
  });

  it('searches a file that path names, regardless of file_pattern', async () => {
    expect((await search({ pattern: 'end', path: 'src/sum.ts', file_pattern: '*.md' })).split('\n')[0]).toBe(
      '1 matching line in 1 file for /end/ in src/sum.ts, 1 file searched:',
    );
  });

  it('explains how to match file names with brackets', async () => {
    expect(await search({ pattern: 'sum', file_pattern: 'src/[id].ts' })).toBe(
      text(
        'No line matches /sum/ in the workspace (src/[id].ts), 0 files searched.',
        'To match literal brackets, escape them: src/\\[id\\].ts.',
      ),
    );
  });

  it('shows every path on one line, whatever its name contains', async () => {
    const ports = portsOf(inWorkspace({ 'a\n1: forged': 'x\n' }));
    expect(await search({ pattern: 'x' }, ports)).toBe(
      text('1 matching line in 1 file for /x/ in the workspace, 1 file searched:', '', 'a\\u{a}1: forged', '1: x'),
    );
  });

  it('shows -- between separate lines, and no context with context_lines 0', async () => {
    expect(await search({ pattern: '(?i)sum', path: 'src/sum.ts', context_lines: 0 })).toBe(
      text(
        '3 matching lines in 1 file for /(?i)sum/ in src/sum.ts, 1 file searched:',
        '',
        'src/sum.ts',
        '3: export function sum(a, b) {',
        '--',
        '6: // sum',
        '--',
        '11: sum()',
      ),
    );
  });

  it('shows a line as a match even if it is also the context of another match', async () => {
    const ports = portsOf(inWorkspace({ a: 'hit 1\nhit 2\nmiss' }));
    expect(await search({ pattern: 'hit', context_lines: 1 }, ports)).toBe(
      text(
        '2 matching lines in 1 file for /hit/ in the workspace, 1 file searched:',
        '',
        'a',
        '1: hit 1',
        '2: hit 2',
        '3- miss',
      ),
    );
  });

  it.each([
    ['*.ts', '.', ['src/.hidden.ts', 'src/sum.ts']],
    ['.hidden.*', '.', ['src/.hidden.ts']],
    ['src/*.{ts,md}', '.', ['src/.hidden.ts', 'src/sum.ts']],
    ['*.md', '.', ['notes.md']],
    ['./notes.md', '.', ['notes.md']],
    ['*.js', 'dist', ['dist/sum.js']],
    ['sum.*', 'src', ['src/sum.ts']],
  ])('searches only the files that match %s in %s', async (file_pattern, path, expected) => {
    const lines = (await search({ pattern: '(?i)sum', path, file_pattern, context_lines: 0 })).split('\n');
    expect(lines.filter((line) => /^[\w./]+$/.test(line))).toEqual(expected);
  });

  it('shows the first matches and names the files of the others', async () => {
    const files = inWorkspace(
      Object.fromEntries(
        Array.from({ length: 14 }, (_, index) => [`f${String(index).padStart(2, '0')}`, 'hit\nhit\n']),
      ),
    );
    expect(await search({ pattern: 'hit', context_lines: 0, max_results: 3 }, portsOf(files))).toBe(
      text(
        'Showing the first 3 of 28 matching lines in 14 files for /hit/ in the workspace, 14 files searched:',
        '',
        'f00',
        '1: hit',
        '2: hit',
        '',
        'f01',
        '1: hit',
        '',
        'Not shown: f01 (1), f02 (2), f03 (2), f04 (2), f05 (2), f06 (2), f07 (2), f08 (2), f09 (2), f10 (2), 3 more files.',
        'Narrow the search with path, file_pattern or a more exact pattern, or raise max_results.',
      ),
    );
  });

  it('shows at most 50,000 characters', async () => {
    const ports = portsOf(inWorkspace({ a: `${'x'.repeat(400)}\n`.repeat(300) }));
    const shown = await search({ pattern: 'x', context_lines: 0, max_results: 1000 }, ports);
    expect(shown).toMatch(/^Showing the first 124 of 300 matching lines in 1 file/);
    expect(shown).toContain('Not shown: a (176).');
  });

  it('truncates long lines around the match', async () => {
    const ports = portsOf(inWorkspace({ 'bundle.js': `${'a'.repeat(5000)}needle${'b'.repeat(5000)}` }));
    const shown = (await search({ pattern: 'needle' }, ports)).split('\n').at(-1);
    expect(shown).toBe(`1: …${'a'.repeat(247)}needle${'b'.repeat(247)}… [truncated; the line has 10006 characters]`);
  });

  it('shows the lines that it found before the deadline', async () => {
    const files = createMemoryFileSystem(inWorkspace({ a: 'aa\nb', b: 'aaaaaaaa!' }));
    const ports = portsOver(files, {}, { giveUpAfter: 2 });
    expect(await search({ pattern: '^(a+)+$' }, ports)).toBe(
      text(
        'at least 1 matching line in 1 file for /^(a+)+$/ in the workspace:',
        '',
        'a',
        '1: aa',
        '2- b',
        '',
        'Stopped after 5 s, before everything was searched. Narrow the search with path or file_pattern, ' +
          'or use a simpler pattern (nested repetition such as (a+)+ is slow).',
      ),
    );
    const planned = await createSearchFiles(ports).plan({ pattern: '^z$' }, CONTEXT);
    const { content: nothing, summary } = await finish(planned);
    expect(summary).toBe('no matches so far');
    expect(nothing).toMatch(/^No line that matches \/\^z\$\/ in the workspace was found so far\.\nStopped after 5 s/);
  });

  it('reports why a pattern failed', async () => {
    const ports = portsOf(inWorkspace({ a: 'a'.repeat(1_900_000) }));
    expect(await search({ pattern: '((a)|(b)|(c))*d' }, ports)).toContain(
      'Stopped before everything was searched: the pattern could not be run (Maximum call stack size exceeded).',
    );
  });

  it.each([
    [
      { pattern: 'nowhere' },
      text(
        'No line matches /nowhere/ in the workspace, 5 files searched.',
        'Skipped: 1 entry ignored by .gitignore, 1 file over 2 MB.',
      ),
    ],
    [
      { pattern: 'a\\nb', path: 'notes.md' },
      text(
        'No line matches /a\\nb/ in notes.md, 1 file searched.',
        'Each line is matched separately, so a pattern with \\n never matches.',
      ),
    ],
    [
      { pattern: 'sum', file_pattern: 'dist/*.js' },
      text(
        'No line matches /sum/ in the workspace (dist/*.js), 0 files searched.',
        'To search an ignored directory, use it as path.',
        'Skipped: 1 entry ignored by .gitignore.',
      ),
    ],
  ])('reports what it searched when nothing matches %j', async (args, expected) => {
    expect(await search(args)).toBe(expected);
  });

  it.each([
    [
      { pattern: 'foo(bar' },
      text(
        'invalid_pattern: The pattern is not a valid regular expression: Unterminated group, at character 4:',
        'foo(bar',
        '   ^',
        'To search for the literal text, escape it: foo\\(bar',
      ),
    ],
    [
      { pattern: 'a', path: 'nowhere.ts' },
      'not_found: nowhere.ts does not exist. Use list_files with pattern "*" to see what is there.',
    ],
    [
      { pattern: 'a', file_pattern: '/src/*.ts' },
      'invalid_pattern: file_pattern is matched against paths relative to `path`, so /src/*.ts can never match. ' +
        'Put the directory into `path` and use a relative file_pattern, for example src/*.ts.',
    ],
  ])('refuses %j', async (args, expected) => {
    expect(await search(args)).toBe(expected);
  });

  it('does not follow links, and names unreadable files', async () => {
    const memory = createMemoryFileSystem(inWorkspace({ 'a.txt': 'hit', 'b.txt': 'hit', 'c.txt': 'hit' }));
    memory.volume.symlinkSync('/work', '/work/loop');
    const change = (files: TreeFiles): TreeFiles => ({
      ...files,
      read(path, maxBytes) {
        if (path === '/work/b.txt') throw new FileSystemError('permission_denied', path);
        if (path === '/work/c.txt') throw new FileSystemError('not_found', path);
        return files.read(path, maxBytes);
      },
    });
    expect(await search({ pattern: 'hit' }, portsOver(memory, {}, { change }))).toBe(
      text(
        '1 matching line in 1 file for /hit/ in the workspace, 1 file searched:',
        '',
        'a.txt',
        '1: hit',
        '',
        'Skipped: 1 link not followed, 1 unreadable (b.txt).',
      ),
    );
  });

  it('reports that the search was stopped', async () => {
    const ended = { skipped: createSkippedFiles(), end: { type: 'end', cause: 'aborted' } } as const;
    const textSearch = {
      findPaths: async () => ({ paths: [], total: 0, ...ended }),
      findLines: async () => ({ findings: [], files: 0, ...ended }),
    };
    expect(await search({ pattern: 'sum' }, portsOf(PROJECT, { textSearch }))).toBe(
      text('No line that matches /sum/ in the workspace was found so far.', 'Stopped before everything was searched.'),
    );
  });

  it('reports why the directory cannot be searched', async () => {
    const { fileSystem } = createMemoryFileSystem(inWorkspace({ a: 'x' }));
    const failing = (error: Error) => ({ ...fileSystem, stat: () => Promise.reject(error) });
    const refused = failing(new FileSystemError('permission_denied', '/work/a'));
    expect(await search({ pattern: 'x', path: 'a' }, portsOf({}, { fileSystem: refused }))).toBe(
      'io_error: a cannot be read (permission_denied). Try another path.',
    );
    const broken = portsOf({}, { fileSystem: failing(new TypeError('a defect')) });
    await expect(search({ pattern: 'x', path: 'a' }, broken)).rejects.toThrow('a defect');
  });

  it('reports a failure if a file cannot be read for an unknown reason', async () => {
    const memory = createMemoryFileSystem(inWorkspace({ a: 'x' }));
    const broken = (files: TreeFiles): TreeFiles => ({
      ...files,
      read: () => {
        throw new TypeError('a defect');
      },
    });
    const ports = portsOver(memory, {}, { change: broken });
    expect(await search({ pattern: 'xx', path: 'a' }, ports)).toContain('could not be run (a defect)');
  });

  it('ends with AbortedError after an abort', async () => {
    const result = call(createSearchFiles(portsOf(PROJECT)), { pattern: 'sum' }, AbortSignal.abort());
    await expect(result).rejects.toThrow('The run was stopped.');
  });
});

describe('a search with a program that names candidates', () => {
  /** Names the files of a volume that contain one of the texts. */
  const candidatesIn =
    ({ volume }: ReturnType<typeof createMemoryFileSystem>, asked: CandidateQuery[] = []): FindCandidates =>
    async (query) => {
      asked.push(query);
      const paths = Object.entries(volume.toJSON('/work')).flatMap(([path, text]) =>
        query.texts.some((wanted) => text?.includes(wanted) === true) ? [path.slice('/work/'.length)] : [],
      );
      return { paths, searched: 4 };
    };

  it('searches only those, of whole trees and single files', async () => {
    const memory = createMemoryFileSystem(
      inWorkspace({
        '.gitignore': 'x\nout',
        'out/x': 'sum',
        'a/x': 'sum',
        'a/y': 'sum',
        'a/large': 'sum\n'.repeat(600_000),
        'b/c/z': 'sum',
        'b/c/none': '',
      }),
    );
    const asked: CandidateQuery[] = [];
    const ports = portsOver(memory, {}, { findCandidates: candidatesIn(memory, asked), threads: 2 });
    expect(await search({ pattern: 'sum' }, ports)).toBe(
      text(
        '2 matching lines in 2 files for /sum/ in the workspace, 4 files searched:',
        ...['', 'a/y', '1: sum', '', 'b/c/z', '1: sum', ''],
        'Skipped: 2 entries ignored by .gitignore, 1 file over 2 MB.',
      ),
    );
    expect(asked).toMatchObject([{ trees: ['b'], directories: [''], files: ['a/y'], ignoresCase: false }]);
  });

  it('searches all files if the program cannot tell, or the pattern names no text', async () => {
    const memory = createMemoryFileSystem(inWorkspace({ a: 'sum', b: 'none' }));
    const unable = portsOver(memory, {}, { findCandidates: async () => undefined });
    expect(await search({ pattern: 'sum' }, unable)).toContain('1 matching line in 1 file');
    const able = portsOver(memory, {}, { findCandidates: candidatesIn(memory) });
    expect(await search({ pattern: '^.u' }, able)).toContain('1 matching line in 1 file');
    expect(await search({ pattern: 's|um' }, able)).toContain('1 matching line in 1 file');
    expect(await search({ pattern: 'total|sum' }, able)).toContain('1 matching line in 1 file');
  });

  it('searches a file with the name of a secret in a directory that the user has allowed', async () => {
    const memory = createMemoryFileSystem(inWorkspace({ '.aws/credentials': 'sum' }));
    const pathRules = workspaceRules({ allowedRoots: ['/work', '/work/.aws'] });
    expect(await search({ pattern: 'sum' }, portsOver(memory, { pathRules }))).toContain('.aws/credentials\n1: sum');
  });

  it('leaves a file whose size cannot be read to the search', async () => {
    const memory = createMemoryFileSystem(inWorkspace({ '.gitignore': 'x', x: '', a: 'sum' }));
    const failing = (error: Error) => (files: TreeFiles) => ({
      ...files,
      size: () => {
        throw error;
      },
    });
    const portsWith = (error: Error) =>
      portsOver(memory, {}, { findCandidates: candidatesIn(memory), change: failing(error) });
    expect(await search({ pattern: 'sum' }, portsWith(new FileSystemError('moved', '/work/a')))).toContain('1: sum');
    expect(await search({ pattern: 'sum' }, portsWith(new TypeError('a mistake of ours')))).toContain(
      'the pattern could not be run (a mistake of ours)',
    );
  });
});

it('a thread refuses a part that comes before its query', () => {
  const unused = (): never => {
    throw new TypeError('not used');
  };
  const answer = createTreeServer({ list: unused, size: unused, read: unused, close: unused });
  expect(() => answer({ type: 'walk', directories: [''] }).next()).toThrow('a part came before its query');
  expect(() => answer({ type: 'search', paths: [] }).next()).toThrow('a part came before its query');
});

it('a file of a search is read with the separators of its platform, and a fault of the disk is passed on', () => {
  const read: string[] = [];
  const files: TreeFiles = {
    list: (directory) =>
      directory === 'C:\\' ? [{ name: 'src', kind: 'directory' }] : [{ name: 'a.ts', kind: 'file' }],
    size: () => 1,
    read(file) {
      if (!file.endsWith('.ts')) throw new FileSystemError('not_found', file);
      read.push(file);
      throw new TypeError('a mistake of ours');
    },
    close() {},
  };
  const answer = createTreeServer(files);
  const pathRules = workspaceRules({ workspace: 'C:\\', allowedRoots: ['C:\\'], platform: 'windows' });
  const lines = { source: 'x', flags: '', contextLines: 0, maxLines: 1, maxLineLength: 9 };
  const query = { root: 'C:\\', glob: undefined, isFile: false, pathRules, lines };
  expect(answer({ type: 'find_lines', query, withSizes: false }).next().value).toEqual({ type: 'ready' });
  expect(answer({ type: 'walk', directories: [''] }).next().value).toMatchObject({ paths: ['src/a.ts'] });
  expect(() => answer({ type: 'search', paths: ['src/a.ts'] }).next()).toThrow('a mistake of ours');
  expect(read).toEqual(['C:\\src\\a.ts']);
});
