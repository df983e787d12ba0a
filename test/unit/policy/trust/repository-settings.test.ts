import { describe, expect, it } from 'vitest';
import { findHooks, findRepositorySettings, hooksPathsOf } from '../../../../src/policy/trust/repository-settings.ts';
import { findUserSettings } from '../../../../src/policy/trust/user-settings.ts';
import { createMemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const HOOKS = (directory: string): string => `[core]\n\thooksPath = ${directory}\n`;

describe('the hooks of a repository', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['no repository', { '/r/w/a': '' }, []],
    ['its settings', { '/r/w/.git/config': HOOKS('scripts/hooks') }, ['/r/w/scripts/hooks']],
    [
      'an absolute path, and one of the home directory',
      { '/r/w/.git/config': `${HOOKS('/h')}${HOOKS('~/h')}` },
      ['/h', '~/h'],
    ],
    ['a repository around the workspace', { '/r/.git/config': HOOKS('hooks'), '/r/w/a': '' }, ['/r/hooks']],
    [
      'a worktree',
      {
        '/r/w/.git': 'gitdir: /m/.git/worktrees/w\n',
        '/m/.git/worktrees/w/commondir': '../..\n',
        '/m/.git/worktrees/w/config.worktree': HOOKS('own'),
        '/m/.git/config': HOOKS('shared'),
      },
      ['/r/w/shared', '/r/w/own'],
    ],
    [
      'a submodule',
      { '/r/w/.git': 'gitdir: ../.git/modules/w\n', '/r/.git/modules/w/config': HOOKS('hooks') },
      ['/r/w/hooks'],
    ],
    [
      'included files',
      {
        '/r/w/.git/config': '[include]\n\tpath = more\n[includeIf "onbranch:a"]\n\tpath = ../team/git\n',
        '/r/w/.git/more': HOOKS('one'),
        '/r/w/team/git': HOOKS('two'),
      },
      ['/r/w/one', '/r/w/two'],
    ],
    [
      'submodules, and their submodules',
      {
        '/r/w/.git/config': HOOKS('hooks'),
        '/r/w/.gitmodules': '[submodule "a"]\n\tpath = libs/a\n\turl = ../a\n[submodule "gone"] path = "gone"\n',
        '/r/w/libs/a/.git': 'gitdir: ../../.git/modules/a\n',
        '/r/w/.git/modules/a/config': HOOKS('own'),
        '/r/w/libs/a/.gitmodules': '[submodule "b"]\n\tpath = b # nested\n',
        '/r/w/libs/a/b/.git': 'gitdir: ../../../.git/modules/a/modules/b\n',
        '/r/w/.git/modules/a/modules/b/config': HOOKS('inner'),
      },
      ['/r/w/hooks', '/r/w/libs/a/own', '/r/w/libs/a/b/inner'],
    ],
    [
      'files of the project in commands',
      {
        '/r/w/.git/config': `[core]\nfsmonitor = ./fsm.sh --all\nsshCommand = ssh\n[filter "a"]\nclean = "node tools/clean.mjs %f"\nsmudge = ../out.sh; cat ~/x $y /bin/sh missing.sh tools\n[alias]\nst = !st.sh\n[commit]\ntemplate = notes.txt\n`,
        ...{ '/r/w/fsm.sh': '', '/r/w/tools/clean.mjs': '', '/r/w/st.sh': '', '/r/w/notes.txt': '' },
        ...{ '/r/out.sh': '', '/bin/sh': '' },
      },
      ['/r/w/fsm.sh', '/r/w/tools/clean.mjs', '/r/w/st.sh'],
    ],
    [
      'no submodule outside the repository, or in its usual directory',
      {
        '/r/w/.git/config': HOOKS('hooks'),
        '/r/w/.gitmodules': ['.', '..', '..', '../o', 'a/../../o', '/r/o', 'C:/o']
          .map((to) => `path = ${to}\n`)
          .join(''),
        '/r/o/.git/config': HOOKS('other'),
        '/r/.git/config': HOOKS('above'),
      },
      ['/r/w/hooks'],
    ],
    [
      'a file that names a directory through another one',
      { '/r/w/.git': 'gitdir: a/../b\n', '/r/w/b/config': HOOKS('h') },
      [],
    ],
    [
      'shared settings that a file names through another directory',
      { '/r/w/.git/commondir': 'a/../b\n', '/r/w/.git/config': HOOKS('h'), '/r/w/.git/b/config': HOOKS('h') },
      [],
    ],
    [
      'a path that is longer than systems allow',
      { '/r/w/.git/commondir': `${'b/'.repeat(2100)}\n`, '/r/w/.git/config': HOOKS('h') },
      [],
    ],
    [
      'no submodule that only the settings name',
      { '/r/w/.git/config': '[submodule "a"]\n\tpath = libs/a\n', '/r/w/libs/a/.git/config': HOOKS('h') },
      [],
    ],
    ['a file .git without a directory', { '/r/w/.git': 'text' }, []],
  ])('are those of %s', async (_name, files, expected) => {
    const { fileSystem } = createMemoryFileSystem(files);
    expect(await findHooks('/r/w', 'posix', fileSystem)).toEqual(expected);
  });

  it('are searched in at most 200 repositories', async () => {
    const names = Array.from({ length: 210 }, (_, index) => `m${index}`);
    const { fileSystem } = createMemoryFileSystem({
      '/r/w/.git/config': '',
      '/r/w/.gitmodules': names.map((name) => `path = ${name}\n`).join(''),
      ...Object.fromEntries(names.map((name) => [`/r/w/${name}/.git/config`, HOOKS('h')])),
    });
    expect(await findHooks('/r/w', 'posix', fileSystem)).toHaveLength(199);
  });

  it('are unknown after a file that is too large or includes unknown ones, and after too many files', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `f${index}`);
    const include = (path: string): string => `[include]\n\tpath = ${path}\n`;
    const { fileSystem } = createMemoryFileSystem({
      '/r/w/.git/config': names.map(include).join(''),
      ...Object.fromEntries(names.map((name) => [`/r/w/.git/${name}`, ''])),
      ...{ '/r/w/.git/f0': HOOKS('h'), '/r/w/.git/f1': include('~/own'), '/r/w/.git/f2': include('a/../b') },
      ...{ '/r/w/.git/f3': include('more'), '/r/w/.git/f4': include('f5') },
      ...{ '/r/w/.git/f6': include('..//../x'), '/r/w/.git/f7': include('./../x'), '/r/w/.git/f8': '[include] path' },
      ...{ '/r/w/.git/~/own': '', '/r/w/.git/b': '', '/r/w/.git/more': '' },
    });
    const reads: string[] = [];
    const readFile: typeof fileSystem.readFile = async (file, limit) => {
      reads.push(file);
      return { ...(await fileSystem.readFile(file, limit)), size: 16 * 1024 ** 2 + (file.endsWith('/f3') ? 1 : 0) };
    };
    const { files = [] } = (await findRepositorySettings('/r/w', 'posix', { ...fileSystem, readFile })) ?? {};
    const unknown = files.filter(({ isKnown }) => !isKnown).map(({ file }) => file);
    expect(unknown).toEqual(['f2', 'f3', 'f8', 'f499'].map((name) => `/r/w/.git/${name}`));
    expect(files).toHaveLength(501);
    expect(new Set(reads).size).toBe(reads.length);
  });

  it('are those of the user, too, and what links in the home directory lead to', async () => {
    const { fileSystem } = createMemoryFileSystem({
      '/r/.git/config': '',
      '/h/.gitconfig': `${HOOKS('own')}[include]\n\tpath = ~/more\n[INCLUDE] path=x\n[alias]\n\tst = "!./st.sh"\n`,
      '/h/more': '[includeIf "gitdir:a"]\n\tpath = /r/w/team\n[include]\n\tpath = more\n\tpath =\n',
      '/h/.config/git/config': '[init]\n\ttemplateDir = /r/w/template\n',
      ...{ '/r/w/team': HOOKS('/r/w/hooks'), '/r/w/zshrc': '', '/r/st.sh': '', '/h/x': '' },
    });
    const link = (name: string) => ({ name, kind: 'link' }) as const;
    const entries = {
      '/h': ['.zshrc', 'logs', '.gone', '.w', '.zprofile', '.loop'].map(link),
      '/h/.config': [link('nvim')],
    };
    const texts: Readonly<Record<string, string>> = {
      '/h/.zprofile': '../r/w/new/zprofile',
      '/r/w/new/zprofile': 'other',
      '/h/.loop': '.loop',
    };
    const targets: Readonly<Record<string, string>> = { '/h/.zshrc': '/r/w/zshrc', '/h/.w': '/r/w' };
    const user = await findUserSettings('/h', 'posix', {
      ...fileSystem,
      list: async (path) => (path === '/h' || path === '/h/.config' ? entries[path] : []),
      realPath: async (path) => targets[path] ?? fileSystem.realPath(path),
      readLink: async (path) => texts[path] ?? fileSystem.readLink(path),
    });
    expect(user.hooks).toEqual(['own', '/r/w/template/hooks', '/r/w/hooks', './st.sh']);
    const own = ['/h/.gitconfig', '/h/.config/git/config', '/etc/gitconfig'];
    expect(user.included).toEqual([...own, '/h/more', '/h/x', '/r/w/template/config', '/r/w/team']);
    expect(await findHooks('/r/w', 'posix', fileSystem, user)).toEqual([
      ...['/r/own', '/r/w/template/hooks', '/r/w/hooks', '/r/st.sh', '/r/w/template/config', '/r/w/team', '/r/w/zshrc'],
      '/r/w/new/other',
    ]);
    const names = Array.from({ length: 200 }, (_, index) => `path = f${index}\n`);
    const many = createMemoryFileSystem({ '/h/.gitconfig': `[include]\n${names.join('')}` });
    expect((await findUserSettings('/h', 'posix', many.fileSystem)).included).toHaveLength(100);
  });

  it.each<[string, string, readonly string[]]>([
    ['on the line of the section', '[core] hooksPath = ~/ws/hooks', ['/h/ws/hooks']],
    ['after a section with a comment', '[core] # mine\nhooksPath = /a', ['/a']],
    ['after a section with another comment', '[core] ; c\nhooksPath = /a', ['/a']],
    ['in quotes', '[core]\nhooksPath = "/a#b"', ['/a#b']],
    ['on two lines', '[core]\nhooksPath = /a\\\n/b', ['/a/b']],
    ['in a file that is included on one line', '[include] path = more', ['/m']],
  ])('are those of the user that stand %s, whatever file of the user they are in', async (_name, text, hooks) => {
    const more = HOOKS('/m');
    for (const [file, environment] of [
      ['/h/.gitconfig', {}],
      ['/x/git/config', { XDG_CONFIG_HOME: '/x' }],
      ['/x/own', { GIT_CONFIG_GLOBAL: '/x/own' }],
      ['/x/own', { GIT_CONFIG_SYSTEM: '/x/own', XDG_CONFIG_HOME: 'x', GIT_CONFIG_GLOBAL: '/h/.gitconfig' }],
    ] as const) {
      const beside = `${file.slice(0, file.lastIndexOf('/'))}/more`;
      const { fileSystem } = createMemoryFileSystem({ [file]: text, [beside]: more });
      expect((await findUserSettings('/h', 'posix', fileSystem, environment)).hooks).toEqual(hooks);
    }
  });

  it('are those of the user that variables and links name', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/h/.gitconfig': '[core] hooksPath = ~b/x', '/h/c': HOOKS('/c') });
    const real: Readonly<Record<string, string>> = { '/h/.gitconfig': '/r/w/dot', '/h': '/real' };
    const user = await findUserSettings(
      '/h',
      'posix',
      { ...fileSystem, realPath: async (path) => real[path] ?? fileSystem.realPath(path) },
      {
        ...{
          GIT_CONFIG_COUNT: '3',
          GIT_CONFIG_KEY_0: 'Include.Path',
          GIT_CONFIG_VALUE_0: '~/c',
          GIT_CONFIG_KEY_1: 'a.b.C',
        },
        ...{
          GIT_CONFIG_PARAMETERS: `'core.hooksPath=/it'\\''s' 'core.hookspath'='/n' 'core.bare'`,
          GIT_TEMPLATE_DIR: '/t',
        },
        ...{ EDITOR: '"$HOME"/ed -w; sh ~/own/x', GIT_PAGER: 'less', OTHER: './no' },
      },
    );
    expect(user.hooks).toEqual(["/it's", '/n', '/t/hooks', '/b/x', '/c', '/h/ed', '/h/own/x']);
    expect(user.included).toEqual(expect.arrayContaining(['/h/c', '/real/c', '/r/w/dot', '/t/config']));
    expect(user.lines).toContain('a.c = ');
  });

  it('are those of the target of a link', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/r/w/.git/config': HOOKS('old'), '/m/config': HOOKS('new') });
    const realPath = async (path: string) => (path === '/r/w/.git' ? '/m' : path);
    expect(await findHooks('/r/w', 'posix', { ...fileSystem, realPath })).toEqual(['/r/w/new']);
  });

  it('are also found on Windows', async () => {
    expect(await findRepositorySettings('C:\\w', 'windows', createMemoryFileSystem({}).fileSystem)).toBeUndefined();
  });

  it('are not searched after an unexpected error', async () => {
    const { fileSystem } = createMemoryFileSystem({});
    const stat = () => Promise.reject(new Error('broken'));
    await expect(findHooks('/r/w', 'posix', { ...fileSystem, stat })).rejects.toThrow('broken');
  });
});

it.each<readonly [string, readonly string[]]>([
  ['[core]\n\thooksPath = scripts/hooks\n', ['scripts/hooks']],
  ['[core]\n  HOOKSPATH=scripts/hooks ; ours\n', ['scripts/hooks']],
  ['[core] hooksPath = "my hooks" # ours', ['my hooks']],
  ['[Core]\r\nhooksPath = ~/hooks\r\n', ['~/hooks']],
  ['[core]\nhooksPath = a\n[core]\nhookspath = b', ['a', 'b']],
  ['[core]\n\thooksPath =\n\tbare = false\n', []],
  ['[core]\n\thooksPath = ""\n', []],
  ['[core]\n\t# hooksPath = a\n\tmyHooksPath = b\n', []],
  ['', []],
  ['[core] # mine\nhooksPath = a', ['a']],
  ['\uFEFF[core "x]\\"" ] ; c\nhooksPath = "/a#b"c', ['/a#bc']],
  ['[a]b=c\\\n hooksPath = x', []],
  ['[core]\nhooksPath = \\\r\n  a\\\n/b "\\"c" \\\\\\t;d', ['a/b "c \\\t']],
  ['[core]\n; a \\\nhooksPath = a # b \\\nhooksPath = "b\nhooksPath c', ['a', 'b']],
])('%j names the hooks %j', (config, paths) => {
  expect(hooksPathsOf(config)).toEqual(paths);
});
