import { describe, expect, it } from 'vitest';
import { describeFileTree, readFileTree, type TreeOptions } from '../../../../src/app/prompt/file-tree.ts';
import { estimateTokens } from '../../../../src/text/tokens.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const RULES = {
  workspace: '/work',
  allowedRoots: ['/work'],
  readOnlyRoots: [],
  blockedPaths: ['/work/blocked'],
  platform: 'posix',
} as const;

function optionsOf(files: Readonly<Record<string, string>>, changes: Partial<TreeOptions> = {}) {
  const { fileSystem, volume } = createMemoryFileSystem(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`/work/${name}`, text])),
  );
  volume.mkdirSync('/work', { recursive: true });
  return { volume, options: { fileSystem, pathRules: RULES, excludePatterns: [], maxTokens: 1_024, ...changes } };
}

/** The lines of the tree of these files, without the heading. */
async function treeOf(files: Readonly<Record<string, string>>, changes: Partial<TreeOptions> = {}) {
  return linesOf(optionsOf(files, changes).options);
}

async function linesOf(options: TreeOptions): Promise<readonly string[]> {
  return describeFileTree(await readFileTree(options))
    .split('\n')
    .slice(1, -1);
}

const names = (count: number, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${String(index).padStart(4, '0')}`, '']));

describe('the file tree', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['is empty for an empty workspace', {}, []],
    ['has directories first, in code-point order', { 'b.ts': '', 'a/z': '', Z: '' }, ['a/', '  z', 'Z', 'b.ts']],
    [
      'omits files that .gitignore names, at every level',
      { '.gitignore': 'dist\n', 'dist/x': '', 'a/.gitignore': '*.log\n', 'a/x.log': '', 'a/x.ts': '' },
      ['a/', '  .gitignore', '  x.ts', '.gitignore'],
    ],
    ['omits files that .git/info/exclude names', { '.git/info/exclude': 'secret\n', secret: '', open: '' }, ['open']],
    ['always omits .git', { '.GIT/config': '', '.git/config': '', a: '' }, ['a']],
    ['omits blocked paths', { 'blocked/key': '', a: '' }, ['a']],
    ['shows each name on one line', { 'a\nb\u001b[2J\u202e': '' }, ['a\\u{a}b\\u{1b}[2J\\u{202e}']],
  ])('%s', async (_title, files, lines) => {
    expect(await treeOf(files)).toEqual(lines);
  });

  it('omits files that match the configured patterns', async () => {
    const files = { 'build/x': '', 'lib/build/x': '', 'a.min.js': '', 'src/keep.js': '' };
    expect(await treeOf(files, { excludePatterns: ['build', '*.min.js'] })).toEqual(['lib/', 'src/', '  keep.js']);
  });

  it('does not follow links', async () => {
    const { options, volume } = optionsOf({ 'a/x': '' });
    volume.mkdirSync('/etc');
    volume.writeFileSync('/etc/passwd', '');
    volume.symlinkSync('/etc', '/work/outside');
    volume.symlinkSync('/work', '/work/a/loop');
    expect(await linesOf(options)).toEqual(['a/', '  loop', '  x', 'outside']);
  });

  it('shows the upper levels of a large workspace, and the number of omitted entries', async () => {
    const files = { ...names(200, 'assets/'), 'src/app/main.ts': '', 'src/core/loop.ts': '', 'README.md': '' };
    expect(await treeOf(files, { maxTokens: 60 })).toEqual([
      'assets/ (200 entries)',
      'src/',
      '  app/',
      '    main.ts',
      '  core/',
      '    loop.ts',
      'README.md',
    ]);
  });

  it('counts the omitted entries of the workspace', async () => {
    const lines = await treeOf(names(100, 'file-'), { maxTokens: 40 });
    expect(lines.at(-1)).toBe('… 89 more entries');
    expect(lines).toHaveLength(12);
  });

  it('opens no directory when the limit is reached', async () => {
    expect(await treeOf({ 'a/b': '' }, { maxTokens: 2 })).toEqual(['a/']);
    expect(await treeOf({ 'a/b': '' }, { maxTokens: 0 })).toEqual(['… 1 more entry']);
  });

  it('does not read a huge directory completely', async () => {
    const { options } = optionsOf({ ...names(1_200, 'data/'), a: '' });
    const asked: (number | undefined)[] = [];
    const list: typeof options.fileSystem.list = (path, maxEntries) => {
      asked.push(maxEntries);
      return options.fileSystem.list(path, maxEntries);
    };
    const bounded = { ...options, fileSystem: { ...options.fileSystem, list } };
    expect(await linesOf(bounded)).toEqual(['data/ (1000 or more entries)', 'a']);
    expect(asked).toEqual([1_000, 1_000]);
  });

  it('marks a huge workspace as incomplete', async () => {
    expect(await treeOf(names(1_200, ''))).toEqual(['… 1000 or more entries']);
  });

  it.each([64, 256, 1_024])('has at most %d tokens, whatever the workspace', async (maxTokens) => {
    const files = { ...names(30, 'a/b/c/'), ...names(300, 'x/'), ...names(40, 'long-name-of-a-directory/deep/') };
    const lines = await treeOf(files, { maxTokens });
    // The last line of an omitted part is not counted.
    expect(estimateTokens(lines.join('\n'))).toBeLessThan(maxTokens + 8);
  });

  it('omits a directory that cannot be read', async () => {
    const { options } = optionsOf({ 'a/b': '', c: '' });
    const { fileSystem } = options;
    const list: typeof fileSystem.list = async (path, maxEntries) =>
      path === '/work/a' ? fileSystem.list('/missing') : fileSystem.list(path, maxEntries);
    expect(await linesOf({ ...options, fileSystem: { ...fileSystem, list } })).toEqual(['a/', 'c']);
  });

  it('rethrows an unexpected error', async () => {
    const { options } = optionsOf({ a: '' });
    const list = () => Promise.reject(new Error('broken'));
    await expect(readFileTree({ ...options, fileSystem: { ...options.fileSystem, list } })).rejects.toThrow('broken');
  });
});
