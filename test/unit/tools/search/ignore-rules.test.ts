import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import { IgnoreRules, loadIgnoreRules } from '../../../../src/tools/search/ignore-rules.ts';
import { createSkippedFiles } from '../../../../src/tools/search/search-notes.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { inWorkspace, workspaceRules } from '../../../support/tools/search-workspace.ts';

const NONE = IgnoreRules.none({ ignoreCase: false });

/** Tests a path. A path with a final `/` is a directory. */
function isIgnored(rules: IgnoreRules, path: string): boolean {
  return path.endsWith('/') ? rules.isIgnored(path.slice(0, -1), 'directory') : rules.isIgnored(path, 'other');
}

/** Rules that would end the process, or take minutes for one path. */
const HOSTILE: readonly (readonly [rule: string, path: string])[] = [
  ['a'.repeat(33_000), 'a'],
  ['?'.repeat(33_000), 'a'],
  ['[a-z]'.repeat(50_000), 'a'],
  [`!${'x'.repeat(40_000)}`, 'a'],
  [`${'**/a/'.repeat(6)}b`, `${'a/'.repeat(100)}c`],
  [`${'*a'.repeat(20)}*bc`, `${'a'.repeat(250)}b`],
];

it.each(HOSTILE)('a hostile rule matches no path, and the other rules still apply: %.20s', (rule, path) => {
  const rules = NONE.extend('', `${rule}\n*.log\n`).extend('sub', `${rule}\nout\n`);
  expect([path, `sub/${path}`, 'x.log', 'sub/out', 'sub/y.log'].map((each) => isIgnored(rules, each))).toEqual([
    ...[false, false],
    ...[true, true, true],
  ]);
});

describe('IgnoreRules', () => {
  it.each([
    // rules of the base, directory and rules further down, path, ignored
    ['', '', '', 'a', false],
    ['*.log', '', '', 'x/a.log', true],
    ['*.log', 'x', '!keep.log', 'x/keep.log', false],
    ['*.log', 'x', '!keep.log', 'y/keep.log', true],
    ['*.log', 'x', '!keep.log', 'x/deep/keep.log', false],
    ['build/', 'x', '!build/', 'x/build/', false],
    ['build/', 'x', '!build/', 'x/build/a', false],
    ['build/', 'x', '', 'x/build', false],
    ['', 'x', '/out', 'x/out', true],
    ['', 'x', '/out', 'x/y/out', false],
    ['', 'x', 'y/out', 'x/y/out', true],
    ['', 'x', 'y/out', 'x/z/y/out', false],
    ['', 'x', 'out/', 'x/y/out/', true],
    ['', 'x', 'out/', 'x/y/out', false],
    ['', 'x', 'out  ', 'x/out', true],
    ['', 'x', 'out\\ ', 'x/out ', true],
    ['', 'x', '# out\n\n!\n', 'x/# out', false],
    ['', 'x', '\\#out', 'x/#out', true],
    ['', 'x', '\\!out', 'x/!out', true],
    ['', 'x', '**/out', 'x/y/z/out', true],
    ['', 'x', 'a/**', 'x/a/b/c', true],
    ['', 'x', '*', 'y', false],
    ['', 'w[1] *!', 'out', 'w[1] *!/out', true],
    ['', 'w[1] *!', 'out', 'w1 *!/out', false],
    ['\uFEFFout\r\nlog\r\n', '', '', 'log', true],
    ['\uFEFFout\r\nlog\r\n', '', '', 'out', true],
    ['OUT', '', '', 'out', false],
  ])(
    'with the rules %j, and in %j the rules %j, decide whether %s is ignored: %s',
    (base, directory, further, path, expected) => {
      expect(isIgnored(NONE.extend('', base).extend(directory, further), path)).toBe(expected);
    },
  );

  it('has none for hundreds of thousands of empty lines', () => {
    expect(NONE.extend('', '\n'.repeat(200_000)).isEmpty).toBe(true);
  });

  it('ignores case with ignoreCase', () => {
    expect(isIgnored(IgnoreRules.none({ ignoreCase: true }).extend('', 'OUT'), 'out')).toBe(true);
  });

  it('does not change the rules that it extends', () => {
    const base = NONE.extend('', 'a');
    base.extend('x', 'b');
    expect(base.isIgnored('x/b', 'other')).toBe(false);
  });
});

describe('the ignore rules of a directory', () => {
  const files = inWorkspace({ '.gitignore': '/out', 'src/.gitignore': '*.log', 'src/a/b': '', 'out/a/b': '' });
  const { fileSystem } = createMemoryFileSystem(files);

  it.each([
    ['/work', '', []],
    ['/work/src/a', 'src/a', ['out', 'src/a/x.log']],
    ['/work/out/a', 'out/a', []],
    ['/elsewhere', '', []],
  ])('of %s come from the workspace and the directories above it', async (root, directory, ignored) => {
    const skipped = createSkippedFiles();
    const starting = await loadIgnoreRules(root, { fileSystem, pathRules: workspaceRules(), skipped });
    expect(starting.directory).toBe(directory);
    const paths = ['out', 'src/a/x.log', 'x.log'];
    expect(paths.filter((path) => starting.rules.isIgnored(path, 'other'))).toEqual(ignored);
  });

  it.each([
    ['permission_denied', ['.git/info/exclude']],
    ['not_found', []],
  ] as const)('name a file that cannot be read: %s', async (code, unreadable) => {
    const skipped = createSkippedFiles();
    const readFile = async (path: string): Promise<never> => {
      throw new FileSystemError(code, path);
    };
    const ports = { fileSystem: { ...fileSystem, readFile }, pathRules: workspaceRules(), skipped };
    await loadIgnoreRules('/work', ports);
    expect(skipped.unreadable).toEqual(unreadable);
  });

  it('rethrow an error that is not a FileSystemError', async () => {
    const readFile = async (): Promise<never> => {
      throw new TypeError('a mistake of ours');
    };
    const ports = {
      fileSystem: { ...fileSystem, readFile },
      pathRules: workspaceRules(),
      skipped: createSkippedFiles(),
    };
    await expect(loadIgnoreRules('/work', ports)).rejects.toThrow('a mistake of ours');
  });
});
