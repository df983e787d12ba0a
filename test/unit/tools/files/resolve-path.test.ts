import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileSystemError, type ToolError } from '../../../../src/agent/errors.ts';
import type { FileSystem, FileSystemErrorCode } from '../../../../src/agent/ports/file-system.ts';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import {
  createRealPathOf,
  type ResolvedPath,
  realPathOf,
  resolvePath,
} from '../../../../src/tools/files/resolve-path.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';
import { arbitraryTree, type ModelTree, resolveInModel } from '../../../support/random/model-tree.ts';
import { verdictSettings } from '../../../support/random/property.ts';

const RULES: PathRules = {
  workspace: '/work/app',
  home: '/home/u',
  allowedRoots: ['/work/app', '/data'],
  readOnlyRoots: ['/logs'],
  blockedPaths: ['/work/app/secret'],
  platform: 'posix',
};

/** The file system of the tables, with links of every kind. */
function createWorkspace() {
  const memory = createMemoryFileSystem({
    '/work/app/a.txt': 'a',
    '/work/app/src/b.txt': 'b',
    '/work/app/secret/key': 'k',
    '/work/app-secrets/key': 'k',
    '/data/d.txt': 'd',
    '/data/sub/e.txt': 'e',
    '/logs/1.log': 'l',
    '/etc/passwd': 'p',
    '/home/u/notes': 'n',
  });
  const links = {
    '/work/app/inside': '/work/app/src',
    '/work/app/outside': '/etc',
    '/work/app/relative': '../app-secrets',
    '/work/app/to-file': '/etc/passwd',
    '/work/app/to-secret': 'secret',
    '/work/app/chain': 'inside',
    '/work/app/dangling': '/etc/new',
    '/work/app/dangling-inside': 'src/new',
    '/work/app/loop': 'loop2',
    '/work/app/loop2': 'loop',
    '/data/back': '/work/app',
    '/work/app/to-up': '/data',
  };
  for (const [link, target] of Object.entries(links)) memory.volume.symlinkSync(target, link);
  return memory;
}

it.each([
  ['$HOME/notes.txt', '$HOME'],
  [`\${HOME}/src/a`, `\${HOME}`],
  ['$PWD', '$PWD'],
  ['%USERPROFILE%/notes.txt', '%USERPROFILE%'],
])('a path that begins with a variable, %s, names no file, also for a write', async (requested, variable) => {
  const { fileSystem, volume } = createWorkspace();
  const message = `${requested} does not exist. A path is not a command line: ${variable} is not expanded. Write the path itself.`;
  for (const access of ['read', 'write'] as const)
    await expect(resolvePath(requested, access, { fileSystem, pathRules: RULES })).rejects.toThrow(message);
  volume.mkdirSync(`/work/app/${variable}`);
  await expect(resolvePath(variable, 'write', { fileSystem, pathRules: RULES })).resolves.toMatchObject({
    exists: true,
  });
});

it.each(['src/$id.tsx', '$lib/a.ts', '$id', '%a%/b', '$HOMES.txt', '100%/A'])(
  'the file name %s is ordinary',
  async (requested) => {
    const { fileSystem } = createWorkspace();
    const resolved = await resolvePath(requested, 'write', { fileSystem, pathRules: RULES });
    expect(resolved.display).toBe(requested);
  },
);

describe('resolvePath', () => {
  it.each<[string, string, Partial<ResolvedPath>]>([
    ['a file', 'a.txt', { realPath: '/work/app/a.txt', exists: true, display: 'a.txt' }],
    ['the workspace', '.', { realPath: '/work/app', exists: true, display: '.' }],
    [
      'an absolute path',
      '/work/app/src/b.txt',
      { realPath: '/work/app/src/b.txt', exists: true, display: 'src/b.txt' },
    ],
    ['a new file', 'src/new.txt', { realPath: '/work/app/src/new.txt', exists: false, display: 'src/new.txt' }],
    ['new directories', 'x/y/z', { realPath: '/work/app/x/y/z', exists: false, display: 'x/y/z' }],
    ['a name that starts with two dots', '..x', { realPath: '/work/app/..x', exists: false, display: '..x' }],
    ...[
      'src/../a.txt',
      '../app/a.txt',
      './../app/src/../a.txt',
      '/work/../work/app/a.txt',
      '~/../../work/app/a.txt',
    ].map((path): [string, string, Partial<ResolvedPath>] => [
      `a path with .. back to the workspace, ${path}`,
      path,
      { realPath: '/work/app/a.txt', exists: true, display: 'a.txt' },
    ]),
    ['a link inside', 'inside/b.txt', { realPath: '/work/app/src/b.txt', exists: true, display: 'src/b.txt' }],
    ['a chain of links', 'chain/new', { realPath: '/work/app/src/new', exists: false, display: 'src/new' }],
    ['another root', '/data/d.txt', { realPath: '/data/d.txt', exists: true, display: '/data/d.txt' }],
    ['a link from another root', '/data/back/a.txt', { realPath: '/work/app/a.txt', exists: true, display: 'a.txt' }],
  ])('allows %s', async (_name, requested, expected) => {
    const { fileSystem } = createWorkspace();
    const resolved = await resolvePath(requested, 'write', { fileSystem, pathRules: RULES });
    expect(resolved).toEqual({ ...expected, use: { requested, realPath: expected.realPath, access: 'write' } });
  });

  const OUTSIDE = 'is outside the workspace. Use a path inside it, such as one that list_files shows.';
  const LINK = 'contains a link whose target does not exist. Use the path of a real file.';
  it.each<readonly [string, string, string, string]>([
    ['an empty path', '', 'invalid_arguments', 'The path is empty. Use "." for the workspace.'],
    ['an absolute path', '/etc/passwd', 'path_outside_workspace', `/etc/passwd ${OUTSIDE}`],
    ['the root of the disk', '/', 'path_outside_workspace', `/ ${OUTSIDE}`],
    ['a path with ..', '../../etc/passwd', 'path_outside_workspace', `../../etc/passwd ${OUTSIDE}`],
    ...(
      [
        ['x/../../y', 'x'],
        ['missing/../a.txt', 'missing'],
        ['outside/../a.txt', 'outside'],
        ['src/../relative/../a.txt', 'src/../relative'],
        ['a.txt/../a.txt', 'a.txt'],
        ['to-up/sub/../../a.txt', 'to-up/sub/..'],
        ['loop/../a.txt', 'loop'],
      ] as const
    ).map(
      ([path, left]) =>
        [
          `a path with .. after something that is no real directory, ${path}`,
          path,
          'invalid_arguments',
          `${path} goes up from ${left}, which is a link or not a directory. Write it without "..", from /work/app or as an absolute path.`,
        ] as const,
    ),
    [
      'a path above the root of the disk',
      '../../../../../..',
      'path_outside_workspace',
      `../../../../../.. ${OUTSIDE}`,
    ],
    ['a sibling', '../app-secrets/key', 'path_outside_workspace', `../app-secrets/key ${OUTSIDE}`],
    ['a link outside', 'outside/passwd', 'path_outside_workspace', `outside/passwd ${OUTSIDE}`],
    ['a new file through a link', 'outside/new', 'path_outside_workspace', `outside/new ${OUTSIDE}`],
    ['a relative link outside', 'relative/key', 'path_outside_workspace', `relative/key ${OUTSIDE}`],
    ['a linked file', 'to-file', 'path_outside_workspace', `to-file ${OUTSIDE}`],
    ['a path beneath a linked file', 'to-file/x', 'path_outside_workspace', `to-file/x ${OUTSIDE}`],
    ['the home directory', '~/notes', 'path_outside_workspace', `~/notes ${OUTSIDE}`],
    ['a file used as a directory outside', '/etc/passwd/x', 'path_outside_workspace', `/etc/passwd/x ${OUTSIDE}`],
    [
      'a read-only file',
      '/logs/1.log',
      'path_outside_workspace',
      '/logs/1.log may be read but not changed. Write to a path inside the workspace.',
    ],
    [
      'a blocked file',
      'secret/key',
      'path_blocked',
      'secret/key is blocked (safety.sandbox_blocked_paths: /work/app/secret). Do the task without it, or tell the user what to do with it.',
    ],
    [
      'a link to a blocked file',
      'to-secret/key',
      'path_blocked',
      'to-secret/key is blocked (safety.sandbox_blocked_paths: /work/app/secret). Do the task without it, or tell the user what to do with it.',
    ],
    ['a link without a target', 'dangling', 'not_found', `dangling ${LINK}`],
    ['a path beneath a link without a target', 'dangling/x/y', 'not_found', `dangling/x/y ${LINK}`],
    ['a link without a target inside', 'dangling-inside', 'not_found', `dangling-inside ${LINK}`],
    ['circular links', 'loop', 'io_error', 'loop contains circular links. Use another path.'],
    ['a path beneath circular links', 'loop/x', 'io_error', 'loop/x contains circular links. Use another path.'],
    [
      'a file as a directory',
      'a.txt/x',
      'not_a_directory',
      'A part of a.txt/x is a file, not a directory. Check the path with list_files.',
    ],
  ])('refuses %s', async (_name, requested, code, message) => {
    const { fileSystem } = createWorkspace();
    const refusal = resolvePath(requested, 'write', { fileSystem, pathRules: RULES });
    await expect(refusal).rejects.toMatchObject({ name: 'ToolError', code, message });
  });

  it('allows reading a read-only directory', async () => {
    const { fileSystem } = createWorkspace();
    const resolved = await resolvePath('/logs/1.log', 'read', { fileSystem, pathRules: RULES });
    expect(resolved).toMatchObject({ realPath: '/logs/1.log', display: '/logs/1.log' });
  });

  it('reports a directory without permission, even if only its listing is refused', async () => {
    const closed = failing({ realPath: ['/work/app/closed/x', 'permission_denied'] });
    const text = 'Permission denied for closed/x. Use another path, or ask the user for access.';
    const ports = { fileSystem: closed, pathRules: RULES };
    await expect(resolvePath('closed/x', 'read', ports)).rejects.toMatchObject({
      code: 'permission_denied',
      message: text,
    });
    const unlistable = failing({ list: ['/work/app', 'permission_denied'] });
    await expect(resolvePath('closed/x', 'read', { fileSystem: unlistable, pathRules: RULES })).rejects.toMatchObject({
      code: 'permission_denied',
      message: text,
    });
  });

  it('names the code of an error without specific advice', async () => {
    const fileSystem = failing({ realPath: ['/work/app/x', 'io_error'] });
    await expect(resolvePath('x', 'read', { fileSystem, pathRules: RULES })).rejects.toMatchObject({
      code: 'io_error',
      message: 'x cannot be resolved (io_error). Try another path.',
    });
  });

  it('rethrows an error that is not a FileSystemError', async () => {
    const { fileSystem } = createWorkspace();
    const broken: FileSystem = { ...fileSystem, realPath: () => Promise.reject(new TypeError('a defect')) };
    await expect(resolvePath('a.txt', 'read', { fileSystem: broken, pathRules: RULES })).rejects.toThrow('a defect');
  });
});

describe('resolvePath on Windows and macOS', () => {
  const windows: PathRules = {
    workspace: 'C:\\work',
    allowedRoots: ['C:\\work'],
    readOnlyRoots: [],
    blockedPaths: [],
    platform: 'windows',
  };

  it('accepts a drive that does not exist', async () => {
    const fileSystem = listed({});
    const refusal = resolvePath('Z:\\x\\y', 'write', { fileSystem, pathRules: windows });
    await expect(refusal).rejects.toMatchObject({ code: 'path_outside_workspace' });
    const there = await resolvePath('Z:\\x', 'write', {
      fileSystem,
      pathRules: { ...windows, allowedRoots: ['Z:\\'] },
    });
    expect(there).toMatchObject({ realPath: 'Z:\\x', exists: false });
  });

  it('shows paths with forward slashes', async () => {
    const fileSystem = listed({ 'C:\\work': [] });
    const resolved = await resolvePath('src/a.ts', 'write', { fileSystem, pathRules: windows });
    expect(resolved).toMatchObject({ realPath: 'C:\\work\\src\\a.ts', exists: false, display: 'src/a.ts' });
  });

  it('finds a link without a target in another case', async () => {
    const fileSystem = listed({ '/work': ['Link'] });
    const pathRules: PathRules = { ...windows, workspace: '/work', allowedRoots: ['/work'], platform: 'darwin' };
    await expect(resolvePath('link', 'write', { fileSystem, pathRules })).rejects.toMatchObject({ code: 'not_found' });
    const posix: PathRules = { ...pathRules, platform: 'posix' };
    expect(await resolvePath('link', 'write', { fileSystem, pathRules: posix })).toMatchObject({ exists: false });
  });
});

describe('realPathOf', () => {
  it('resolves the parts that exist and keeps the rest', async () => {
    const { fileSystem } = createWorkspace();
    expect(await realPathOf('/work/app/outside/new/x', fileSystem, 'posix')).toBe('/etc/new/x');
  });

  it('rejects with the error of the file system', async () => {
    const { fileSystem } = createWorkspace();
    await expect(realPathOf('/work/app/loop/x', fileSystem, 'posix')).rejects.toMatchObject({ code: 'link_loop' });
  });
});

describe('createRealPathOf', () => {
  it('resolves like realPathOf, and reads each directory once', async () => {
    const { fileSystem } = createWorkspace();
    const asked: string[] = [];
    const toRealPath = createRealPathOf(
      {
        realPath: (file) => {
          asked.push(`realPath ${file}`);
          return fileSystem.realPath(file);
        },
        list: (directory) => {
          asked.push(`list ${directory}`);
          return fileSystem.list(directory);
        },
      },
      'posix',
    );
    const names = ['a.txt', '.ssh', '.aws', 'dangling', 'loop', 'outside/new', '.ssh'];
    const paths = names.map((name) => `/work/app/${name}`);
    const outcomes = (resolve: (file: string) => Promise<string>) => Promise.allSettled(paths.map(resolve));
    expect(await outcomes(toRealPath)).toEqual(await outcomes((file) => realPathOf(file, fileSystem, 'posix')));
    expect(asked.filter((question) => question.endsWith(' /work/app'))).toEqual([
      'realPath /work/app',
      'list /work/app',
    ]);
    expect(asked).toHaveLength(new Set(asked).size);
  });
});

describe('resolvePath compared with an oracle', () => {
  type Policy = (requested: string, tree: ModelTree) => Promise<string | 'refused'>;

  const shipped: Policy = async (requested, tree) => {
    const { fileSystem, volume } = createMemoryFileSystem();
    tree.writeTo(volume);
    const pathRules: PathRules = {
      ...RULES,
      workspace: '/w',
      allowedRoots: ['/w'],
      readOnlyRoots: [],
      blockedPaths: [],
    };
    return resolvePath(requested, 'write', { fileSystem, pathRules }).then(
      (resolved) => resolved.realPath,
      (error: ToolError) => {
        if (error.name !== 'ToolError') throw error;
        return 'refused';
      },
    );
  };
  /** A naive check: joins the path, compares its beginning and ignores links. */
  const byPrefix: Policy = async (requested, tree) => {
    const joined = tree.join(requested);
    return joined.startsWith('/w') ? joined : 'refused';
  };

  async function disagreement(policy: Policy): Promise<boolean> {
    const name = fc.constantFrom('a', 'a', 'b', 'b', 'new', '..', '.');
    const requested = fc
      .tuple(fc.constantFrom('', '', '', '/w/', '/w2/', '/'), fc.array(name, { minLength: 1, maxLength: 4 }))
      .map(([start, names]) => start + names.join('/'));
    const property = fc.asyncProperty(arbitraryTree(['/w', '/w2', '/o']), requested, async (tree, path) => {
      const real = resolveInModel(tree, tree.join(path));
      const inside = real !== undefined && (real === '/w' || real.startsWith('/w/'));
      const answer = await policy(path, tree);
      // A `..` after a link may be refused, because programs disagree about it.
      return answer === (inside ? real : 'refused') || (answer === 'refused' && path.includes('..'));
    });
    const details = await fc.check(property, verdictSettings(400));
    return details.failed;
  }

  it('agrees with the oracle on random trees with links', async () => {
    expect(await disagreement(shipped)).toBe(false);
  });

  it('is tested with a check that detects a comparison by string prefix', async () => {
    expect(await disagreement(byPrefix)).toBe(true);
  });
});

/** The file system of the tables, with operations that fail for one path. */
function failing(faults: Partial<Record<'realPath' | 'list', readonly [string, FileSystemErrorCode]>>): FileSystem {
  const { fileSystem } = createWorkspace();
  const fail = (operation: 'realPath' | 'list', path: string): void => {
    const [at, code] = faults[operation] ?? [];
    if (at === path && code !== undefined) throw new FileSystemError(code, path);
  };
  return {
    ...fileSystem,
    realPath: async (path) => {
      fail('realPath', path);
      return fileSystem.realPath(path);
    },
    list: async (path) => {
      fail('list', path);
      return fileSystem.list(path);
    },
  };
}

/** A file system with these directories, each with links without a target. Every other call throws. */
function listed(directories: Readonly<Record<string, readonly string[]>>): FileSystem {
  const refuse = (what: string) => (path: string) => Promise.reject(new Error(`unexpected ${what} of ${path}`));
  return {
    realPath: async (path) => {
      if (!Object.hasOwn(directories, path)) throw new FileSystemError('not_found', path);
      return path;
    },
    list: async (path) => (directories[path] ?? []).map((name) => ({ name, kind: 'link' })),
    readLink: refuse('readLink'),
    stat: refuse('stat'),
    readFile: refuse('readFile'),
    createDirectory: refuse('createDirectory'),
    replaceFile: refuse('replaceFile'),
    removeDirectory: refuse('removeDirectory'),
    removeEmptyDirectory: refuse('removeEmptyDirectory'),
    appendFile: refuse('appendFile'),
    readPieces: async function* (path) {
      await refuse('readPieces')(path);
    },
    openAppend: refuse('openAppend'),
    createFile: refuse('createFile'),
    removeFile: refuse('removeFile'),
  };
}
