import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import { createListFiles } from '../../../../src/tools/search/list-files.ts';
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
  '.gitignore': 'node_modules/\n*.log\n!keep.log\n',
  '.git/HEAD': 'ref',
  '.git/info/exclude': '/private.txt\n',
  '.env.example': '',
  'README.md': '',
  'debug.log': '',
  'keep.log': '',
  'private.txt': '',
  'src-old/a.ts': '',
  'src/a.ts': '',
  'src/b.tsx': '',
  'src/.gitignore': '/generated/\n',
  'src/generated/x.ts': '',
  'src/deep/generated/y.ts': '',
  'src/deep/z.ts': '',
  'node_modules/zod/.gitignore': 'cache\n',
  'node_modules/zod/cache/c.js': '',
  'node_modules/zod/index.js': '',
  'node_modules/zod/node_modules/inner/i.js': '',
});

function list(args: unknown, ports: SearchPorts = portsOf(PROJECT)): Promise<string> {
  return call(createListFiles(ports), args);
}

describe('list_files', () => {
  it('plans a read of the directory', async () => {
    const tool = createListFiles(portsOf(PROJECT));
    const planned = await tool.plan(
      { pattern: '*.ts', path: 'src' },
      { callId: 'c', signal: AbortSignal.abort(), pause: async () => {} },
    );
    expect(planned.effect.summary).toBe('list *.ts in src');
    expect(planned.effect.paths).toEqual([{ requested: 'src', realPath: '/work/src', access: 'read' }]);
  });

  it('lists files at any depth in code-point order, without .git and ignored files', async () => {
    expect(await list({ pattern: '**/*' })).toBe(
      [
        '10 matches for **/* in the workspace:',
        '.env.example',
        '.gitignore',
        'README.md',
        'keep.log',
        'src-old/a.ts',
        'src/.gitignore',
        'src/a.ts',
        'src/b.tsx',
        'src/deep/generated/y.ts',
        'src/deep/z.ts',
        '',
        'Skipped: 4 entries ignored by .gitignore.',
      ].join('\n'),
    );
  });

  it.each([
    ['*.md', '.', ['README.md']],
    ['./*.md', '.', ['README.md']],
    ['src*/*.ts', '.', ['src-old/a.ts', 'src/a.ts']],
    ['src/*', '.', ['src/.gitignore', 'src/a.ts', 'src/b.tsx', 'src/deep/']],
    ['*/', '.', ['src-old/', 'src/']],
    ['**/', 'src', ['src/deep/', 'src/deep/generated/']],
    ['{src,src-old}/a.ts', '.', ['src-old/a.ts', 'src/a.ts']],
    ['**/*.{ts,tsx}', 'src/deep', ['src/deep/generated/y.ts', 'src/deep/z.ts']],
    ['src/deep/z.ts', '.', ['src/deep/z.ts']],
    ['**/*.js', 'node_modules/zod', ['node_modules/zod/index.js', 'node_modules/zod/node_modules/inner/i.js']],
    ['*', 'node_modules', ['node_modules/zod/']],
  ])('lists %s in %s', async (pattern, path, expected) => {
    const lines = (await list({ pattern, path })).split('\n');
    const count = `${expected.length} ${expected.length === 1 ? 'match' : 'matches'}`;
    expect(lines[0]).toBe(`${count} for ${pattern.replace('./', '')} in ${path === '.' ? 'the workspace' : path}:`);
    const end = lines.indexOf('');
    expect(lines.slice(1, end === -1 ? undefined : end)).toEqual(expected);
  });

  it.each([
    ['*.go', '.', ['Nothing matches *.go in the workspace.', 'To search all directories below, use **/*.go.']],
    ['lib/*.js', '.', ['Nothing matches lib/*.js in the workspace.', 'To search all directories below, use **/*.js.']],
    ['**/*.go', 'src-old', ['Nothing matches **/*.go in src-old.']],
  ])('gives advice when nothing matches %s in %s', async (pattern, path, expected) => {
    expect((await list({ pattern, path })).split('\n').slice(0, expected.length)).toEqual(expected);
  });

  it('explains how to list an ignored directory', async () => {
    expect(await list({ pattern: '**/index.js' })).toBe(
      [
        'Nothing matches **/index.js in the workspace.',
        'To list an ignored directory, use it as path.',
        'Skipped: 4 entries ignored by .gitignore.',
      ].join('\n'),
    );
  });

  it('shows at most 50 KB of paths and counts all of them', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `${index}`.padStart(200, '0'));
    const ports = portsOf(inWorkspace(Object.fromEntries(names.map((name) => [name, '']))));
    const lines = (await list({ pattern: '*', max_results: 1000 }, ports)).split('\n');
    expect(lines[0]).toBe('Showing the first 248 of 400 matches for * in the workspace:');
    expect(lines.slice(1, 249)).toEqual(names.slice(0, 248));
    expect(lines.slice(249)).toEqual(['', 'Narrow the search with path or a more exact pattern.']);
  });

  it('shows the first matches and counts all of them', async () => {
    expect(await list({ pattern: '**/*.ts', path: 'src', max_results: 1 })).toBe(
      [
        'Showing the first 1 of 3 matches for **/*.ts in src:',
        'src/a.ts',
        '',
        'Narrow the search with path or a more exact pattern, or raise max_results.',
        'Skipped: 1 entry ignored by .gitignore.',
      ].join('\n'),
    );
  });

  it('does not claim that nothing matches if the search was stopped', async () => {
    const ports = portsOver(createMemoryFileSystem(PROJECT), {}, { giveUpAfter: 1 });
    expect(await list({ pattern: '**/*.ts', path: 'src-old' }, ports)).toContain('1 match');
    expect(await list({ pattern: '**/*.ts', path: 'src' }, ports)).toMatch(
      /^Nothing that matches \*\*\/\*\.ts in src was found so far\.\nStopped after 5 s/,
    );
    const planned = await createListFiles(ports).plan({ pattern: '**/*.ts', path: 'src' }, CONTEXT);
    expect((await finish(planned)).summary).toBe('no matches so far');
  });

  it.each([
    ['.git/*', '.git is never listed. Use git instead: run_shell with git log, git show …'],
    ['[id].ts', 'To match literal brackets, escape them: \\[id\\].ts.'],
  ])('explains why nothing matches %s', async (pattern, expected) => {
    expect((await list({ pattern })).split('\n')).toContain(expected);
  });

  it.each([
    [
      { pattern: '/src/*.ts' },
      'invalid_pattern: pattern is matched against paths relative to `path`, so /src/*.ts can never match. ' +
        'Put the directory into `path` and use a relative pattern, for example src/*.ts.',
    ],
    [
      { pattern: '/' },
      'invalid_pattern: pattern is matched against paths relative to `path`, so / can never match. ' +
        'Put the directory into `path` and use a relative pattern.',
    ],
    [
      { pattern: 'src/../*.ts' },
      'invalid_pattern: pattern must not contain ".." (src/../*.ts). Put the directory into `path`.',
    ],
    [
      { pattern: '{..,src}/*' },
      'invalid_pattern: pattern must not contain ".." ({..,src}/*). Put the directory into `path`.',
    ],
    [
      { pattern: '*', path: 'nowhere' },
      'not_found: nowhere does not exist. Use list_files with pattern "*" to see what is there.',
    ],
    [
      { pattern: '*', path: 'README.md' },
      'not_a_directory: README.md is not a directory. Use read_file to read a file.',
    ],
    [
      { pattern: '*', path: '.git/info' },
      'path_blocked: .git/info is inside .git, which is never listed or searched. ' +
        'Use git instead: run_shell with git log, git show …',
    ],
  ])('refuses %j', async (args, expected) => {
    expect(await list(args)).toBe(expected);
  });

  it('checks its arguments', async () => {
    expect(await list({ pattern: '', max_results: 0 })).toMatch(/^invalid_arguments: .*pattern.*max_results/s);
  });

  it('reports nothing about a path outside the workspace before the rules allow the call', async () => {
    const files = { '/work/c.ts': '', '/other/a.ts': '', '/other/b/.git/config': '' };
    const tool = createListFiles(portsOf(files));
    for (const path of ['/other', '/other/a.ts', '/missing']) {
      const { effect } = await tool.plan({ pattern: '*', path }, CONTEXT);
      const paths = [{ requested: path, realPath: path, access: 'read' }];
      expect(effect).toMatchObject({ summary: `list * in ${path}`, paths });
    }
    expect(await list({ pattern: '**', path: '../other' }, portsOf(files))).toBe(
      '1 match for ** in /other:\n/other/a.ts',
    );
  });

  it('omits a directory that needs its own approval when it lists another one', async () => {
    const files = { '/a.ts': '', '/etc/b.ts': '', '/proc/c.ts': '', '/work/d.ts': '', '/home/user/.ssh/e.ts': '' };
    const pathRules = workspaceRules({ home: '/home/user' });
    expect(await list({ pattern: '**/*.ts', path: '/' }, portsOf(files, { pathRules }))).toBe(
      '2 matches for **/*.ts in /:\n/a.ts\nd.ts\n\nSkipped: 3 blocked paths.',
    );
    expect(await list({ pattern: '**/*.ts', path: '/etc' }, portsOf(files, { pathRules }))).toBe(
      '1 match for **/*.ts in /etc:\n/etc/b.ts',
    );
  });

  it('shows links and does not follow them', async () => {
    const memory = createMemoryFileSystem(inWorkspace({ 'src/a.ts': '' }));
    const { volume } = memory;
    volume.symlinkSync('/work', '/work/src/loop');
    volume.symlinkSync('/work/src/a.ts', '/work/src/b.ts');
    expect(await list({ pattern: '**' }, portsOver(memory))).toBe(
      '3 matches for ** in the workspace:\nsrc/a.ts\nsrc/b.ts\nsrc/loop',
    );
  });

  it('skips blocked paths and names unreadable ones', async () => {
    const memory = createMemoryFileSystem(
      inWorkspace({ 'a.ts': '', 'closed/b.ts': '', 'secret/c.ts': '', 'secret.ts': '' }),
    );
    const change = (files: TreeFiles): TreeFiles => ({
      ...files,
      list(path) {
        if (path === '/work/closed') throw new FileSystemError('permission_denied', path);
        return files.list(path);
      },
    });
    const pathRules = workspaceRules({ blockedPaths: ['/work/secret', '/home/user/.ssh'] });
    expect(await list({ pattern: '**/*.ts' }, portsOver(memory, { pathRules }, { change }))).toBe(
      '2 matches for **/*.ts in the workspace:\na.ts\nsecret.ts\n\nSkipped: 1 blocked path, 1 unreadable (closed).',
    );
  });

  it('shows every path on one line, whatever its name contains', async () => {
    const files = { 'a\n2 matches for * in the workspace:': '', 'b\u001b[2K': '' };
    expect(await list({ pattern: '*' }, portsOf(inWorkspace(files)))).toBe(
      ['2 matches for * in the workspace:', 'a\\u{a}2 matches for * in the workspace:', 'b\\u{1b}[2K'].join('\n'),
    );
  });

  it('shows absolute paths outside the workspace', async () => {
    const ports = portsOf(
      { '/logs/one.txt': '', '/logs/.gitignore': 'two.txt', '/logs/two.txt': '' },
      { pathRules: workspaceRules({ readOnlyRoots: ['/logs'] }) },
    );
    expect(await list({ pattern: '*.txt', path: '/logs' }, ports)).toBe(
      '1 match for *.txt in /logs:\n/logs/one.txt\n\nSkipped: 1 entry ignored by .gitignore.',
    );
  });

  it('ends with AbortedError after an abort', async () => {
    const result = call(createListFiles(portsOf(PROJECT)), { pattern: '*' }, AbortSignal.abort());
    await expect(result).rejects.toThrow('The run was stopped.');
  });
});
