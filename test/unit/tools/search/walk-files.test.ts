import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { createSkippedFiles, describeSkipped } from '../../../../src/tools/search/search-notes.ts';
import { type WalkOptions, WHOLE_TREE, walkFiles } from '../../../../src/tools/search/walk-files.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { inWorkspace, workspaceRules } from '../../../support/tools/search-workspace.ts';

interface Walk extends Partial<WalkOptions> {
  readonly root?: string;
}

async function walk(files: Record<string, string>, options: Walk = {}): Promise<readonly string[]> {
  const { fileSystem } = createMemoryFileSystem(files);
  const { root = '/work', ...rest } = options;
  const skipped = createSkippedFiles();
  const entries = walkFiles(root, {
    fileSystem,
    pathRules: workspaceRules(),
    scope: WHOLE_TREE,
    skipped,
    signal: new AbortController().signal,
    pause: async () => {},
    ...rest,
  });
  const yielded: string[] = [];
  for await (const { path, kind } of entries) yielded.push(kind === 'directory' ? `${path}/` : path);
  return [...yielded, ...describeSkipped(rest.skipped ?? skipped)];
}

describe('walkFiles', () => {
  it('yields whole paths in code-point order', async () => {
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
    const { fileSystem, volume } = createMemoryFileSystem(inWorkspace({ rules: 'a', a: '', 'x/a': '' }));
    volume.symlinkSync('/work/rules', '/work/.gitignore');
    expect(await walk({}, { fileSystem })).toEqual(['.gitignore', 'a', 'rules', 'x/', 'x/a']);
    expect(await walk({}, { fileSystem, root: '/work/x' })).toEqual(['a']);
  });

  it('reports an unreadable .gitignore in any directory', async () => {
    const { fileSystem } = createMemoryFileSystem(inWorkspace({ '.gitignore': 'a', 'x/.gitignore': 'a', 'x/a': '' }));
    const closed: FileSystem = {
      ...fileSystem,
      readFile: (path, ...rest) =>
        path.endsWith('.gitignore')
          ? Promise.reject(new FileSystemError('permission_denied', path))
          : fileSystem.readFile(path, ...rest),
    };
    expect(await walk({}, { fileSystem: closed, root: '/work/x' })).toEqual([
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

  it('stops on an abort', async () => {
    expect(await walk(inWorkspace({ a: '' }), { signal: AbortSignal.abort() })).toEqual([]);
  });

  it('reports the first unreadable directories and skips a deleted one', async () => {
    const names = ['a', 'b', 'c', 'd', 'gone'];
    const { fileSystem } = createMemoryFileSystem(
      inWorkspace(Object.fromEntries(names.map((name) => [`${name}/f`, '']))),
    );
    const guarded = {
      ...fileSystem,
      list: async (path: string) => {
        if (path === '/work') return fileSystem.list(path);
        throw new FileSystemError(path === '/work/gone' ? 'not_found' : 'permission_denied', path);
      },
    };
    expect(await walk({}, { fileSystem: guarded })).toEqual([
      'a/',
      'b/',
      'c/',
      'd/',
      'gone/',
      'Skipped: 4 unreadable (a, b, c, …).',
    ]);
  });

  it('passes on an error that is not a FileSystemError', async () => {
    const { fileSystem } = createMemoryFileSystem();
    const list = { ...fileSystem, list: () => Promise.reject(new TypeError('a defect')) };
    await expect(walk({}, { fileSystem: list })).rejects.toThrow('a defect');
    const readFile = { ...fileSystem, readFile: () => Promise.reject(new TypeError('another')) };
    await expect(walk({}, { fileSystem: readFile })).rejects.toThrow('another');
  });

  it('skips blocked directories and files, even if their case differs', async () => {
    const pathRules: PathRules = workspaceRules({ blockedPaths: ['/work/Secret', '/work/a/key', '/elsewhere'] });
    const files = inWorkspace({ 'secret/x': '', 'a/key': '', 'a/keys': '' });
    expect(await walk(files, { pathRules })).toEqual(['a/', 'a/keys', 'Skipped: 2 blocked paths.']);
  });

  it('makes a pause for each 1,000 entries of a directory, and stops there', async () => {
    const { fileSystem } = createMemoryFileSystem();
    const entries = Array.from(
      { length: 5_000 },
      (_, index) => ({ name: `${index}`.padStart(4, '0'), kind: 'file' }) as const,
    );
    const large = { ...fileSystem, list: async () => entries };
    let pauses = 0;
    const pause = async (): Promise<void> => void pauses++;
    expect(await walk({}, { fileSystem: large, pause })).toHaveLength(5_000);
    expect(pauses).toBe(5);
    const stop = async (): Promise<void> => {
      if (++pauses === 7) throw new Error('stopped');
    };
    await expect(walk({}, { fileSystem: large, pause: stop })).rejects.toThrow('stopped');
    expect(pauses).toBe(7);
  });
});
