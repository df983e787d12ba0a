import type { Volume } from 'memfs';
import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { compileRegex } from '../../../../src/tools/search/match-text.ts';
import { addSkipped, createSkippedFiles, describeSkipped } from '../../../../src/tools/search/search-notes.ts';
import type { PathQuery, TreeFiles } from '../../../../src/tools/search/text-search.ts';
import { createInProcessTextSearch } from '../../../support/fakes/in-process-text-search.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { inWorkspace, workspaceRules } from '../../../support/tools/search-workspace.ts';

interface Walk extends Partial<Pick<PathQuery, 'root' | 'pathRules' | 'maxEntries' | 'maxDepth'>> {
  readonly volume?: Volume;
  readonly change?: (files: TreeFiles) => TreeFiles;
}

/** All entries of a tree, directories with `/`, and what was skipped. */
async function walk(
  files: Record<string, string>,
  { volume, change, ...query }: Walk = {},
): Promise<readonly string[]> {
  const all = { glob: () => () => true, regex: compileRegex };
  const search = createInProcessTextSearch({
    volume: volume ?? createMemoryFileSystem(files).volume,
    change,
    compile: all,
  });
  const defaults = { root: '/work', pathRules: workspaceRules(), glob: '**/', maxPaths: 10_000 };
  const { paths, skipped, end } = await search.findPaths({ ...defaults, ...query }, new AbortController().signal);
  return [...paths, ...describeSkipped(skipped), ...(end.cause === 'failed' ? [end.reason] : [])];
}

describe('a walk', () => {
  it('finds whole paths in code-point order', async () => {
    const files = inWorkspace({ 'a/z': '', 'a.b': '', 'a-b': '', a0: '', B: '', '\u{1F600}': '', '\uFF5E': '', é: '' });
    expect(await walk(files)).toEqual(['B', 'a-b', 'a.b', 'a/', 'a/z', 'a0', 'é', '\uFF5E', '\u{1F600}']);
  });

  it('never enters .git, in any case', async () => {
    const files = inWorkspace({ '.git/a': '', 'x/.git': 'gitdir: elsewhere', 'y/.GIT/b': '', '.github/c': '' });
    expect(await walk(files)).toEqual(['.github/', '.github/c', 'x/', 'y/']);
  });

  it('applies the ignore rules of all directories from the workspace to its root', async () => {
    const files = inWorkspace({
      '.git/info/exclude': 'a/b/x5',
      '.gitignore': 'x1\na/b/x2\n/x3\n',
      'a/.gitignore': 'x4\n!x1\n',
      ...Object.fromEntries(['x1', 'x2', 'x3', 'x4', 'x5'].map((name) => [`a/b/${name}`, ''])),
    });
    const expected = ['x1', 'x3', 'Skipped: 3 entries ignored by .gitignore.'];
    expect(await walk(files, { root: '/work/a/b' })).toEqual(expected);
  });

  it.each([
    ['/work/out', ['keep.log']],
    ['/work/out/deep', ['a']],
  ])('starts without ignore rules in the ignored directory %s', async (root, expected) => {
    const files = inWorkspace({ '.gitignore': 'out/\n*.log', 'out/keep.log': '', 'out/deep/a': '' });
    expect((await walk(files, { root })).filter((path) => !path.startsWith('deep'))).toEqual(expected);
  });

  it('ignores a .gitignore that is a link, as git does', async () => {
    const { volume } = createMemoryFileSystem(inWorkspace({ rules: 'a', a: '', 'x/a': '' }));
    volume.symlinkSync('/work/rules', '/work/.gitignore');
    expect(await walk({}, { volume })).toEqual(['.gitignore', 'a', 'rules', 'x/', 'x/a']);
    expect(await walk({}, { volume, root: '/work/x' })).toEqual(['a']);
  });

  it('reports an unreadable .gitignore in any directory', async () => {
    const change = (files: TreeFiles): TreeFiles => ({
      ...files,
      read(path, maxBytes) {
        if (path.endsWith('.gitignore')) throw new FileSystemError('permission_denied', path);
        return files.read(path, maxBytes);
      },
    });
    const files = inWorkspace({ '.gitignore': 'a', 'x/.gitignore': 'a', 'x/a': '' });
    expect(await walk(files, { change, root: '/work/x' })).toEqual([
      '.gitignore',
      'a',
      'Skipped: 2 unreadable (.gitignore, x/.gitignore).',
    ]);
  });

  it('stops at its limits and reports them', async () => {
    const files = inWorkspace({ a: '', 'b/c/d': '', e: '' });
    expect(await walk(files, { maxEntries: 2 })).toEqual([
      'a',
      'b/',
      'Not everything was searched: the limit of 2 entries was reached. Use a narrower path.',
    ]);
    expect(await walk(files, { maxDepth: 2 })).toEqual([
      'a',
      'b/',
      'b/c/',
      'e',
      'Not everything was searched: directories more than 2 levels deep were skipped. Use a deeper path.',
    ]);
    expect(await walk(files, { maxEntries: 5, maxDepth: 3 })).toEqual(['a', 'b/', 'b/c/', 'b/c/d', 'e']);
  });

  it('reports the first unreadable directories and skips a deleted one', async () => {
    const names = ['a', 'b', 'c', 'd', 'gone'];
    const change = (files: TreeFiles): TreeFiles => ({
      ...files,
      list(path) {
        if (path === '/work') return files.list(path);
        throw new FileSystemError(path === '/work/gone' ? 'not_found' : 'permission_denied', path);
      },
    });
    const files = inWorkspace(Object.fromEntries(names.map((name) => [`${name}/f`, ''])));
    expect(await walk(files, { change })).toEqual([
      ...['a/', 'b/', 'c/', 'd/', 'gone/'],
      'Skipped: 4 unreadable (a, b, c, …).',
    ]);
  });

  it('reports an error that is not a FileSystemError', async () => {
    const broken = (files: TreeFiles): TreeFiles => ({
      ...files,
      list: () => {
        throw new TypeError('a defect');
      },
    });
    expect(await walk(inWorkspace({ a: '' }), { change: broken })).toEqual(['a defect']);
  });

  it('counts entries whose names are not Unicode', async () => {
    const change = (files: TreeFiles): TreeFiles => ({
      ...files,
      list: (path) => [...files.list(path), { name: 'caf\ufffd', kind: 'unnamed' }],
    });
    expect(await walk(inWorkspace({ a: '' }), { change })).toEqual(['a', 'Skipped: 1 entry whose name is not UTF-8.']);
  });

  it('skips blocked directories and files, even if their case differs', async () => {
    const pathRules: PathRules = workspaceRules({ blockedPaths: ['/work/Secret', '/work/a/key', '/elsewhere'] });
    const files = inWorkspace({ 'secret/x': '', 'a/key': '', 'a/keys': '' });
    expect(await walk(files, { pathRules })).toEqual(['a/', 'a/keys', 'Skipped: 2 blocked paths.']);
  });

  it('continues with the directories that a part has left, and stops at an abort', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`d${index}/a`, '']));
    const { volume } = createMemoryFileSystem(inWorkspace(many));
    const search = createInProcessTextSearch({ volume, threads: 3 });
    const query = { root: '/work', pathRules: workspaceRules(), glob: '**', maxPaths: 1 };
    expect(await search.findPaths(query, new AbortController().signal)).toMatchObject({
      paths: ['d0/a'],
      total: 5_000,
    });
    expect((await search.findPaths(query, AbortSignal.abort())).end).toEqual({ type: 'end', cause: 'aborted' });
    const late = new AbortController();
    const change = (files: TreeFiles): TreeFiles => ({
      ...files,
      list(path) {
        late.abort();
        return files.list(path);
      },
    });
    const stopped = createInProcessTextSearch({ volume, change });
    expect((await stopped.findPaths(query, late.signal)).end).toEqual({ type: 'end', cause: 'aborted' });
  });

  it.each([
    ['is skipped without a .gitignore', {}, '/work', ['a', 'src/', 'Skipped: 2 directories of installed packages.']],
    ['is a matter of the .gitignore', { '.gitignore': '*.log' }, '/work/src', ['node_modules/', 'node_modules/b']],
    ['is walked if it is the path', {}, '/work/node_modules', ['x/', 'x/node_modules/', 'x/node_modules/c']],
  ])('of a directory of packages %s', async (_name, more, root, expected) => {
    const files = { a: '', 'node_modules/x/node_modules/c': '', 'src/node_modules/b': '', ...more };
    expect(await walk(inWorkspace(files), { root })).toEqual(expected);
  });

  it('sorts the entries of a directory', async () => {
    const change = (files: TreeFiles): TreeFiles => ({ ...files, list: (path) => [...files.list(path)].reverse() });
    expect(await walk(inWorkspace({ a: '', b: '', c: '' }), { change })).toEqual(['a', 'b', 'c']);
  });
});

it('the counts of a part name an unreadable file once', () => {
  const all = { ...createSkippedFiles(), unreadable: ['.gitignore'] };
  addSkipped(all, { ...createSkippedFiles(), links: 2, unreadable: ['.gitignore', 'a'] });
  expect(describeSkipped(all)).toEqual(['Skipped: 2 links not followed, 2 unreadable (.gitignore, a).']);
});
